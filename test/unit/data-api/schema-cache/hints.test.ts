import { expect } from 'chai';
import { functionHint, relationshipHint, tableHint } from '../../../../src/data-api/schema-cache/hints.js';
import type { AccessList, Routine, SchemaCache, Table } from '../../../../src/data-api/schema-cache/types.js';
import { cacheOf } from '../../../support/data-api/cache-of.js';
import { derive, describeCatalogue, type Described } from '../../../support/data-api/catalogue-rows.js';

const TABLES: readonly Described[] = [
  { oid: 1, name: 'people', columns: ['id'], constraints: [['p', [1]]] },
  {
    oid: 2,
    name: 'films',
    columns: ['id', 'by'],
    constraints: [
      ['p', [1]],
      ['f', [2], 'by', 1, [1]],
    ],
  },
  { oid: 3, name: 'salaries', columns: ['person'], constraints: [['f', [1], 'paid', 1, [1]]] },
  { oid: 4, name: 'notes', columns: ['id'] },
  { oid: 5, name: 'lanterns', columns: ['id'], constraints: [['p', [1]]] },
  { oid: 6, name: 'lampposts', columns: ['id'], constraints: [['p', [1]]] },
  {
    oid: 7,
    name: 'lamp_slips',
    hidden: true,
    columns: ['lantern_id', 'lamppost_id'],
    constraints: [
      ['p', [1, 2]],
      ['f', [1], 'slips_lantern', 5, [1]],
      ['f', [2], 'slips_lamppost', 6, [1]],
    ],
  },
];

const ANYONE: AccessList = new Map([[null, new Set(['SELECT', 'EXECUTE'] as const)]]);
const STAFF: AccessList = new Map([['staff', new Set(['SELECT', 'EXECUTE'] as const)]]);

const routine = (name: string, access: AccessList, ...parameters: string[]): Routine => ({
  schema: 'public',
  name,
  description: null,
  parameters: parameters.map((text) => ({
    name: text,
    type: 'integer',
    wideType: 'integer',
    required: true,
    variadic: false,
  })),
  returns: {
    kind: 'scalar',
    many: false,
    type: { schema: 'pg_catalog', name: 'int4' },
    isDomain: false,
    columns: [],
    media: null,
  },
  volatility: 'volatile',
  settings: [],
  isolation: null,
  access,
});

function cache(): SchemaCache {
  const tables = new Map<string, Table>();
  for (const { table } of describeCatalogue(TABLES).relations) {
    tables.set(table.name, { ...table, access: table.name === 'salaries' ? STAFF : ANYONE });
  }
  const functions = new Map<string, readonly Routine[]>([
    ['add_up', [routine('add_up', ANYONE, 'b', 'a'), routine('add_up', STAFF, 'a', 'b', 'secret')]],
    ['fire_all', [routine('fire_all', STAFF)]],
    ['no_args', [routine('no_args', ANYONE)]],
  ]);
  return cacheOf({
    tables: new Map([['public', tables]]),
    functions: new Map([['public', functions]]),
    relationships: derive(TABLES),
    roles: new Map([['staff', { superuser: false, bypassesPolicies: false, inherits: [] }]]),
  });
}

const CACHE = cache();
const name = (text: string) => ({ schema: 'public', name: text });

describe('hints', () => {
  it('suggest a target if the source has relationships', () => {
    expect(relationshipHint(CACHE, 'anon', name('people'), 'filmz')).to.equal(
      "Perhaps you meant 'films' instead of 'filmz'.",
    );
  });

  it('are absent for a target that is related', () => {
    expect(relationshipHint(CACHE, 'anon', name('people'), 'films')).to.equal(null);
  });

  it('suggest a source if it has no relationships', () => {
    expect(relationshipHint(CACHE, 'anon', name('film'), 'people')).to.equal(
      "Perhaps you meant 'films' instead of 'film'.",
    );
    expect(relationshipHint(CACHE, 'anon', name('notez'), 'people') ?? '').not.to.contain('notes');
  });

  it('count relationships through a hidden junction', () => {
    expect(relationshipHint(CACHE, 'anon', name('lanterns'), 'lampposts')).to.equal(null);
    expect(relationshipHint(CACHE, 'anon', name('lantern'), 'lampposts')).to.equal(
      "Perhaps you meant 'lanterns' instead of 'lantern'.",
    );
  });

  it('name only relations on which the role has a privilege', () => {
    expect(relationshipHint(CACHE, 'anon', name('people'), 'salary')).to.equal(null);
    expect(relationshipHint(CACHE, 'staff', name('people'), 'salary')).to.equal(
      "Perhaps you meant 'salaries' instead of 'salary'.",
    );
    expect(relationshipHint(CACHE, 'anon', name('salarie'), 'people')).to.equal(null);
    expect(tableHint(CACHE, 'anon', name('salarie'))).to.equal(null);
    expect(tableHint(CACHE, 'staff', name('salarie'))).to.equal(
      "Perhaps you meant the table 'public.salaries'",
    );
  });

  it('suggest the name of a function', () => {
    expect(functionHint(CACHE, 'anon', name('ad_up'), ['a'])).to.equal(
      'Perhaps you meant to call the function public.add_up',
    );
    expect(functionHint(CACHE, 'anon', name('zzz'), [])).to.equal(null);
  });

  it('suggest the overload with the most similar parameters', () => {
    expect(functionHint(CACHE, 'anon', name('add_up'), ['a', 'bb'])).to.equal(
      'Perhaps you meant to call the function public.add_up(a, b)',
    );
    expect(functionHint(CACHE, 'anon', name('no_args'), ['zzz'])).to.equal(null);
  });

  it('name only functions that the role may execute', () => {
    expect(functionHint(CACHE, 'anon', name('fire_al'), [])).to.equal(null);
    expect(functionHint(CACHE, 'anon', name('fire_all'), ['x'])).to.equal(null);
    expect(functionHint(CACHE, 'anon', name('add_up'), ['a', 'b', 'secret'])).not.to.contain('secret');
    expect(functionHint(CACHE, 'staff', name('fire_al'), [])).to.equal(
      'Perhaps you meant to call the function public.fire_all',
    );
  });

  it('are absent for a schema that is not exposed', () => {
    const elsewhere = { schema: 'private', name: 'films' };
    expect(relationshipHint(CACHE, 'anon', elsewhere, 'people')).to.equal(null);
    expect(tableHint(CACHE, 'anon', elsewhere)).to.equal(null);
    expect(functionHint(CACHE, 'anon', elsewhere, [])).to.equal(null);
  });
});
