import { expect } from 'chai';
import { errorsModule, holesOf, readErrorTable, statusesOf } from '../../../codegen/errors.js';
import type { JsonObject } from '../../../codegen/json.js';

const groups = { '1': { name: 'request', description: 'Requests.' } };
const entry = {
  name: 'Odd',
  status: 400,
  message: 'Odd',
  details: null,
  hint: null,
  meaning: 'Odd.',
  remedy: 'None.',
};
const table = (codes: JsonObject): JsonObject => ({ groups, codes });
const typeOf = (texts: JsonObject): string =>
  /Odd: (.*);\n\}/.exec(errorsModule(readErrorTable(table({ DBR100: { ...entry, ...texts } }))))?.[1] ?? '';

describe('the error table', () => {
  it('gives each hole the type of its use', () => {
    expect(typeOf({})).to.equal('Record<string, never>');
    expect(typeOf({ message: 'No {thing}' })).to.equal('{ thing: string | number }');
    expect(typeOf({ message: '{text}', details: '{details}', hint: '{hint}' })).to.equal(
      '{ text: string; details: JsonValue; hint: string | null }',
    );
    expect(typeOf({ message: '{text} is {text}' })).to.equal('{ text: string | number }');
  });

  it('makes a union with one member for each combination of variants', () => {
    expect(typeOf({ details: { low: 'Below {limit}', none: null } })).to.equal(
      "{ details: 'low'; limit: string | number } | { details: 'none' }",
    );
    expect(typeOf({ details: { a: 'A', b: 'B' }, hint: { c: 'C' } })).to.equal(
      "{ details: 'a'; hint: 'c' } | { details: 'b'; hint: 'c' }",
    );
  });

  it('finds each hole once', () => {
    expect(holesOf('{a} and {b} and {a}')).to.deep.equal(['a', 'b']);
    expect(holesOf(null)).to.deep.equal([]);
  });

  it('accepts a status for each variant of the message', () => {
    const status = { accept: 406, contentType: 415 };
    const read = readErrorTable(
      table({ DBR100: { ...entry, status, message: { accept: 'A', contentType: 'B' } } }),
    );
    expect(read.entries.map(statusesOf)).to.deep.equal([[406, 415]]);
    expect(errorsModule(read)).to.contain('status: { accept: 406, contentType: 415 },');
  });

  const refused: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['a malformed code', table({ DBR1: entry }), /DBR1: not of the form/],
    ['a code of no group', table({ DBR900: entry }), /DBR900 belongs to no group/],
    ['a name used twice', table({ DBR100: entry, DBR101: entry }), /the name Odd is used twice/],
    ['a name that is not PascalCase', table({ DBR100: { ...entry, name: 'odd' } }), /not PascalCase/],
    [
      'a status that is no error',
      table({ DBR100: { ...entry, status: 200 } }),
      /200 is not the status of an error/,
    ],
    [
      'statuses for other variants than the message has',
      table({ DBR100: { ...entry, status: { a: 400 }, message: { b: 'B' } } }),
      /status and message have different variants/,
    ],
    [
      'statuses for a message without variants',
      table({ DBR100: { ...entry, status: { a: 400 } } }),
      /status and message have different variants/,
    ],
    ['an unknown member', table({ DBR100: { ...entry, detail: 'x' } }), /unknown member detail/],
    ['a null message', table({ DBR100: { ...entry, message: null } }), /a message is never null/],
    ['an empty map of variants', table({ DBR100: { ...entry, details: {} } }), /no variant/],
    [
      'a hole named like a field with variants',
      table({ DBR100: { ...entry, message: 'See {details}', details: { a: 'A' } } }),
      /\{details\} is a hole, but details has variants/,
    ],
    ['a missing meaning', table({ DBR100: { ...entry, meaning: null } }), /meaning: expected a string/],
  ];
  for (const [what, yaml, message] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => readErrorTable(yaml)).to.throw(message);
    });
  }
});
