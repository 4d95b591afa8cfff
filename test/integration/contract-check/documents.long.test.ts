import { expect } from 'chai';
import { checkContract } from '../../../src/contract-check/contract-check.js';
import { generatedSchema } from '../../support/contract-check/generated-schema.js';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { FUZZ_SECRET, tokenOf } from '../../support/fuzz/fuzz-client.js';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { SignJWT } from 'jose';

const REQUEST = {
  ...({ format: 'json', seconds: 60, headers: {}, writes: true } as const),
  requests: 300,
  seed: 11,
  refusals: [],
};

const reportOf = async (url: string, token: string | null, more: Partial<typeof REQUEST> = {}) =>
  JSON.parse((await checkContract({ ...REQUEST, ...more, url, token })).text) as {
    readonly requests: number;
    readonly disagreements: readonly unknown[];
    readonly checks: Readonly<Record<string, number>>;
  };

// `bench/contract.ts` sends more, to more schemas.
for (const seed of [2, 13])
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
        const report = await reportOf(`${service.url}/openapi.json`, token);
        expect(report.disagreements).to.deep.equal([]);
        expect(report.requests).to.equal(300);
      });
  });

describe('the published document of notifications and signing', function () {
  this.timeout(120_000);
  const SECRET = 'a secret for tests, of at least thirty-two bytes';
  let database: SigningDatabase;
  let service: TestService;

  before(async () => {
    database = await createSigningDatabase();
    service = await startTestService(
      { areas: 'signing,notifications', 'db-uri': database.serviceUri, 'service-jwt-secret': SECRET },
      { logLevel: 'crit' },
    );
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  it('agrees with the service', async () => {
    const scope =
      'notifications:write notifications:receipts notifications:admin notifications:webhooks accounts:write parties:admin';
    const token = await new SignJWT({ tenantId: 'acme', sub: 'ada', scope })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET));
    // Few of the generated notifications are created: most are refused by a rule between members, or collected in digests.
    const report = await reportOf(`${service.url}/api/v1/openapi.json`, token, { requests: 2500, seed: 14 });
    expect(report.disagreements).to.deep.equal([]);
    expect(report.checks['created-missing']).to.be.greaterThan(0);
  });
});
