import { expect } from 'chai';
import { membersOfJson, textOfJson } from '../../../../src/data-api/request/json-members.js';
import { runAtOnce } from '../../../../src/base/turns.js';

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

  it('is null for any other text', () => {
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
  });

  it('ends after one more member than allowed', () => {
    expect(membersOf('{"a":1,"b":2,"c":3', 1)).to.have.lengthOf(2);
  });

  it('reads long texts in parts that divide no character and no escape', () => {
    for (const part of ['é', '\ud83d\ude00', '\\', '"', '\n', 'aé\\'])
      for (const shift of ['', 'a', 'ab', 'abc']) {
        const text = shift + part.repeat(70_000);
        for (const json of [JSON.stringify(text), escapedJson(text)])
          expect(runAtOnce(textOfJson(Buffer.from(json))) === text, part).to.equal(true);
      }
  });
});

/** Every character as an escape. */
const escapedJson = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
