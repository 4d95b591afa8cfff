import { expect } from 'chai';
import { checkContract } from '../../support/contract-check/contract-check.js';
import { DATA_API_NOTES, SERVICE_NOTES } from '../../support/contract-check/notes.js';
import type { RunResult } from '../../support/contract-check/run.js';
import { generatedSchema } from '../../support/contract-check/generated-schema.js';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { runs, some } from '../../support/runs.js';
import { FUZZ_SECRET, tokenOf } from '../../support/fuzz/fuzz-client.js';
import { startOwnService, type OwnService } from '../../support/contract-check/own-service.js';

const REQUEST = { requests: runs(300, 150), seconds: 60, seed: 11 };

// `bench/contract.ts` sends more, to more schemas.
for (const seed of some([2, 13], 2))
  describe(`the description of generated schema ${String(seed)} for each role`, function () {
    this.timeout(60_000);
    const { script, roles } = generatedSchema(seed, `test_${String(seed)}`);
    let service: DataApiService;

    before(async () => {
      const settings = { 'db-schemas': 'api', 'jwt-secret': FUZZ_SECRET };
      service = await startDataApiService(script, roles.anonymous, settings);
    });
    after(async () => {
      for (const role of [roles.all, roles.some])
        await service.session.script(`drop owned by ${role}; drop role ${role}`);
      await service.stop();
    });

    for (const [name, role] of Object.entries(roles))
      it(`agrees with the service: ${name}`, async () => {
        const token = name === 'anonymous' ? null : (await tokenOf(role)).replace('Bearer ', '');
        const url = `${service.url}/openapi.json`;
        const report = await checkContract({ ...REQUEST, url, notes: DATA_API_NOTES, token });
        expect(report.disagreements).to.deep.equal([]);
        expect(report.requests).to.equal(REQUEST.requests);
      });
  });

describe('the published document of notifications and signing', function () {
  this.timeout(240_000);
  let service: OwnService;

  before(async () => {
    service = await startOwnService();
  });
  after(() => service.stop());

  const check = (token: string, requests: number, seed: number): Promise<RunResult> =>
    checkContract({ url: service.url, notes: SERVICE_NOTES, token, requests, seconds: 220, seed });

  it('agrees with the service, for a user with an account', async () => {
    const report = await check(service.tokens.owner, 1500, 14);
    expect(report.disagreements).to.deep.equal([]);
    for (const id of ['getAccount', 'setQuietHours']) expect(report.unsuccessful).to.not.include(id);
  });

  it('agrees with the service, for one with the right to change parties and webhooks', async () => {
    // Parties are suspended in the run: accounts with shares for them are refused.
    const report = await check(service.tokens.administrator, runs(4000, 2000), 303);
    expect(report.disagreements).to.deep.equal([]);
    expect(report.checks.get('created-missing')).to.be.greaterThan(0);
    for (const id of ['createAccount', 'updateParty', 'createWebhook', 'replaceWebhook', 'updateMessage'])
      expect(report.unsuccessful).to.not.include(id);
  });

  it('agrees with the service, for a tenant that has as many webhooks as it may have', async () => {
    const { administrator } = service.tokens;
    const create = (): Promise<Response> =>
      fetch(new URL('/api/v1/notifications/webhooks', service.url), {
        method: 'POST',
        headers: { Authorization: `Bearer ${administrator}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: 'https://mail.example.com/dbr' }),
      });
    let response = await create();
    while (response.status === 201) response = await create();
    expect(await response.json()).to.include({ code: 'DBR426' });
    const report = await check(administrator, runs(1500, 300), 15);
    expect(report.disagreements).to.deep.equal([]);
  });
});
