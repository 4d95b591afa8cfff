import { expect } from 'chai';
import fc from 'fast-check';
import { quoteIdentifier } from '../../../../src/postgres/quote.js';
import { statementOf } from '../../../support/planned.js';

/** A name in double quotes, as the query string takes any text. */
const quoted = (name: string): string => encodeURIComponent(`"${name.replaceAll(/["\\]/g, '\\$&')}"`);

const names = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((name) => !name.includes('\0'));

/** What is left of a statement when quoted names and parameters are taken out. */
const withoutNames = (text: string): string =>
  text.replaceAll(/"(?:[^"]|"")*"/g, '').replaceAll(/\$\d+/g, '');

describe('names and values of requests in SQL', () => {
  it('stay within their quotes, whatever they are', () => {
    const plain = withoutNames(statementOf('GET /notes?select=b:a&c=eq.1&order=d').text);
    fc.assert(
      fc.property(names, names, names, names, (alias, column, filtered, ordered) => {
        const select = `${quoted(alias)}:${quoted(column)}`;
        const { text } = statementOf(
          `GET /notes?select=${select}&${quoted(filtered)}=eq.1&order=${quoted(ordered)}`,
        );
        expect(withoutNames(text)).to.equal(plain);
        for (const name of [alias, column, filtered, ordered]) expect(text).to.contain(quoteIdentifier(name));
      }),
      { numRuns: 300 },
    );
  });

  it('never make a value part of the text', () => {
    const { text } = statementOf('GET /notes?a=eq.1&b=in.(1,2)&c=like.x&d=fts.x');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
        const encoded = encodeURIComponent(value);
        const listed = encodeURIComponent(`"${value.replaceAll(/["\\]/g, '\\$&')}"`);
        const other = statementOf(
          `GET /notes?a=eq.${encoded}&b=in.(${listed})&c=like.${encoded}&d=fts.${encoded}`,
        );
        expect(other.text).to.equal(text);
      }),
      { numRuns: 300 },
    );
  });

  it('keep the line ends that are in them', () => {
    const { text } = statementOf(`GET /films?select=id,${quoted('a\n  b')}:specs(${quoted('c\n d')}:aspect)`);
    expect(text).to.contain('"a\n  b"');
    expect(text).to.contain('"c\n d"');
  });
});
