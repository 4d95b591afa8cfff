import { expect } from 'chai';
import { DbrError, dbrError } from '../../../src/errors/dbr-error.js';
import { DBR_ERRORS, DbrErrorCodes } from '../../../generated/errors.js';

describe('dbrError', () => {
  it('takes code, status and texts from the table', () => {
    const error = dbrError('AuthMissing');
    expect(error).to.be.instanceOf(DbrError).and.instanceOf(Error);
    expect(error).to.include({ name: 'AuthMissing', code: 'DBR400', status: 401, details: null, hint: null });
    expect(error.message).to.equal('Missing authorization header');
    expect(error.headers).to.deep.equal({});
    expect(error.problems).to.equal(undefined);
  });

  it('fills holes with text and numbers', () => {
    expect(dbrError('UnsupportedMethod', { method: 'PURGE' }).message).to.equal(
      'Unsupported HTTP method: PURGE',
    );
    expect(dbrError('NotSingular', { rows: 0 }).details).to.equal('The result contains 0 rows');
  });

  it('cuts each text to 8192 characters, never within one', () => {
    const column = 'k'.repeat(20_000_000);
    const error = dbrError('ColumnNotFound', { column, relation: 'counter' });
    expect(error.message).to.equal(`Could not find the '${'k'.repeat(8192 - 20)}`);
    const whole = dbrError('UnsupportedMethod', { method: `${'k'.repeat(8191 - 25)}😀` });
    expect(whole.message).to.equal(`Unsupported HTTP method: ${'k'.repeat(8191 - 25)}`);
    const details = dbrError('RangeNotSatisfiable', {
      details: 'offsetBeyondTotal',
      offset: 9,
      total: '3'.repeat(9000),
    }).details;
    expect(details).to.be.a('string').with.length(8192);
  });

  it('uses the named variant', () => {
    expect(dbrError('RangeNotSatisfiable', { details: 'negativeLimit' }).details).to.equal(
      'Limit should be greater than or equal to zero.',
    );
    expect(
      dbrError('RangeNotSatisfiable', { details: 'offsetBeyondTotal', offset: 9, total: '3' }).details,
    ).to.equal('An offset of 9 was requested, but there are only 3 rows.');
  });

  it('uses the status of the named variant', () => {
    const accept = dbrError('UnacceptableMediaType', { message: 'accept', mediaTypes: 'image/png' });
    expect(accept).to.include({ code: 'DBR107', status: 406 });
    expect(accept.message).to.equal('None of these media types are available: image/png');
    const contentType = dbrError('UnacceptableMediaType', { message: 'contentType', mediaType: 'text/x' });
    expect(contentType).to.include({ code: 'DBR107', status: 415 });
    expect(contentType.message).to.equal('Content-Type not acceptable: text/x');
  });

  it('passes the value of a template with a single hole through unchanged', () => {
    const choices = [{ cardinality: 'many-to-one', embedding: 'a with b' }];
    const error = dbrError('AmbiguousRelationship', {
      parent: 'a',
      child: 'b',
      details: choices,
      choices: "'b!x'",
    });
    expect(error.details).to.equal(choices);
    expect(dbrError('DatabaseConnectionError', { details: null }).details).to.equal(null);
  });

  it('keeps braces and dollars of values', () => {
    expect(dbrError('UnsupportedMethod', { method: '{method}$&' }).message).to.equal(
      'Unsupported HTTP method: {method}$&',
    );
  });

  it('carries headers, problems and cause', () => {
    const cause = new Error('lower');
    const problems = [{ path: '/signingParties/0', code: 'unknown_party', message: 'Unknown party' }];
    const error = dbrError('SigningConfigInvalid', {}, { headers: { 'Retry-After': '1' }, problems, cause });
    expect(error.headers).to.deep.equal({ 'Retry-After': '1' });
    expect(error.problems).to.equal(problems);
    expect(error.cause).to.equal(cause);
  });

  it('refuses wrong holes at compile time', () => {
    const neverCalled = (): void => {
      // @ts-expect-error the hole `method` is missing
      dbrError('UnsupportedMethod');
      // @ts-expect-error there is no such variant
      dbrError('RangeNotSatisfiable', { details: 'sideways' });
      // @ts-expect-error this variant needs its holes
      dbrError('RangeNotSatisfiable', { details: 'offsetBeyondTotal' });
      // @ts-expect-error there is no such error
      dbrError('Nonsense');
      // @ts-expect-error this error has no holes
      dbrError('AuthMissing', { method: 'GET' });
    };
    expect(neverCalled).to.be.a('function');
  });

  it('has the same names in the table and in the enum', () => {
    expect(Object.keys(DbrErrorCodes)).to.deep.equal(Object.keys(DBR_ERRORS));
    for (const [name, code] of Object.entries(DbrErrorCodes)) {
      expect(Object.entries(DBR_ERRORS).find(([entry]) => entry === name)?.[1].code).to.equal(code);
    }
  });
});
