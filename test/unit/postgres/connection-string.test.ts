import { expect } from 'chai';
import fc from 'fast-check';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PeerCertificate } from 'node:tls';
import { ignoredParameters, readConnectionString } from '../../../src/postgres/connection-string.js';
import { InvalidConnectionString } from '../../../src/postgres/invalid-connection-string.js';

const NOTHING = { enableChannelBinding: true, ssl: false } as const;
const SECRET = 'hunter2';

function refusal(text: string, environment = {}): string {
  try {
    readConnectionString(text, environment);
  } catch (error) {
    if (error instanceof InvalidConnectionString) return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

describe('readConnectionString', () => {
  for (const [text, settings] of [
    ['', {}],
    ['postgresql://', {}],
    ['postgres://', {}],
    ['postgresql:///films', { database: 'films' }],
    ['postgresql://db.example', { host: 'db.example' }],
    ['postgresql://db.example:5433/', { host: 'db.example', port: 5433 }],
    ['postgresql://web@/films', { user: 'web', database: 'films' }],
    [
      'postgresql://web:p%40ss%3A%2F%25@db.example:5433/my%2Ffilms%20x',
      { user: 'web', password: 'p@ss:/%', host: 'db.example', port: 5433, database: 'my/films x' },
    ],
    ['postgresql://[2001:db8::1]:5433/films', { host: '2001:db8::1', port: 5433, database: 'films' }],
    ['postgresql://%2Fvar%2Frun%2Fpostgresql/films', { host: '/var/run/postgresql', database: 'films' }],
    [
      'postgresql:///films?host=/var/run/postgresql&port=5433&user=web',
      { host: '/var/run/postgresql', port: 5433, user: 'web', database: 'films' },
    ],
    ['postgresql://a/films?host=b&dbname=c', { host: 'b', database: 'c' }],
    [
      'postgresql://a?application_name=my%20app&options=-c%20geqo%3Doff&connect_timeout=3',
      { host: 'a', application_name: 'my app', options: '-c geqo=off', connectionTimeoutMillis: 3000 },
    ],
    ['postgresql://a?connect_timeout=0', { host: 'a' }],
    [
      'postgresql://a?target_session_attrs=any&channel_binding=disable',
      { host: 'a', enableChannelBinding: false },
    ],
    [
      'postgresql://db.example?hostaddr=10.0.0.1&fallback_application_name=x&keepalives=1&client_encoding=UTF8',
      { host: '10.0.0.1', application_name: 'x' },
    ],
    [
      'postgresql://a?keepalives=1&keepalives_idle=30&keepalives_interval=10&keepalives_count=5&tcp_user_timeout=9',
      { host: 'a', keepAliveInitialDelayMillis: 30_000 },
    ],
    ['postgresql://a?password=a=b', { host: 'a', password: 'a=b' }],
    [
      '  host=a  port = 5433 user=web dbname=films ',
      { host: 'a', port: 5433, user: 'web', database: 'films' },
    ],
    ['host=/tmp dbname=films', { host: '/tmp', database: 'films' }],
    ['hostaddr=10.0.0.1', { host: '10.0.0.1' }],
    [`user='o''brien' password=x`.replace(`''`, `\\'`), { user: `o'brien`, password: 'x' }],
    [`password='a b\\\\c' user=a\\ b`, { password: 'a b\\c', user: 'a b' }],
    [`password='' user=web`, { user: 'web' }],
  ] as const) {
    it(`reads ${text === '' ? 'nothing' : text}`, () => {
      expect(readConnectionString(text, {})).to.deep.equal({ ...NOTHING, ...settings });
    });
  }

  it('reads any password, percent-encoded or quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
        const quoted = password.replaceAll(/[\\']/g, '\\$&');
        for (const text of [
          `postgresql://web:${encodeURIComponent(password)}@db.example/films`,
          `host=db.example user=web dbname=films password='${quoted}'`,
        ])
          expect(readConnectionString(text, {})).to.deep.equal({
            ...NOTHING,
            host: 'db.example',
            user: 'web',
            database: 'films',
            password,
          });
      }),
    );
  });

  for (const [text, message] of [
    [
      `postgresql://web:${SECRET}@a:1,b:2,c/films?port=1,2`,
      'the connection string has as many values of port as hosts, or one',
    ],
    [
      `host=a,b hostaddr=10.0.0.1 password=${SECRET}`,
      'the connection string has as many values of hostaddr as hosts, or none',
    ],
    [
      `postgresql://web:${SECRET}@a:1,b:99999/films`,
      'port in the connection string is not a number up to 65535',
    ],
    [
      `postgresql://web:${SECRET}@a:b:c/films`,
      'the connection string is not a valid URI; special characters in it must be percent-encoded',
    ],
    [
      `postgresql://web:${SECRET}@x@a/films`,
      'the connection string is not a valid URI; special characters in it must be percent-encoded',
    ],
    [`postgresql://web:${SECRET}%zz@a`, 'the connection string is not percent-encoded as a URI must be'],
    [
      `mysql://web:${SECRET}@a/films`,
      'the connection string is neither postgresql://… nor a list of keyword=value',
    ],
    [SECRET, 'the connection string is neither postgresql://… nor a list of keyword=value'],
    [`host=a ${SECRET}`, 'the connection string is neither postgresql://… nor a list of keyword=value'],
    [`password='${SECRET}`, 'the connection string is neither postgresql://… nor a list of keyword=value'],
    [`host=a port=${SECRET}`, 'port in the connection string is not a number up to 65535'],
    ['postgresql://a:65536', 'port in the connection string is not a number up to 65535'],
    [
      `postgresql://a?connect_timeout=${SECRET}`,
      'connect_timeout in the connection string is not a number up to 1000000',
    ],
    [
      `postgresql://a?sslmode=${SECRET}`,
      'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full',
    ],
    [
      `postgresql://a?sslmod=require&password=${SECRET}`,
      'the connection string has an unknown parameter sslmod; did you mean sslmode?',
    ],
    [`host=a password=a zqxjkvbw=${SECRET}`, 'the connection string has an unknown parameter'],
    [
      'postgresql://a?target_session_attrs=master',
      'target_session_attrs must be one of any, read-write, read-only, primary, standby, prefer-standby',
    ],
    ['postgresql://a?load_balance_hosts=yes', 'load_balance_hosts must be one of disable, random'],
    [
      'postgresql://a?channel_binding=require',
      'channel_binding=require needs TLS: set sslmode to require, verify-ca or verify-full',
    ],
    [`postgresql://u:p@a?pgbouncer=true`, 'the connection string has an unknown parameter pgbouncer'],
    ['postgresql://u:1?hunter=2@a/b', 'the connection string has an unknown parameter'],
    ['postgresql://a?channel_binding=yes', 'channel_binding must be one of prefer, disable, require'],
    ['postgresql://a?gssencmode=require', 'gssencmode in the connection string is not supported'],
    ['postgresql://a?require_auth=none', 'require_auth in the connection string is not supported'],
    [
      'postgresql://a?sslmode=require&ssl_min_protocol_version=2',
      'ssl_min_protocol_version must be one of TLSv1, TLSv1.1, TLSv1.2, TLSv1.3',
    ],
    [
      `service=${SECRET} servicefile=/nowhere`,
      'service files (service, servicefile, PGSERVICE) have ended: write the parameters into the connection string; "Ended" in CHANGELOG.md says more',
    ],
    ['postgresql://a?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert'],
    [
      'postgresql://a?sslmode=require&sslkey=/nowhere/client.key',
      'the file that sslkey names cannot be read (ENOENT)',
    ],
  ] as const) {
    it(`refuses ${text.replace(SECRET, '…')}, repeating none of it`, () => {
      const error = refusal(text);
      expect(error).to.equal(message);
      expect(error).not.to.contain(SECRET);
    });
  }

  /** The servers that are tried, and how they are chosen. */
  function choiceOf(text: string, environment = {}): string | null {
    const { hostChoice } = readConnectionString(text, environment);
    if (hostChoice === undefined) return null;
    const { hosts, target, random } = hostChoice;
    const names = hosts.map(
      ({ host, port, encryption }) =>
        `${host ?? '-'}:${String(port ?? '-')} ${encryption === false ? 'open' : 'tls'}`,
    );
    return `${names.join(', ')}; ${target}${random ? ', random' : ''}`;
  }

  for (const [text, choice] of [
    ['postgresql://a', null],
    ['postgresql://a?sslmode=require', null],
    ['postgresql://a?load_balance_hosts=random', null],
    ['postgresql://a,b/films', 'a:- open, b:- open; any'],
    ['postgresql://web:p@a:1,b:2/films', 'a:1 open, b:2 open; any'],
    ['postgresql://a:1,[2001:db8::1]:2,c/films', 'a:1 open, 2001:db8::1:2 open, c:- open; any'],
    ['postgresql:///films?host=a,b&port=1,2', 'a:1 open, b:2 open; any'],
    ['postgresql://a,b/films?port=6000', 'a:6000 open, b:6000 open; any'],
    ['host=a,b,c port=1,,3', 'a:1 open, b:- open, c:3 open; any'],
    ['hostaddr=10.0.0.1,10.0.0.2', '10.0.0.1:- open, 10.0.0.2:- open; any'],
    ['host=a,b hostaddr=10.0.0.1, sslmode=require', '10.0.0.1:- tls, b:- tls; any'],
    ['host=,b', '-:- open, b:- open; any'],
    ['postgresql://a?target_session_attrs=read-write', 'a:- open; read-write'],
    [
      'host=a,b target_session_attrs=prefer-standby load_balance_hosts=random',
      'a:- open, b:- open; prefer-standby, random',
    ],
    ['postgresql://a?sslmode=prefer', null],
    ['postgresql://a,b?sslmode=allow', 'a:- tls, b:- tls; any'],
    ['host=/tmp,a sslmode=require', '/tmp:- open, a:- tls; any'],
  ] as const) {
    it(`finds the servers of ${text}`, () => {
      expect(choiceOf(text)).to.equal(choice);
    });
  }

  it('takes several servers from the environment', () => {
    expect(
      choiceOf('', {
        PGHOST: 'a,b',
        PGPORT: '1,2',
        PGTARGETSESSIONATTRS: 'primary',
        PGLOADBALANCEHOSTS: 'random',
      }),
    ).to.equal('a:1 open, b:2 open; primary, random');
    expect(choiceOf('', { PGHOST: 'a', PGPORT: '1' })).to.equal(null);
  });

  it('finds the password of each server in the password file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dbr-passfile-'));
    const file = join(folder, '.pgpass');
    writeFileSync(
      file,
      '# ours\na:5432:films:web:one\nb:5433:*:web:two\\:\\\\\nlocalhost:*:*:*:socket\n*:*:films:*:any\n',
      { mode: 0o600 },
    );
    const passwords = (text: string, environment = {}) =>
      readConnectionString(text, { HOME: '/nowhere', ...environment }).hostChoice?.hosts.map(
        ({ password }) => password,
      );
    const hosts = 'host=a,b,/tmp,c port=5432,5433,5432,1 dbname=films user=web';
    const found = ['one', 'two:\\', 'socket', 'any'];
    expect(passwords(`${hosts} passfile=${file}`)).to.deep.equal(found);
    expect(passwords(hosts, { PGPASSFILE: file })).to.deep.equal(found);
    expect(passwords(hosts, { HOME: folder })).to.deep.equal(found);
    expect(passwords(`${hosts} password=x`, { HOME: folder })).to.deep.equal(['x', 'x', 'x', 'x']);
    expect(passwords(hosts, { HOME: folder, PGPASSWORD: 'x' })).to.deep.equal([null, null, null, null]);
    expect(passwords('host=a,c dbname=other user=web', { HOME: folder })).to.deep.equal([null, null]);
    expect(readConnectionString('host=b port=5433 user=web', { HOME: folder }).password).to.equal('two:\\');
    chmodSync(file, 0o640);
    expect(passwords(hosts, { HOME: folder })).to.deep.equal([null, null, null, null]);
    rmSync(folder, { recursive: true });
  });

  it('takes the name of the application from the environment', () => {
    expect(readConnectionString('host=a', { PGAPPNAME: 'mine' }).application_name).to.equal('mine');
    expect(readConnectionString('host=a application_name=b', { PGAPPNAME: 'c' }).application_name).to.equal(
      'b',
    );
  });

  it('refuses a service that the environment names', () => {
    expect(() => readConnectionString('host=a', { PGSERVICE: 'films' })).to.throw('service files');
    expect(readConnectionString('host=a', { PGSERVICE: '', PGSERVICEFILE: '/x' })).to.deep.equal({
      ...NOTHING,
      host: 'a',
    });
  });

  it('names the parameters that change nothing', () => {
    for (const [text, names] of [
      ['', []],
      ['postgresql://a?sslmode=require&keepalives_idle=3', []],
      ['postgresql://a?keepalives=no&tcp_user_timeout=9', ['keepalives', 'tcp_user_timeout']],
      ['host=a client_encoding=latin1 port=1', ['client_encoding']],
      ['not a connection string', []],
    ] as const)
      expect(ignoredParameters(text), text).to.deep.equal(names);
  });

  it('leaves TLS to the server with sslmode=prefer and sslmode=allow alone', () => {
    const isOptional = (query: string): boolean =>
      readConnectionString(`postgresql://a?${query}`, {}).isTlsOptional === true;
    for (const mode of ['prefer', 'allow']) {
      expect(isOptional(`sslmode=${mode}`)).to.equal(true);
      expect(isOptional(`sslmode=${mode}&channel_binding=require`)).to.equal(false);
    }
    for (const mode of ['disable', 'require', 'verify-full'])
      expect(isOptional(`sslmode=${mode}`)).to.equal(false);
  });

  describe('with TLS', () => {
    let folder: string;
    let authority: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'dbr-authority-'));
      authority = join(folder, 'root.crt');
      writeFileSync(authority, 'PEM');
    });
    after(() => rmSync(folder, { recursive: true }));

    const tls = (query: string, environment = {}) => {
      const { ssl } = readConnectionString(`postgresql://a?${query}`, environment);
      if (ssl === false) return 'open';
      const { rejectUnauthorized, checkServerIdentity, ca } = ssl;
      if (!rejectUnauthorized) return 'unverified';
      const certificate = { subject: { CN: 'b' }, subjectaltname: 'DNS:b' } as PeerCertificate;
      const isNameChecked = checkServerIdentity?.('b', certificate) !== undefined;
      return `${isNameChecked ? 'name' : 'chain'} by ${ca === undefined ? 'public' : 'own'}`;
    };

    it('verifies certificates according to sslmode', () => {
      expect(tls('')).to.equal('open');
      expect(tls('sslmode=disable')).to.equal('open');
      expect(tls('sslmode=allow')).to.equal('unverified');
      expect(tls('sslmode=prefer')).to.equal('unverified');
      expect(tls('sslmode=require')).to.equal('unverified');
      expect(tls('ssl=true')).to.equal('unverified');
      expect(tls(`sslmode=require&sslrootcert=${authority}`)).to.equal('chain by own');
      expect(tls(`sslmode=verify-ca&sslrootcert=${authority}`)).to.equal('chain by own');
      expect(tls('sslmode=verify-full')).to.equal('name by public');
      expect(tls('sslmode=verify-full&sslrootcert=system')).to.equal('name by public');
      expect(tls(`sslmode=verify-full&sslrootcert=${authority}`)).to.equal('name by own');
    });

    it('reads options that the string lacks from the environment', () => {
      const environment = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: authority };
      expect(tls('', environment)).to.equal('name by own');
      expect(tls('sslmode=disable', environment)).to.equal('open');
    });

    it('reads the client certificate and its key', () => {
      const { ssl } = readConnectionString(
        `host=a sslmode=require sslcert=${authority} sslkey=${authority}`,
        {},
      );
      expect(ssl).to.deep.equal({ rejectUnauthorized: false, cert: 'PEM', key: 'PEM' });
      const more = readConnectionString(
        'host=a sslmode=require sslpassword=x ssl_min_protocol_version=TLSv1.2 ssl_max_protocol_version=TLSv1.3',
        {},
      );
      expect(more.ssl).to.deep.equal({
        rejectUnauthorized: false,
        passphrase: 'x',
        minVersion: 'TLSv1.2',
        maxVersion: 'TLSv1.3',
      });
    });
  });
});
