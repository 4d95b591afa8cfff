import { startFuzzService, type FuzzService } from '../../support/fuzz/fuzz-service.js';
import { keptCases, RELATION_NAMES, replay, runRelation } from '../../support/fuzz/fuzz-run.js';
import { runs } from '../../support/runs.js';

/** Cases of each relation; the long run is `make fuzz`. */
const RUNS = runs(8, 4);
const SEED = 20_261_122;

describe('generated requests', function () {
  this.timeout(120_000);
  let service: FuzzService;

  before(async () => {
    service = await startFuzzService();
  });
  after(() => service.stop());

  for (const [index, kept] of keptCases().entries())
    it(`keep what was found: ${kept.found} (${String(index)})`, () => replay(kept, service.client));

  for (const name of RELATION_NAMES)
    it(`hold the relation ${name}`, async () => {
      const finding = await runRelation(name, service.client, { runs: RUNS, seed: SEED });
      if (finding !== null) throw new Error(`${finding.message}\n${JSON.stringify(finding.case)}`);
    });
});
