import { expect } from 'chai';
import { createCallerContexts } from '../../../../src/data-api/prepare/caller.js';
import { contextQuery, type TransactionContext } from '../../../../src/data-api/execute/transaction.js';
import { encodeParameters } from '../../../../src/postgres/encode-batch.js';

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
