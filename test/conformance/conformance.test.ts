import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { startConfiguredServices } from './configured-services.js';
import { loadFestival } from './festival-database.js';
import { KNOWN_DIFFERENCES, PENDING_AREAS } from './known-differences.js';
import { loadCases, playCase, type Failure } from './play.mjs';

const cases = loadCases(fileURLToPath(new URL('cases', import.meta.url)));

/** Recorded requests and answers of the data API, area by area. */
describe('conformance', () => {
  let database: TestDatabase;
  let services: ReadonlyMap<string, TestService>;

  before(async function () {
    this.timeout(60_000);
    const festival = await loadFestival();
    ({ database } = festival);
    services = await startConfiguredServices(festival.uri);
  });

  after(async () => {
    await Promise.all([...services.values()].map((service) => service.stop()));
    await database.drop();
  });

  for (const [area, list] of cases) {
    if (PENDING_AREAS.has(area)) {
      it(`${area} (pending)`);
      continue;
    }
    describe(area, () => {
      for (const testCase of list) {
        const reason = KNOWN_DIFFERENCES.get(testCase.id);
        it(`${testCase.id}: ${testCase.about}${reason === undefined ? '' : ` (differs: ${reason})`}`, async () => {
          const url = services.get(testCase.config)?.url;
          if (url === undefined) throw new Error(`no service has the configuration ${testCase.config}`);
          const failures = await playCase(testCase, url);
          if (reason === undefined) expect(described(failures)).to.equal('');
          else expect(failures, 'no longer differs').to.not.be.empty;
        });
      }
    });
  }
});

function described(failures: readonly Failure[]): string {
  return failures
    .map(({ step, request, diffs }) => {
      const lines = diffs.map(
        ({ what, expected, got }) =>
          `    ${what}\n      expected ${JSON.stringify(expected)}\n      got      ${JSON.stringify(got)}`,
      );
      return `  step ${step}: ${request.method} ${request.path}\n${lines.join('\n')}`;
    })
    .join('\n');
}
