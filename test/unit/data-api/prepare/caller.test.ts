import { expect } from 'chai';
import { lruCache } from '../../../../src/base/lru-cache.js';
import {
  createCallerContexts,
  isRoleRefusal,
  preRequestQuery,
  roleCheck,
} from '../../../../src/data-api/prepare/caller.js';
import { encodeParameters } from '../../../../src/postgres/frontend.js';
import { PostgresError } from '../../../../src/postgres/postgres-error.js';
import { prepare, type Statement } from '../../../../src/postgres/batch.js';
import { sql } from '../../../../src/postgres/sql.js';

const FIELDS = {
  code: '22P02',
  message: 'invalid input syntax for type integer',
  detail: null,
  hint: null,
  schema: null,
  table: null,
  column: null,
  constraint: null,
  routine: null,
  context: null,
};

describe('the context of a caller', () => {
  const identity = { role: 'editor', claims: '{"role":"editor"}', authenticated: true };
  const paths = new Map([['api', '"api", "public"']]);

  it('has the search path, the settings of the role, then role and claims', () => {
    const contexts = createCallerContexts(paths, (role) => [['statement_timeout', `${role} 5s`]]);
    expect(contexts.of(identity, 'api')).to.deep.equal({
      role: 'editor',
      roleSettings: 1,
      encoded: encodeParameters([
        '"api", "public"',
        'statement_timeout',
        'editor 5s',
        'editor',
        '{"role":"editor"}',
      ]),
    });
    expect(contexts.of(identity, 'unknown').encoded).to.deep.equal(
      encodeParameters(['', 'statement_timeout', 'editor 5s', 'editor', '{"role":"editor"}']),
    );
  });

  it('is encoded once for each identity and schema', () => {
    const contexts = createCallerContexts(paths, () => []);
    expect(contexts.of(identity, 'api')).to.equal(contexts.of(identity, 'api'));
    expect(contexts.of(identity, 'api')).not.to.equal(contexts.of(identity, 'other'));
    expect(contexts.of(identity, 'api')).not.to.equal(contexts.of({ ...identity }, 'api'));
  });
});

describe('the function before each request', () => {
  const statements = lruCache<Statement>({ maxEntries: 10, maxBytes: 10_000, bytesOf: () => 1 });
  const query = (role: string, schema: string, name = 'api.check') =>
    preRequestQuery(name, role, schema, statements);

  it('has a statement for each role and schema', () => {
    expect(query('a', 'b').statement.text).to.equal('select "api"."check"()');
    expect(query('a', 'b').statement).to.equal(query('a', 'b').statement);
    expect(query('a', 'c').statement).not.to.equal(query('a', 'b').statement);
    expect(query('c', 'b').statement).not.to.equal(query('a', 'b').statement);
    expect(query('d', 'b', 'check').statement.text).to.equal('select "check"()');
    expect(query('a', 'b')).to.deep.include({ parameters: [], returnsRows: false });
  });

  it('is followed by a check of the role, which has an error of its own', () => {
    const check = roleCheck('editor');
    expect(check).to.deep.include({ parameters: ['editor'], returnsRows: false });
    const other = { statement: prepare(sql`select 1`), parameters: [], returnsRows: true };
    const failure = (query: number | null, code = '22P02') => new PostgresError({ ...FIELDS, code }, query);
    expect(isRoleRefusal(failure(0), [check, other])).to.equal(true);
    expect(isRoleRefusal(failure(1), [check, other])).to.equal(false);
    expect(isRoleRefusal(failure(null), [check, other])).to.equal(false);
    expect(isRoleRefusal(failure(0, '22003'), [check, other])).to.equal(false);
    expect(isRoleRefusal(failure(5), [check, other])).to.equal(false);
    expect(isRoleRefusal(new Error('x'), [check])).to.equal(false);
  });
});
