/** A small schema cache made by hand, for tests of planning and of SQL: films and who made them. */
import type {
  Column,
  ColumnPair,
  ComputedRelationship,
  ForeignKeyRelationship,
  JunctionRelationship,
  MediaHandler,
  Parameter,
  QualifiedName,
  Relationship,
  Returns,
  Routine,
  SchemaCache,
  Table,
} from '../../../src/data-api/schema-cache/types.js';

const SCHEMA = 'api';
export const named = (name: string): QualifiedName => ({ schema: SCHEMA, name });
export const ALL_ROLES = new Map([
  [null, new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'EXECUTE'] as const)],
]);

interface ColumnOptions extends Partial<Pick<Column, 'identity' | 'generated' | 'nullable'>> {
  readonly default?: string;
  readonly domain?: string;
}

export function column(name: string, type: string, options: ColumnOptions = {}): Column {
  const plainName = options.domain ?? type;
  return {
    name,
    description: null,
    nullable: options.nullable ?? true,
    default: options.default ?? null,
    identity: options.identity ?? null,
    generated: options.generated ?? false,
    type: {
      name: plainName,
      plainName,
      baseName: type,
      maxLength: null,
      enumLabels: [],
      isDomain: options.domain !== undefined,
    },
  };
}

export function table(
  name: string,
  primaryKey: readonly string[],
  columns: readonly Column[],
  kind: Table['kind'] = 'table',
): Table {
  return {
    ...named(name),
    kind,
    description: null,
    columns: new Map(columns.map((each) => [each.name, each])),
    primaryKey,
    uniqueKeys: primaryKey.length === 0 ? [] : [primaryKey],
    insertable: true,
    updatable: true,
    deletable: true,
    keepsInserts: kind === 'table',
    access: ALL_ROLES,
    tableAccess: ALL_ROLES,
  };
}

export const TABLES: readonly Table[] = [
  table(
    'films',
    ['id'],
    [
      column('id', 'integer', { nullable: false, default: `nextval('api.films_id_seq'::regclass)` }),
      column('title', 'text', { nullable: false, default: `'untitled'::text` }),
      column('year', 'integer'),
      column('details', 'jsonb'),
      column('genres', 'text[]'),
      column('director_id', 'integer'),
      column('producer_id', 'integer'),
      column('poster', 'integer', { domain: 'api.colour' }),
    ],
  ),
  table('people', ['id'], [column('id', 'integer'), column('name', 'text'), column('country', 'character')]),
  table(
    'roles',
    ['film_id', 'person_id'],
    [column('film_id', 'integer'), column('person_id', 'integer'), column('part', 'text')],
  ),
  table('specs', ['film_id'], [column('film_id', 'integer'), column('aspect', 'text')]),
  table('film_list', ['id'], [column('id', 'integer'), column('title', 'text')], 'view'),
  table('notes', [], [column('line', 'text')]),
];

export function key(
  constraint: string,
  source: string,
  target: string,
  columns: readonly ColumnPair[],
  unique = false,
): readonly ForeignKeyRelationship[] {
  const kind = 'foreign key';
  return [
    {
      kind,
      cardinality: unique ? 'one-to-one' : 'many-to-one',
      source: named(source),
      target: named(target),
      constraint,
      columns,
      sourceRefers: true,
      targetIsView: false,
    },
    {
      kind,
      cardinality: unique ? 'one-to-one' : 'one-to-many',
      source: named(target),
      target: named(source),
      constraint,
      columns: columns.map(({ left, right }) => ({ left: right, right: left })),
      sourceRefers: false,
      targetIsView: false,
    },
  ];
}

const CAST: JunctionRelationship = {
  kind: 'junction',
  cardinality: 'many-to-many',
  source: named('films'),
  target: named('people'),
  junction: named('roles'),
  sourceConstraint: 'roles_film_id_fkey',
  targetConstraint: 'roles_person_id_fkey',
  sourceColumns: [{ left: 'id', right: 'film_id' }],
  targetColumns: [{ left: 'person_id', right: 'id' }],
  targetIsView: false,
};

const HEADLINER: ComputedRelationship = {
  kind: 'computed',
  cardinality: 'to-one',
  source: named('films'),
  target: named('people'),
  function: named('headliner'),
};

const RELATIONSHIPS: readonly Relationship[] = [
  ...key('films_director_fk', 'films', 'people', [{ left: 'director_id', right: 'id' }]),
  ...key('films_producer_fk', 'films', 'people', [{ left: 'producer_id', right: 'id' }]),
  ...key('roles_film_id_fkey', 'roles', 'films', [{ left: 'film_id', right: 'id' }]),
  ...key('roles_person_id_fkey', 'roles', 'people', [{ left: 'person_id', right: 'id' }]),
  ...key('specs_film_id_fkey', 'specs', 'films', [{ left: 'film_id', right: 'id' }], true),
  CAST,
  HEADLINER,
];

export const parameter = (name: string, type: string, options: Partial<Parameter> = {}): Parameter => ({
  name,
  type,
  wideType: type,
  required: true,
  variadic: false,
  ...options,
});

export const SCALAR: Returns = {
  kind: 'scalar',
  many: false,
  type: { schema: 'pg_catalog', name: 'int4' },
  isDomain: false,
  columns: [],
  media: null,
};

const FILMS: Returns = { ...SCALAR, kind: 'composite', many: true, type: named('films') };

export const routine = (
  name: string,
  parameters: readonly Parameter[],
  returns: Returns,
  options: Partial<Routine> = {},
): Routine => ({
  ...named(name),
  description: null,
  parameters,
  returns,
  volatility: 'stable',
  settings: [],
  isolation: null,
  access: ALL_ROLES,
  ...options,
});

const FUNCTIONS: readonly Routine[] = [
  routine('add', [parameter('a', 'integer'), parameter('b', 'integer', { required: false })], SCALAR),
  routine('films_since', [parameter('since', 'integer')], FILMS),
  routine('film', [parameter('id', 'integer')], { ...FILMS, many: false }),
  routine('new_films', [parameter('titles', 'text[]')], FILMS, { volatility: 'volatile' }),
  routine('total', [parameter('values', 'integer[]', { variadic: true })], SCALAR),
  routine('measure', [parameter('size', 'integer')], SCALAR),
  routine('measure', [parameter('size', 'text')], SCALAR),
  routine('take', [parameter('', 'json')], SCALAR),
  routine('take_bytes', [parameter('', 'bytea')], SCALAR),
  routine('forget', [], { ...SCALAR, kind: 'void' }, { volatility: 'volatile' }),
  routine('page', [], {
    ...SCALAR,
    media: { mediaType: 'text/html', contentType: 'text/html', binary: false },
  }),
];

const FILM_LIST: MediaHandler = {
  mediaType: 'application/x-list',
  contentType: 'application/x-list',
  binary: false,
  aggregate: named('film_lines'),
};

const CAST_TYPES = ['text', 'int4', 'json', '_text'].map((name) => [name, true] as const);
const REFUSED_TYPES = ['regclass', 'regrole', '_regclass', 'aclitem'].map((name) => [name, false] as const);

export function grouped<T extends QualifiedName>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const names = new Map<string, T[]>();
  for (const item of items) names.set(item.name, [...(names.get(item.name) ?? []), item]);
  return names;
}

const relationshipsBySource = new Map<string, readonly Relationship[]>();
for (const relationship of RELATIONSHIPS) {
  const { name } = relationship.source;
  relationshipsBySource.set(name, [...(relationshipsBySource.get(name) ?? []), relationship]);
}

export const FILM_CACHE: SchemaCache = {
  generation: 1,
  serverVersion: 180_000,
  schemas: [{ name: SCHEMA, description: null }],
  tables: new Map([[SCHEMA, new Map(TABLES.map((each) => [each.name, each]))]]),
  relationships: new Map([[SCHEMA, relationshipsBySource]]),
  functions: new Map([[SCHEMA, grouped(FUNCTIONS)]]),
  computedFields: new Map(),
  representations: new Map([
    ['api.colour', new Map([['json', named('colour_to_json')]])],
    ['text', new Map([['api.colour', named('colour_from_text')]])],
    ['json', new Map([['api.colour', named('colour_from_json')]])],
  ]),
  castTypes: new Map([
    ['pg_catalog', new Map([...CAST_TYPES, ...REFUSED_TYPES])],
    [SCHEMA, new Map([['mood', true]])],
  ]),
  mediaHandlers: {
    any: new Map(),
    relation: new Map([[SCHEMA, new Map([['films', new Map([[FILM_LIST.mediaType, FILM_LIST]])]])]]),
  },
  roleSettings: new Map(),
  roles: new Map(),
};
