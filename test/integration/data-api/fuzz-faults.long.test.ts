import { FAULTS, withFault } from '../../support/fuzz/faults.js';
import { RELATION_NAMES, runRelation } from '../../support/fuzz/fuzz-run.js';
import { startFuzzService, type FuzzService } from '../../support/fuzz/fuzz-service.js';

/** Cases in which a relation must find its fault. */
const RUNS = 40;
const SEED = 20_261_125;

describe('a fault in the answers', function () {
  this.timeout(120_000);
  let service: FuzzService;

  before(async () => {
    service = await startFuzzService();
  });
  after(() => service.stop());

  for (const name of RELATION_NAMES)
    it(`is found by the relation ${name}: ${FAULTS[name].meaning}`, async () => {
      const client = withFault(service.client, name);
      const finding = await runRelation(name, client, { runs: RUNS, seed: SEED, shrinks: false });
      if (finding === null) throw new Error(`${name} finds nothing in ${String(RUNS)} cases`);
    });
});
