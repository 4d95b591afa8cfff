import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { startFestivalService, type FestivalService } from '../support/conformance/festival-service.js';
import { loadCases, playCase } from './play.mjs';

const cases = loadCases(fileURLToPath(new URL('own-cases', import.meta.url)));

/** Cases in the form of the recorded ones, whose answers follow from the design of dbr: the reference has no answer. */
describe('conformance with the design of dbr', () => {
  let festival: FestivalService;

  before(async () => {
    festival = await startFestivalService({
      'db-tx-end': 'rollback-allow-override',
      'db-aggregates-enabled': 'true',
    });
  });
  after(() => festival.stop());

  for (const [area, list] of cases)
    describe(area, () => {
      for (const testCase of list)
        it(`${testCase.id}: ${testCase.about}`, async () => {
          const failures = await playCase(testCase, festival.url);
          expect(JSON.stringify(failures, null, 1)).to.equal('[]');
        });
    });
});
