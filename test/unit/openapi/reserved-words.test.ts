import { expect } from 'chai';
import { isObject, objectMember } from '../../../codegen/json.js';
import type { JsonValue } from '../../../codegen/json.js';
import { publishedContract } from '../../support/openapi/published-contract.js';

/** Reserved words by language, from its specification, including contextual keywords. */
const RESERVED: Readonly<Record<string, string>> = {
  'JavaScript (ECMA-262 §12.7.2)': `await break case catch class const continue debugger default delete do else enum export
    extends false finally for function if import in instanceof new null return super switch this throw true try typeof var
    void while with yield let static implements interface package private protected public arguments eval`,
  'Python (reference §2.3.1)': `False None True and as assert async await break class continue def del elif else except
    finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`,
  'Java (JLS §3.9)': `abstract assert boolean break byte case catch char class const continue default do double else enum
    extends final finally float for goto if implements import instanceof int interface long native new package private
    protected public return short static strictfp super switch synchronized this throw throws transient try void volatile
    while true false null _`,
  'Go (specification, Keywords)': `break case chan const continue default defer else fallthrough for func go goto if import
    interface map package range return select struct switch type var`,
  'Rust (reference §2.1)': `as async await break const continue crate dyn else enum extern false fn for if impl in let loop
    match mod move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become
    box do final macro override priv try typeof unsized virtual yield gen`,
};

/**
 * Names that the contract, PostgREST or RFC 9457 fixes. No other may join them: a name that can be chosen is no reserved word.
 */
const FIXED: Readonly<Record<string, string>> = {
  'query type': 'a filter of notifications',
  'query select': 'the data API takes the name from PostgREST',
  'query and': 'the data API takes the name from PostgREST',
  'query or': 'the data API takes the name from PostgREST',
  'property delete': 'keys in the changes of a live read, beside `upsert`',
  'property type': 'of notifications, actors and events (contract), and of RFC 9457',
};

const reservedIn = (name: string): readonly string[] =>
  Object.entries(RESERVED).flatMap(([language, words]) =>
    words.split(/\s+/).includes(name) ? [language] : [],
  );

/** The names of all properties in a schema and below it. */
function propertyNames(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => propertyNames(item));
  if (!isObject(value)) return [];
  const { properties } = value;
  const own = isObject(properties) ? Object.keys(properties) : [];
  const below = Object.entries(value).flatMap(([member, inner]) =>
    member === 'properties' && isObject(inner)
      ? Object.values(inner).flatMap(propertyNames)
      : EXAMPLES.includes(member)
        ? []
        : propertyNames(inner),
  );
  return [...own, ...below];
}
const EXAMPLES = ['example', 'examples', 'default', 'const', 'enum'];

describe('the names of the document', () => {
  it('are no reserved words of JavaScript, Python, Java, Go or Rust', async () => {
    const { document, operations } = await publishedContract();
    const components = objectMember(document, 'components', 'document');
    const names = [
      ...operations.map(({ id }) => `operation ${id}`),
      ...operations.flatMap(({ parameters }) => parameters.map((one) => `${one.in} ${one.name}`)),
      ...propertyNames(document).map((name) => `property ${name}`),
      ...Object.keys(objectMember(components, 'schemas', 'components')).map((name) => `schema ${name}`),
    ];
    expect(names).to.include.members([
      'operation createParty',
      'path id',
      'property partyId',
      'schema Party',
    ]);
    const taken = [...new Set(names)].filter((one) => reservedIn(one.split(' ')[1] ?? '').length > 0);
    expect(taken.sort()).to.deep.equal(Object.keys(FIXED).sort());
  });

  it('differ from reserved words of every language', () => {
    for (const [name, languages] of [
      ['function', ['JavaScript (ECMA-262 §12.7.2)']],
      ['type', ['Go (specification, Keywords)', 'Rust (reference §2.1)']],
      ['lambda', ['Python (reference §2.3.1)']],
      ['goto', ['Java (JLS §3.9)', 'Go (specification, Keywords)']],
      ['partyId', []],
    ] as const)
      expect(reservedIn(name), name).to.deep.equal(languages);
  });
});
