import { expect } from 'chai';
import {
  callerOf,
  claimFailure,
  claimQueries,
  keepQueries,
  keptIn,
  readIdempotencyKey,
  sizeOf,
  storedRequest,
} from '../../../../src/data-api/batch/idempotency.js';
import { bodyText } from '../../../../src/postgres/batch.js';
import { refusalSql } from '../../../../src/data-api/sql/refusal.js';
import { errorFields, PostgresError } from '../../../../src/postgres/postgres-error.js';
import { sql } from '../../../../src/postgres/sql.js';
import { readHeaders, type Request } from '../../../../src/contract/request.js';

const SETTINGS: Parameters<typeof readIdempotencyKey>[2] = {
  'db-idempotency-claims': [],
  'db-idempotency-headers': ['X-Shop'],
};

interface Given {
  readonly claims?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly query?: string;
}

const requestOf = ({ claims = '{"role":"a"}', headers = {}, body = '{}', query = '' }: Given): Request => ({
  method: 'POST',
  path: '/films',
  query,
  carries: 'content',
  headers: readHeaders('POST', headers),
  rawHeaders: [],
  identity: { role: 'web', claims, authenticated: true },
  timings: null,
  trace: null,
  caller: { client: 'k', signal: null },
  charge: null,
  body: Buffer.from(body),
});

const keyOf = (written: string, given: Given = {}, settings = SETTINGS) =>
  readIdempotencyKey(written, requestOf(given), settings);

describe('the key of a request', () => {
  it('is a string of structured fields, or its content alone', () => {
    const { key } = keyOf('"a-1"');
    expect(keyOf(' a-1 ').key).to.deep.equal(key);
    expect(keyOf('"a-2"').key).not.to.deep.equal(key);
    expect(keyOf('"a\\"1"').key).to.deep.equal(keyOf('"a\\"1"').key);
    for (const written of ['', '""', '"a', 'a b', 'a"b', `"${'a'.repeat(256)}"`, 'a'.repeat(256), '"a\\n"'])
      expect(() => keyOf(written), written)
        .to.throw()
        .with.property('name', 'InvalidIdempotencyKey');
    expect(keyOf('a'.repeat(255)).key).to.have.length(32);
  });

  it('belongs to the claims that stay when a token is renewed, in any order', () => {
    const { key } = keyOf('a', { claims: '{"sub":"1","exp":1,"n":{"b":1,"a":2}}' });
    expect(keyOf('a', { claims: '{"n":{"a":2,"b":1},"jti":"x","sub":"1","iat":5}' }).key).to.deep.equal(key);
    for (const claims of ['{"sub":"2","n":{"b":1,"a":2}}', '{"sub":"1"}', '{"sub":"1","n":{"b":1,"a":2.0}}'])
      expect(keyOf('a', { claims }).key, claims).not.to.deep.equal(key);
  });

  it('shares its caller with what waits for a person: the role, and the claims with their digits', () => {
    const caller = (claims: string, role = 'web'): string =>
      callerOf({ role, claims, authenticated: true }).digest;
    const tenant = '{"tenantId":9007199254740993,"sub":"1","exp":1}';
    expect(caller(tenant)).to.match(/^\\x[0-9a-f]{64}$/);
    expect(caller('{"exp":2,"sub":"1","tenantId":9007199254740993}')).to.equal(caller(tenant));
    for (const other of [tenant.replace('93', '92'), tenant.replace('"1"', '"2"')])
      expect(caller(other), other).to.not.equal(caller(tenant));
    expect(caller(tenant, 'other')).to.not.equal(caller(tenant));
  });

  it('belongs to the claims of the setting alone, if it names some', () => {
    const named = { ...SETTINGS, 'db-idempotency-claims': ['sub'] };
    const { key } = keyOf('a', { claims: '{"sub":"1","other":1}' }, named);
    expect(keyOf('a', { claims: '{"sub":"1","other":2}' }, named).key).to.deep.equal(key);
    expect(keyOf('a', { claims: '{"sub":"2","other":1}' }, named).key).not.to.deep.equal(key);
  });

  it('comes with the digest of the request: its query, body and the headers that decide', () => {
    const { request } = keyOf('a');
    expect(keyOf('b', { headers: { cookie: 'c' } }).request).to.deep.equal(request);
    for (const given of [
      { query: 'a' },
      { body: '[]' },
      { headers: { prefer: 'x' } },
      { headers: { 'x-shop': '1' } },
    ])
      expect(keyOf('a', given).request, JSON.stringify(given)).not.to.deep.equal(request);
    expect(storedRequest(keyOf('a'), ['r'])).to.have.length(32);
    expect(storedRequest(keyOf('a'), ['r'])).not.to.deep.equal(storedRequest(keyOf('a'), ['r', 'r']));
  });

  it('comes with the user of the claims, as far as they are texts', () => {
    expect(keyOf('a', { claims: '{"tenantId":"t","sub":"u"}' }).user).to.deep.equal(['t', 'u']);
    expect(keyOf('a', { claims: '{"tenantId":5,"sub":"a\\u0000"}' }).user).to.deep.equal([null, null]);
    expect(keyOf('a', { claims: '{"sub":"u","sub":"v"}' }).user).to.deep.equal([null, 'v']);
  });
});

describe('the answer to a request with a key', () => {
  const key = keyOf('a', { claims: '{"tenantId":"t","sub":"u"}' });

  it('is kept by the role of the answers, and the role of the request returns', () => {
    const reply = { status: 201, headers: [['A', 'b']] as const, body: [Buffer.from('o'), Buffer.from('k')] };
    const queries = keepQueries(key, reply, ['first', 'last'], 60);
    expect(queries.map(({ returnsRows }) => returnsRows)).to.deep.equal([false, false, false, false]);
    const [, , keep, role] = queries.map(({ parameters }) => parameters);
    expect(keep?.slice(1)).to.deep.equal([
      `\\x${storedRequest(key, ['first', 'last']).toString('hex')}`,
      '201',
      '[["A","b"]]',
      '\\x6f6b',
      '60',
      't',
      'u',
    ]);
    expect(role).to.deep.equal(['last']);
    expect(keepQueries(key, { ...reply, body: null }, ['r'], 1)[2]?.parameters[4]).to.equal(null);
    expect(sizeOf(reply)).to.equal(512 + 11 + 2);
    expect(sizeOf({ ...reply, body: null })).to.equal(512 + 11);
  });

  it('is not kept if it is too long', () => {
    const reply = (length: number) => ({ status: 200, headers: [], body: [Buffer.alloc(length)] });
    expect(keepQueries(key, reply(1_048_576), ['r'], 1)).to.have.length(4);
    expect(() => keepQueries(key, reply(1_048_577), ['r'], 1))
      .to.throw()
      .with.property('name', 'AnswerNotKept');
  });

  it('is claimed by its digest, and refused without room', () => {
    expect(claimQueries(key, false)).to.have.length(4);
    const full = claimQueries(key, true);
    expect(full).to.have.length(5);
    expect(full[1]?.parameters).to.deep.equal([String(key.key.readBigInt64BE(0))]);
    expect(full[3]?.parameters).to.deep.equal(['2']);
  });

  it('is read from its row', () => {
    const body = [Buffer.from(Buffer.from('{"a":1}').toString('base64'))];
    const columns = ['201', '[["A","b"],["C"],5]', 'false', 'ff'];
    expect(keptIn({ columns, body, bodyLength: 12 })).to.deep.equal({
      reply: { status: 201, headers: [['A', 'b']], body: [Buffer.from('{"a":1}')] },
      request: 'ff',
    });
    expect(keptIn({ columns: ['204', '[]', 'true', 'ff'], body: null, bodyLength: 0 }).reply.body).to.equal(
      null,
    );
    expect(bodyText({ columns: [], body: [Buffer.from('we'), Buffer.from('b')], bodyLength: 3 })).to.equal(
      'web',
    );
    expect(bodyText(undefined)).to.equal('');
  });

  it('fails for reasons that the error shows', () => {
    const mark = /dbr-refused-\w+/.exec(refusalSql('idempotency', sql`1`))?.[0] ?? '';
    const refused = (number: number) =>
      claimFailure(new PostgresError(errorFields('22P02', `"${mark} idempotency ${String(number)}"`)));
    expect([1, 2].map(refused)).to.deep.equal(['claimed', 'full']);
    const at = (code: string, schema: string, table: string) =>
      claimFailure(new PostgresError({ ...errorFields(code, 'm'), schema, table }));
    expect(at('23505', 'dbr_requests', 'idempotent')).to.equal('claimed');
    expect(at('23505', 'dbr_requests', 'other')).to.equal(null);
    expect(at('23505', 'public', 'idempotent')).to.equal(null);
    expect(at('23503', 'dbr_requests', 'idempotent')).to.equal(null);
    expect(at('42P01', '', '')).to.equal('not ready');
  });
});
