import { expect } from 'chai';
import {
  contextQuery,
  cookiesJson,
  headersJson,
  searchPathText,
  type TransactionContext,
} from '../../../../src/data-api/execute/transaction-context.js';

describe('the transaction context', () => {
  it('knows headers by lower-case names, the last line of each, without cookies', () => {
    const raw = [
      'X-A',
      '1',
      'Cookie',
      'c=1',
      'x-a',
      '2',
      '__proto__',
      'p',
      'X-U',
      Buffer.from('é').toString('latin1'),
    ];
    expect(headersJson(raw)).to.equal('{"x-a":"2","__proto__":"p","x-u":"é"}');
  });

  it('leaves the values of cookies alone', () => {
    expect(cookiesJson('a=1; b="2"; c=d=e;; f')).to.equal('{"a":"1","b":"\\"2\\"","c":"d=e","f":""}');
    expect(cookiesJson(undefined)).to.equal('{}');
  });

  it('quotes the search path', () => {
    expect(searchPathText(['api', 'a"b', 'x, y'])).to.equal('"api", "a""b", "x, y"');
  });

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
