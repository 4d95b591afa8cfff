/** Catalogue rows for tests, in the form of the catalogue queries. */
import {
  buildColumnTypes,
  buildRelation,
  type Relation,
  type ColumnRow,
  type TableRow,
  type ConstraintRow,
} from '../../../src/data-api/schema-cache/relations.js';
import type { ColumnOrigin } from '../../../src/data-api/schema-cache/views.js';

import type { RowFunctionRow } from '../../../src/data-api/schema-cache/functions.js';

import { deriveRelationships } from '../../../src/data-api/schema-cache/relationships.js';
import { runAtOnce } from '../../../src/base/turns.js';
import type { ByName, Relationship } from '../../../src/data-api/schema-cache/types.js';

const INTEGER = 23;

export const types = buildColumnTypes([
  {
    oid: INTEGER,
    modifier: -1,
    type: {
      name: 'integer',
      plainName: 'integer',
      baseName: 'integer',
      maxLength: null,
      enumLabels: [],
      isDomain: false,
    },
    domainDefault: null,
    domainNotNull: false,
  },
]);

export const column = (attnum: number, name: string): ColumnRow => [
  attnum,
  name,
  INTEGER,
  -1,
  false,
  null,
  null,
  '',
  '',
  false,
];

/** A table or, with origins, a view: `public.<name>` unless the name has a schema. Columns are numbered from 1. */
export interface Described {
  readonly oid: number;
  readonly name: string;
  readonly columns: readonly string[];
  /** The origin of each column of a view, by position: oid and column number; null if it has none. */
  readonly shows?: readonly (readonly [relation: number, column: number] | null)[];
  readonly constraints?: readonly ConstraintRow[];
  /** Not in an exposed schema. */
  readonly hidden?: true;
}

export interface Catalogue {
  readonly relations: readonly Relation[];
  readonly constraints: ReadonlyMap<number, readonly ConstraintRow[]>;
}

export function describeCatalogue(tables: readonly Described[]): Catalogue {
  const constraints = new Map(tables.map(({ oid, constraints = [] }) => [oid, constraints]));
  const views = new Map(
    tables.flatMap(({ oid, shows }): (readonly [number, ColumnOrigin[]])[] =>
      shows === undefined ? [] : [[oid, shows.flatMap(toOrigin)]],
    ),
  );
  const relations = tables
    .filter(({ hidden }) => hidden !== true)
    .map((table) =>
      buildRelation(toRow(table), {
        types,
        constraints,
        views,
        access: () => new Map(),
        tableAccess: () => new Map(),
      }),
    );
  return { relations, constraints };
}

const toOrigin = (shown: readonly [number, number] | null, at: number): ColumnOrigin[] =>
  shown === null ? [] : [{ column: at + 1, relation: shown[0], relationColumn: shown[1] }];

function toRow({ oid, name, columns, shows }: Described): TableRow {
  const [schema, rest] = name.includes('.') ? name.split('.') : ['public', name];
  return {
    oid,
    schema: schema ?? '',
    name: rest ?? '',
    kind: shows === undefined ? 'table' : 'view',
    description: null,
    insertable: true,
    updatable: true,
    deletable: true,
    keepsInserts: shows === undefined,
    acl: '',
    columns: columns.map((text, at) => column(at + 1, text)),
  };
}

export const derive = (
  tables: readonly Described[],
  rowFunctions: readonly RowFunctionRow[] = [],
): ByName<readonly Relationship[]> =>
  runAtOnce(deriveRelationships({ ...describeCatalogue(tables), rowFunctions }));

/** `many-to-one target constraint left=right,…` and the like: one line a relationship. */
export function lines(relationships: readonly Relationship[] | undefined): string[] {
  return (relationships ?? []).map((relationship) => {
    const head = `${relationship.cardinality} ${relationship.target.name}`;
    switch (relationship.kind) {
      case 'foreign key':
        return `${head} ${relationship.constraint} ${pairs(relationship.columns)}`;
      case 'junction':
        return `${head} by ${relationship.junction.name} ${pairs(relationship.sourceColumns)} ${pairs(relationship.targetColumns)}`;
      case 'computed':
        return `${head} ${relationship.function.name}()`;
    }
  });
}

const pairs = (columns: readonly { readonly left: string; readonly right: string }[]): string =>
  columns.map(({ left, right }) => `${left}=${right}`).join();
