import { expect } from 'chai';
import {
  contextQuery,
  type TransactionContext,
} from '../../../../src/data-api/execute/transaction-context.js';

describe('the transaction context', () => {
  it('is one statement for all requests with as many settings', () => {
    const context: TransactionContext = {
      searchPath: '"api"',
      roleSettings: [['statement_timeout', '1s']],
      role: 'reader',
      claims: '{}',
      method: 'GET',
      path: '/films',
      headers: '{}',
      cookies: '{}',
      moreSettings: [['timezone', 'UTC']],
      readOnly: true,
    };
    const query = contextQuery(context);
    expect(query.parameters).to.deep.equal([
      '"api"',
      'statement_timeout',
      '1s',
      'reader',
      '{}',
      'GET',
      '/films',
      '{}',
      '{}',
      'timezone',
      'UTC',
    ]);
    expect(contextQuery({ ...context, role: 'other' }).statement).to.equal(query.statement);
    expect(contextQuery({ ...context, readOnly: false }).statement).not.to.equal(query.statement);
  });
});
