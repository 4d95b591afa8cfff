import { expect } from 'chai';
import { databaseTypes } from '../../../src/types/database-types.js';
import type {
  Column,
  ColumnType,
  SchemaCache,
  Table,
} from '../../../../../src/data-api/schema-cache/types.js';
import { FILM_CACHE } from '../../../../../test/support/data-api/film-cache.js';

const OPTIONS = { schemas: ['api'], role: null, version: '12' };

const TEXT: ColumnType = {
  name: 'text',
  plainName: 'text',
  baseName: 'text',
  maxLength: null,
  enumLabels: [],
  isDomain: false,
};

const column = (name: string, changes: Partial<Column> = {}, type: Partial<ColumnType> = {}): Column => ({
  name,
  description: null,
  nullable: false,
  default: null,
  identity: null,
  generated: false,
  ...changes,
  type: { ...TEXT, ...type },
});

const table = (name: string, columns: readonly Column[], changes: Partial<Table> = {}): Table => ({
  schema: 'api',
  name,
  kind: 'table',
  description: null,
  columns: new Map(columns.map((one) => [one.name, one])),
  primaryKey: [],
  uniqueKeys: [],
  insertable: true,
  updatable: true,
  deletable: true,
  keepsInserts: true,
  access: new Map(),
  tableAccess: new Map(),
  ...changes,
});

const cacheOf = (tables: readonly Table[], changes: Partial<SchemaCache> = {}): SchemaCache => ({
  ...FILM_CACHE,
  tables: new Map([['api', new Map(tables.map((one) => [one.name, one]))]]),
  relationships: new Map(),
  functions: new Map(),
  ...changes,
});

/** The lines of a block, without its indentation. */
function blockOf(text: string, name: string): readonly string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trimStart().startsWith(`${name}: {`));
  const margin = (lines[start] ?? '').search(/\S/);
  const end = lines.findIndex((line, at) => at > start && line.search(/\S/) === margin);
  return lines.slice(start + 1, end).map((line) => line.slice(margin + 2));
}

describe('types of a database', () => {
  it('are a module with the sections of a schema', () => {
    expect(databaseTypes(cacheOf([]), OPTIONS)).to.equal(`// Made by \`dbr types\`.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: { PostgrestVersion: "12" };
  api: {
    Tables: { [_ in never]: never };
    Views: { [_ in never]: never };
    Functions: { [_ in never]: never };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};
`);
  });

  it('have a row as it is read, inserted and updated', () => {
    const columns = [
      column('a b', { nullable: true }),
      column('made', { generated: true }, { baseName: 'integer' }),
      column('always', { identity: 'always' }, { baseName: 'bigint' }),
      column('given', { identity: 'by default' }, { baseName: 'boolean' }),
      column('filled', { default: "'x'" }, { baseName: 'text[]' }),
      column('any', {}, { baseName: 'jsonb' }),
      column('where', {}, { baseName: 'public.geometry' }),
    ];
    const text = databaseTypes(cacheOf([table('t', columns)]), OPTIONS);
    expect(blockOf(text, 'Row')).to.deep.equal([
      '"a b": string | null;',
      'made: number;',
      'always: number;',
      'given: boolean;',
      'filled: string[];',
      'any: Json;',
      'where: Json;',
    ]);
    expect(blockOf(text, 'Insert')).to.deep.equal([
      '"a b"?: string | null;',
      'made?: never;',
      'always?: never;',
      'given?: boolean;',
      'filled?: string[];',
      'any: Json;',
      'where: Json;',
    ]);
    expect(blockOf(text, 'Update').slice(-3)).to.deep.equal([
      'filled?: string[];',
      'any?: Json;',
      'where?: Json;',
    ]);
  });

  it('lack bodies of relations that refuse them, and have views apart', () => {
    const kinds = { view: 'view', mat: 'materialized view', foreign: 'foreign table' } as const;
    const tables = Object.entries(kinds).map(([name, kind]) =>
      table(name, [column('x')], { kind, insertable: false, updatable: name === 'view' }),
    );
    const text = databaseTypes(cacheOf(tables), OPTIONS);
    expect(blockOf(text, 'Tables').filter((line) => /^\w/.test(line))).to.deep.equal(['foreign: {']);
    expect(blockOf(text, 'Views').filter((line) => /^\w/.test(line))).to.deep.equal(['mat: {', 'view: {']);
    expect(text).not.to.include('Insert');
    expect(text.split('Update: {')).to.have.length(2);
  });

  it('name enums of described schemas, and write the labels of others', () => {
    const named = { baseName: 'api.mood', plainName: 'api.mood', enumLabels: ['sad', 'ok'] };
    const columns = [
      column('mood', {}, named),
      column('moods', {}, { baseName: 'api.mood[]', plainName: 'api.mood[]' }),
      column('checked', {}, { ...named, plainName: 'api.checked', isDomain: true }),
      column('other', {}, { baseName: '"Other".size', plainName: '"Other".size', enumLabels: ['s', 'm'] }),
    ];
    const text = databaseTypes(cacheOf([table('t', columns)]), OPTIONS);
    expect(blockOf(text, 'Row')).to.deep.equal([
      'mood: Database["api"]["Enums"]["mood"];',
      'moods: Database["api"]["Enums"]["mood"][];',
      'checked: "sad" | "ok";',
      'other: "s" | "m";',
    ]);
    expect(blockOf(text, 'Enums')).to.deep.equal(['mood: "sad" | "ok";']);
  });

  it('have computed fields of one value beside the columns', () => {
    const field = (name: string, many: boolean) =>
      [name, [{ function: { schema: 'api', name }, type: 'integer', many }]] as const;
    const fields = new Map([field('age', false), field('all', true)]);
    const computedFields = new Map([['api', new Map([['t', fields]])]]);
    const text = databaseTypes(cacheOf([table('t', [column('x')])], { computedFields }), OPTIONS);
    expect(blockOf(text, 'Row')).to.deep.equal(['x: string;', 'age: number | null;']);
  });

  it('have the references of a relation and the calls of functions', () => {
    const text = databaseTypes(FILM_CACHE, OPTIONS);
    expect(blockOf(text, 'specs').slice(-3)).to.deep.equal([
      'Relationships: [',
      '  { foreignKeyName: "specs_film_id_fkey"; columns: ["film_id"]; isOneToOne: true; referencedRelation: "films"; referencedColumns: ["id"] },',
      '];',
    ]);
    const row = 'Database["api"]["Tables"]["films"]["Row"]';
    expect(blockOf(text, 'Functions')).to.deep.equal([
      'add: { Args: { a: number | null; b?: number | null }; Returns: number };',
      `film: { Args: { id: number | null }; Returns: ${row} | null; SetofOptions: { from: "*"; to: "films"; isOneToOne: true; isSetofReturn: false } };`,
      `films_since: { Args: { since: number | null }; Returns: ${row}[]; SetofOptions: { from: "*"; to: "films"; isOneToOne: false; isSetofReturn: true } };`,
      'forget: { Args: never; Returns: undefined };',
      'measure:',
      '  | { Args: { size: number | null }; Returns: number }',
      '  | { Args: { size: string | null }; Returns: number };',
      `new_films: { Args: { titles: string[] | null }; Returns: ${row}[]; SetofOptions: { from: "*"; to: "films"; isOneToOne: false; isSetofReturn: true } };`,
      'page: { Args: never; Returns: number };',
      'take: { Args: { "": Json }; Returns: number };',
      'take_bytes: { Args: { "": string }; Returns: number };',
      'total: { Args: { values: number[] | null }; Returns: number };',
    ]);
  });
});
