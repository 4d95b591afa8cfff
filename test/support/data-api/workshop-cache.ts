/**
 * A schema cache made by hand, for tests of planning and of SQL: orders of several tenants, with keys of two columns, one of
 * which foreign keys share, with identities, generated columns, views, partitions and relations that a role may only read.
 */
import type {
  AccessList,
  ComputedField,
  JunctionRelationship,
  Relationship,
  Returns,
  SchemaCache,
  Table,
} from '../../../src/data-api/schema-cache/types.js';
import { cacheOf } from './cache-of.js';
import { column, grouped, key, named, parameter, routine, SCALAR, table } from './film-cache.js';

const READABLE: AccessList = new Map([[null, new Set(['SELECT'] as const)]]);
/** Writes of single columns alone. */
const BY_COLUMNS: Partial<Table> = { tableAccess: READABLE };

const TABLES: readonly Table[] = [
  table(
    'customers',
    ['tenant', 'id'],
    [
      column('tenant', 'integer', { nullable: false }),
      column('id', 'integer', {
        nullable: false,
        identity: 'by default',
        default: "nextval('customers_id_seq')",
      }),
      column('name', 'text', { default: "'-'::text" }),
    ],
  ),
  table(
    'orders',
    ['id'],
    [
      column('id', 'integer', { nullable: false, identity: 'always', default: "nextval('orders_id_seq')" }),
      column('tenant', 'integer', { nullable: false, default: 'api.tenant()' }),
      column('customer_id', 'integer'),
      column('approver_id', 'integer', { nullable: false }),
      column('code', 'text', { generated: true }),
      column('note', 'text', { default: "'-'::text" }),
      column('facts', 'json'),
      column('words', 'tsvector'),
      column('number', 'integer'),
      column('parent', 'integer'),
      column('object', 'text'),
    ],
  ),
  table(
    'lines',
    ['order_id', 'line'],
    [
      column('order_id', 'integer', { nullable: false }),
      column('line', 'integer', { nullable: false }),
      column('product', 'text'),
    ],
  ),
  {
    ...table(
      'parts',
      ['id'],
      [column('id', 'uuid', { default: 'gen_random_uuid()' }), column('order_id', 'integer')],
      'partitioned table',
    ),
  },
  {
    ...table('locked', ['id'], [column('id', 'integer', { default: '1' }), column('order_id', 'integer')]),
    access: READABLE,
    tableAccess: READABLE,
  },
  {
    ...table(
      'guarded',
      ['id'],
      [column('id', 'integer', { default: '1' }), column('order_id', 'integer'), column('word', 'text')],
    ),
    ...BY_COLUMNS,
  },
  {
    ...table(
      'checked',
      ['id'],
      [column('id', 'integer', { default: '1' }), column('order_id', 'integer'), column('word', 'text')],
    ),
    keepsInserts: false,
  },
  {
    ...table('archive', ['id'], [column('id', 'integer'), column('order_id', 'integer')], 'view'),
    insertable: false,
  },
  table(
    'tags',
    ['id'],
    [
      column('id', 'integer', { identity: 'by default', default: "nextval('tags_id_seq')" }),
      column('word', 'text'),
    ],
  ),
  table('order_tags', [], [column('order_id', 'integer'), column('tag_id', 'integer')]),
  table('logs', [], [column('order_id', 'integer'), column('entry', 'text')]),
  table('seen', [], [column('at', 'date')], 'foreign table'),
  table('totals', ['id'], [column('id', 'integer')], 'materialized view'),
];

const tagged = (source: string, target: string): JunctionRelationship => ({
  kind: 'junction',
  cardinality: 'many-to-many',
  source: named(source),
  target: named(target),
  junction: named('order_tags'),
  sourceConstraint: source === 'orders' ? 'order_tags_order_fk' : 'order_tags_tag_fk',
  targetConstraint: source === 'orders' ? 'order_tags_tag_fk' : 'order_tags_order_fk',
  sourceColumns: [{ left: 'id', right: source === 'orders' ? 'order_id' : 'tag_id' }],
  targetColumns: [{ left: source === 'orders' ? 'tag_id' : 'order_id', right: 'id' }],
  targetIsView: false,
});

const OF_ORDERS = ['lines', 'parts', 'locked', 'guarded', 'checked', 'archive', 'logs'];

const RELATIONSHIPS: readonly Relationship[] = [
  ...['customer', 'approver'].flatMap((who) =>
    key(`orders_${who}_fk`, 'orders', 'customers', [
      { left: 'tenant', right: 'tenant' },
      { left: `${who}_id`, right: 'id' },
    ]),
  ),
  ...OF_ORDERS.flatMap((name) =>
    key(`${name}_order_fk`, name, 'orders', [{ left: 'order_id', right: 'id' }]),
  ),
  ...key('orders_parent_fk', 'orders', 'orders', [{ left: 'parent', right: 'id' }]),
  tagged('orders', 'tags'),
  tagged('tags', 'orders'),
];

const field = (name: string, type: string, schema = 'api'): readonly [string, readonly ComputedField[]] => [
  name,
  [{ function: { schema, name }, type, many: false }],
];

const ORDERS: Returns = { ...SCALAR, kind: 'composite', many: true, type: named('orders') };
const PAIRS: Returns = {
  ...{ ...SCALAR, kind: 'composite', many: true, type: { schema: 'pg_catalog', name: 'record' } },
  columns: [
    { name: 'a', type: 'integer' },
    { name: 'b', type: 'text' },
  ],
};

const FUNCTIONS = [
  routine(
    'orders_of',
    [parameter('customer', 'integer'), parameter('kind', 'text', { required: false })],
    ORDERS,
  ),
  routine('an_order', [parameter('id', 'integer')], { ...ORDERS, many: false }),
  routine('pairs', [], PAIRS),
  routine('a_pair', [], { ...PAIRS, many: false }),
  routine('rows', [], { ...SCALAR, kind: 'record', many: true }),
  routine('numbers', [], { ...SCALAR, many: true }),
  routine('number', [], SCALAR),
  routine('read', [parameter('', 'jsonb')], SCALAR),
  routine('read', [parameter('a', 'integer')], SCALAR),
  routine('read_text', [parameter('', 'text')], SCALAR),
  routine('read_text', [], SCALAR),
  routine(
    'join',
    [parameter('a', 'text'), parameter('rest', 'text[]', { variadic: true, required: false })],
    SCALAR,
  ),
];

const bySource = new Map<string, readonly Relationship[]>();
for (const relationship of RELATIONSHIPS) {
  const { name } = relationship.source;
  bySource.set(name, [...(bySource.get(name) ?? []), relationship]);
}

export const WORKSHOP_CACHE: SchemaCache = cacheOf({
  schemas: [{ name: 'api', description: null }],
  tables: new Map([['api', new Map(TABLES.map((each) => [each.name, each]))]]),
  relationships: new Map([['api', bySource]]),
  functions: new Map([['api', grouped(FUNCTIONS)]]),
  computedFields: new Map([
    [
      'api',
      new Map([
        [
          'orders',
          new Map([
            field('total', 'numeric'),
            field('document', 'tsvector'),
            field('elsewhere', 'tsvector', 'other'),
          ]),
        ],
      ]),
    ],
  ]),
  castTypes: new Map([['pg_catalog', new Map([['text', true]])]]),
});
