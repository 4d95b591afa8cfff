import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { runHostile, statementsWithValues } from '../../support/data-api/hostile-run.js';
import { startHostileService, type HostileService } from '../../support/data-api/hostile-service.js';
import { runs } from '../../support/runs.js';

const REQUESTS = runs(3000, 500);

describe('hostile query strings', function () {
  this.timeout(240_000);
  let service: HostileService;

  before(async () => {
    service = await startHostileService();
  });
  after(() => service.stop());

  it('cause no server error, and none of their values becomes SQL text', async () => {
    const { statuses, failures } = await runHostile(service.url, 20_260_101, REQUESTS);
    expect(failures).to.deep.equal([]);
    expect(statuses.get(200) ?? 0, 'many are valid').to.be.greaterThan(REQUESTS / 10);
    expect(statuses.get(400) ?? 0, 'many are refused').to.be.greaterThan(REQUESTS / 10);
    const log = await readFile(service.logFile, 'utf8');
    expect(log.match(/execute [\w-]+: /g) ?? [], 'statements were logged').to.have.length.greaterThan(
      REQUESTS / 10,
    );
    expect(await statementsWithValues(service.logFile)).to.deep.equal([]);
    expect((await fetch(`${service.url}/films?select=id&order=id&limit=1`)).status).to.equal(200);
  });
});
