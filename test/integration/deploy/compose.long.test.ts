import { expect } from 'chai';
import { asString } from '../../../codegen/json.js';
import { withSession } from '../../../src/postgres/session.js';
import {
  addressOf,
  createExampleDatabase,
  PASSWORDS,
  psqlMissing,
} from '../../support/deploy/example-database.js';
import { member, readYaml } from '../../support/deploy/manifests.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import { natsMissing, startNatsServer, type NatsServer } from '../../support/router/nats-server.js';
import {
  runDbr,
  serveDbr,
  type Environment,
  type ServingProcess,
} from '../../support/service/built-service.js';
import { untilReady } from '../../support/service/service.js';

const SECRETS: Environment = {
  ...PASSWORDS,
  NATS_PASSWORD: 'nats00',
  JWT_SECRET: 'a-secret-of-this-test-that-is-long-enough',
};

/** What compose.yaml does, with the processes of this machine in place of containers. */
describe('the parts of deploy/compose together', function () {
  this.timeout(240_000);
  let server: TestServer;
  let nats: NatsServer;
  let service: ServingProcess;

  /** The environment of a service of compose.yaml, with the secrets of .env and the addresses of the test's servers. */
  function environmentOf(name: string): Environment {
    const given = member(readYaml('compose/compose.yaml'), 'services', name, 'environment');
    const filled = Object.entries(given).map(([variable, value]) => {
      const text = asString(value, variable)
        .replaceAll(/\$\{(\w+)[^}]*\}/g, (_whole, secret: string) => SECRETS[secret] ?? '')
        .replace('@postgres/app', `@127.0.0.1:${String(server.port)}/app`)
        .replace(/nats:\/\/.*/, nats.uri);
      return [variable, text] as const;
    });
    return Object.fromEntries(filled);
  }

  before(async function () {
    if (psqlMissing || natsMissing() !== null) return this.skip();
    server = await startTestServer();
    nats = await startNatsServer();
    await createExampleDatabase(server.uri);
    const migrated = await runDbr(['migrate'], { NODE_ENV: 'production', ...environmentOf('migrate') });
    expect(migrated).to.deep.include({ code: 0, stderr: '' });
    service = await serveDbr({ NODE_ENV: 'production', ...environmentOf('dbr') });
    await untilReady(service);
  });
  after(async () => {
    await service?.stop();
    await nats?.stop();
    await server?.remove();
  });

  it('serve the table of the example to anonymous readers', async () => {
    const read = await fetch(`${service.url}/todos?select=task&done=is.true`);
    expect(read.status).to.equal(200);
    expect(await read.json()).to.deep.equal([{ task: 'Start dbr' }]);
    expect((await fetch(`${service.url}/todos`, { method: 'DELETE' })).status).to.equal(401);
  });

  it('are ready in every area', async () => {
    const response = await fetch(`${service.adminUrl}/ready`);
    expect(await response.json()).to.deep.equal({
      ready: true,
      parts: { 'data-api': 'up', 'notifications and signing': 'up' },
    });
    const health = await runDbr(['ready'], {
      DBR_ADMIN_SERVER_HOST: environmentOf('dbr')['DBR_ADMIN_SERVER_HOST'] ?? '',
      DBR_ADMIN_SERVER_PORT: new URL(service.adminUrl).port,
    });
    expect(health.code).to.equal(0);
  });

  it('give the roles of the service only the privileges that they need', async () => {
    const roles = await withSession(addressOf(server.uri, 'app'), (session) =>
      session.query(`select rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolinherit
        from pg_catalog.pg_roles where rolname in ('authenticator', 'dbr_service') order by rolname`),
    );
    const nothing = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false };
    expect(roles).to.deep.equal([
      { rolname: 'authenticator', ...nothing, rolinherit: false },
      { rolname: 'dbr_service', ...nothing, rolinherit: false },
    ]);
  });
});
