/**
 * The exact descriptions of two small schemas: one line for each component, path and other member.
 *
 * `RECORD=1 npx mocha test/unit/data-api/document/recorded-documents.test.ts` writes the lines of the present sources, whose
 * difference to the former ones has to be read like a change of code.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DocumentOptions } from '../../../../src/data-api/document/model.js';
import { describeAsOpenApi } from '../../../../src/data-api/document/openapi-document.js';
import { describeAsSwagger } from '../../../../src/data-api/document/swagger.js';
import type { SchemaCache, Table } from '../../../../src/data-api/schema-cache/types.js';
import { EVERYTHING } from '../../../support/data-api/document-options.js';
import { FILM_CACHE } from '../../../support/data-api/film-cache.js';
import { WORKSHOP_CACHE } from '../../../support/data-api/workshop-cache.js';

const FILE = join(import.meta.dirname, 'recorded-documents.txt');

/** The cache with texts, the time of the last change of orders, and a second schema. */
function describedCache(): SchemaCache {
  const tables = new Map(WORKSHOP_CACHE.tables.get('api'));
  const orders = tables.get('orders');
  if (orders === undefined) throw new Error('no orders');
  tables.set('orders', { ...orders, description: 'Orders\nof customers', lastModified: 'note' });
  return {
    ...WORKSHOP_CACHE,
    schemas: [
      { name: 'public', description: null },
      { name: 'api', description: 'Workshop\nAll orders.' },
    ],
    tables: new Map([['api', tables]]),
  };
}

/** Copies of two relations. */
function longCache(number: number): SchemaCache {
  const [films, notes] = ['films', 'notes'].map((name) => FILM_CACHE.tables.get('api')?.get(name));
  if (films === undefined || notes === undefined) throw new Error('no films');
  const copies = Array.from({ length: number }, (_, at): [string, Table] => {
    const name = `t${String(at).padStart(4, '0')}`;
    return [name, { ...(at === 0 ? films : notes), name }];
  });
  return {
    ...FILM_CACHE,
    tables: new Map([['api', new Map(copies)]]),
    relationships: new Map(),
    functions: new Map(),
  };
}

const CASES: readonly (readonly [
  name: string,
  describe: typeof describeAsOpenApi,
  cache: SchemaCache,
  options: Partial<DocumentOptions>,
  members: RegExp,
])[] = [
  ['films', describeAsOpenApi, FILM_CACHE, { withSecurity: true, publicUri: 'https://a.example/x' }, /./],
  ['workshop', describeAsOpenApi, describedCache(), { maxBatch: 1, pathPrefix: '/rest' }, /./],
  [
    'workshop 3.2',
    describeAsOpenApi,
    describedCache(),
    { version: '3.2' },
    /^(?:openapi|info|tags|paths .(?:orders|seen|tags))$/,
  ],
  [
    'many',
    describeAsOpenApi,
    longCache(1001),
    { maxBatch: 2 },
    /^(?:openapi|info|tags|paths .(?:t000[01])?|components \w+ (?:t000[01].*|[^t].*))$/,
  ],
  ['films 2.0', describeAsSwagger, FILM_CACHE, { omitsVolatileGet: true }, /./],
  [
    'workshop 2.0',
    describeAsSwagger,
    describedCache(),
    { withSecurity: true },
    /^(?:info|paths .(?:orders|rpc.*)|definitions (?:orders|lines)|security.*)$/,
  ],
];

/** The members of a document, and those of its members with many: name and JSON. */
function linesOf([name, describe, cache, options, members]: (typeof CASES)[number]): readonly string[] {
  const document = JSON.parse([...describe(cache, { ...EVERYTHING, ...options })].join('')) as Readonly<
    Record<string, unknown>
  >;
  return partsOf(document, '', 2)
    .filter(([part]) => members.test(part))
    .map(([part, value]) => `${name}: ${part}: ${JSON.stringify(value)}`);
}

const DIVIDED = new Set(['', 'paths', 'components', 'definitions', 'parameters']);

function partsOf(value: unknown, path: string, depth: number): readonly (readonly [string, unknown])[] {
  const isDivided = DIVIDED.has(path) || /^components \w+$/.test(path);
  if (!isDivided || typeof value !== 'object' || value === null || depth < 0) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) =>
    partsOf(member, path === '' ? name : `${path} ${name}`, depth - 1),
  );
}

describe('recorded descriptions', () => {
  const lines = CASES.flatMap(linesOf);
  if (process.env['RECORD'] === '1') writeFileSync(FILE, `${lines.join('\n')}\n`);
  const recorded = readFileSync(FILE, 'utf8').trimEnd().split('\n');

  it('have texts of up to 1,000 relations', () => {
    const hasTags = (number: number): boolean =>
      [...describeAsOpenApi(longCache(number), EVERYTHING)].join('').includes('"tags":');
    expect([hasTags(1000), hasTags(1001)]).to.deep.equal([true, false]);
  });

  for (const [name] of CASES)
    it(name, () => {
      const of = (all: readonly string[]): readonly string[] =>
        all.filter((line) => line.startsWith(`${name}: `));
      expect(of(recorded)).to.have.length.greaterThan(3);
      expect(of(lines)).to.deep.equal(of(recorded));
    });
});
