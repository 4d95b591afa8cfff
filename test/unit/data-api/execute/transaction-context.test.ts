import { expect } from 'chai';
import { createCallerContexts } from '../../../../src/data-api/prepare/caller.js';
import {
  contextQuery,
  inOrder,
  queriesOf,
  type TransactionContext,
} from '../../../../src/data-api/execute/transaction.js';
import { preparePlan } from '../../../../src/data-api/prepare/prepared-plan.js';
import { firstRun, prepare } from '../../../../src/postgres/batch.js';
import { encodeParameters } from '../../../../src/postgres/frontend.js';
import { quoteLiteral, sql } from '../../../../src/postgres/sql.js';
import { planOf } from '../../../support/data-api/planned.js';

const identity = (role: string) => ({ role, claims: '{"sub":"é"}', authenticated: true });

describe('the transaction context', () => {
  const callers = createCallerContexts(new Map([['api', '"api"']]), () => [['statement_timeout', '1s']]);

  it('has one statement for all requests with the same number of settings', () => {
    const context: TransactionContext = {
      caller: callers.of(identity('reader'), 'api'),
      method: 'GET',
      path: '/films',
      headers: [],
      cookie: undefined,
      moreSettings: [['timezone', 'UTC']],
      readOnly: true,
    };
    const query = contextQuery(context);
    expect(query.encoded).to.deep.equal(
      encodeParameters(['"api"', 'statement_timeout', '1s', 'reader', '{"sub":"é"}']),
    );
    expect(query.parameters).to.deep.equal(['GET', '/films', '{}', '{}', 'timezone', 'UTC']);
    const other = { ...context, caller: callers.of(identity('other'), 'api') };
    expect(contextQuery(other).statement).to.equal(query.statement);
    expect(contextQuery({ ...context, readOnly: false }).statement).not.to.equal(query.statement);
  });

  it('is followed by statements that connections keep, unless they have more than 8192 characters', () => {
    const plan = planOf('GET /films');
    if (plan.kind !== 'read') throw new Error('a read is planned');
    const prepared = preparePlan(plan, 'reader', { get: () => undefined });
    const isKept = (characters: number, named = true, traceparent: string | null = null): boolean => {
      const statement = prepare(sql`${quoteLiteral('x'.repeat(characters - 2))}`);
      const queries = queriesOf({
        prepared: { ...prepared, main: { statement, parameters: [] } },
        lastRun: firstRun(),
        bindings: { values: [], payload: null, digests: [], unmodifiedBefore: null },
        named,
        context: {
          caller: callers.of(identity('reader'), 'api'),
          method: 'GET',
          path: '/films',
          headers: [],
          cookie: undefined,
          moreSettings: [],
          readOnly: true,
        },
        preRequest: null,
        isolation: 'read committed',
        end: 'commit',
        traceparent,
      });
      expect(inOrder(queries)).to.deep.equal([queries.context, queries.main]);
      return queries.main.unnamed === false;
    };
    expect([isKept(8192), isKept(8193)]).to.deep.equal([true, false]);
    expect([
      isKept(100, false),
      isKept(100, true, `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`),
    ]).to.deep.equal([false, false]);
  });

  it('is encoded once for each token and schema', () => {
    const reader = identity('reader');
    expect(callers.of(reader, 'api')).to.equal(callers.of(reader, 'api'));
    expect(callers.of(reader, 'api')).not.to.equal(callers.of(reader, 'other'));
    expect(callers.of(reader, 'api')).not.to.equal(callers.of(identity('reader'), 'api'));
  });

  it('has its shared parameters in the form of a Bind message, lengths in bytes', () => {
    const { count, bytes } = encodeParameters(['', 'é']);
    expect(count).to.equal(2);
    expect([...bytes]).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 2, 0xc3, 0xa9]);
  });
});
