import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { coloured } from '../../../src/command-line/colour.js';
import { cureOf } from '../../../src/command-line/cure.js';
import { createStatusLine } from '../../../src/command-line/status-line.js';
import { MigrationError } from '../../../src/postgres/migration-files.js';
import { ConnectFailed, errorFields, PostgresError } from '../../../src/postgres/postgres-error.js';
import { until } from '../../support/until.js';

describe('the line of a terminal', () => {
  const written: string[] = [];
  const write = (text: string): number => written.push(text);
  beforeEach(() => written.splice(0));

  it('is shown for what takes a second, as it is at the time, and is removed', async () => {
    const line = createStatusLine({ isTTY: true, columns: 24, write });
    let requests = 0;
    line.show(() => `check ${String((requests += 1))}\u001b[31m of 60, and more`);
    expect(written).to.deep.equal([]);
    await until(() => Promise.resolve(written.length >= 2));
    line.end();
    expect(written.slice(0, 2)).to.deep.equal([
      '\r\u001b[2Kcheck 1\\u001b[31m of 60',
      '\r\u001b[2Kcheck 2\\u001b[31m of 60',
    ]);
    expect(written.at(-1)).to.equal('\r\u001b[2K');
    const { length } = written;
    line.end();
    expect(written).to.have.lengthOf(length);
  });

  it('is shown whole on a terminal that says that it has no columns', async () => {
    const line = createStatusLine({ isTTY: true, columns: 0, write });
    line.show(() => 'connecting');
    await until(() => Promise.resolve(written.length >= 1));
    line.end();
    expect(written[0]).to.equal('\r\u001b[2Kconnecting');
  });

  it('is not written for what is quick, nor to a pipe', async () => {
    const line = createStatusLine({ isTTY: true, write });
    line.show(() => 'quick');
    line.end();
    createStatusLine({ write }).show(() => 'a pipe');
    await delay(0);
    expect(written).to.deep.equal([]);
  });
});

describe('a report on a terminal', () => {
  it('has colours at the beginnings of its lines alone', () => {
    const text = 'fault    x\n         error  y\n         cure: z\nwarning  a\nok       b\ninfo     c\n';
    expect(coloured(text)).to.equal(
      '\u001b[31mfault\u001b[39m    x\n         error  y\n\u001b[1m         cure:\u001b[22m z\n\u001b[33mwarning\u001b[39m  a\n\u001b[32mok\u001b[39m       b\n\u001b[36minfo\u001b[39m     c\n',
    );
  });
});

describe('the cure of an error', () => {
  const postgres = (code: string): PostgresError => new PostgresError(errorFields(code, 'refused'));
  const migration = (code: string): MigrationError =>
    new MigrationError('The migration failed', { cause: Object.assign(new Error('x'), { code }) });
  afterEach(() => delete process.env['PGPASSWORD']);

  it('is that of its cause', () => {
    const start = 'start the server, or correct host and port of its address';
    expect(cureOf(new ConnectFailed('Connection refused', null))).to.equal(start);
    expect(cureOf(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).to.equal(start);
    expect(cureOf(postgres('3D000'))).to.equal('create the database, or correct its name in the address');
    expect(cureOf(postgres('28P01'))).to.equal('correct role and password of the address');
    expect(cureOf(new Error('x', { cause: new ConnectFailed('no', '28P01') }))).to.equal(
      'correct role and password of the address',
    );
    expect(cureOf(migration('42704'))).to.equal(
      'a role or another object is missing: run roles.sql as a superuser',
    );
    expect(cureOf(migration('42501'))).to.equal(
      'the role of migrate-db-uri runs migrations. For a schema that others own, run the roles.sql of `dbr init --existing --database ADDRESS` as a superuser',
    );
    expect(cureOf(migration('42601'))).to.equal(null);
    expect(cureOf(postgres('42501'))).to.equal(null);
    expect(cureOf('text')).to.equal(null);
  });

  it('names PGPASSWORD, which comes before a file', () => {
    process.env['PGPASSWORD'] = 'x';
    expect(cureOf(new ConnectFailed('fe_sendauth: no password supplied', null, true))).to.equal(
      'PGPASSWORD is set, and comes before the passwords of a file: unset it, or correct it',
    );
  });
});
