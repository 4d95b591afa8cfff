import { expect } from 'chai';
import { membersOfJson } from '../../../../src/data-api/request/json-members.js';
import { runAtOnce } from '../../../../src/data-api/slices.js';

const membersOf = (text: string, most = 10): readonly (readonly [string, string])[] | null =>
  runAtOnce(membersOfJson(Buffer.from(text), most))?.map(({ name, value }) => [name, value.toString()]) ??
  null;

describe('membersOfJson', () => {
  it('returns the bytes of each value', () => {
    expect(membersOf(' { "a" : 1.50 , "\\u0062":{"c":[1e400,"}"]},"d":"x\\"" } ')).to.deep.equal([
      ['a', '1.50'],
      ['b', '{"c":[1e400,"}"]}'],
      ['d', '"x\\""'],
    ]);
    expect(membersOf('{}')).to.deep.equal([]);
  });

  it('keeps members with equal names', () => {
    expect(membersOf('{"a":1,"a":2}')).to.deep.equal([
      ['a', '1'],
      ['a', '2'],
    ]);
  });

  it('pauses within long values', () => {
    const value = `[${'1,'.repeat(200_000)}1]`;
    const work = membersOfJson(Buffer.from(`{"a":${value}}`), 1);
    expect(work.next().done).to.equal(false);
    expect(runAtOnce(work)?.[0]?.value.toString()).to.equal(value);
  });

  it('is null for any other text, and for more members than allowed', () => {
    for (const text of [
      '',
      '[]',
      '{',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{a:1}',
      '{"a":1}}',
      '{"a":01}',
      'null',
    ])
      expect(membersOf(text), text).to.equal(null);
    expect(membersOf('{"a":1,"b":2}', 1)).to.equal(null);
  });
});
