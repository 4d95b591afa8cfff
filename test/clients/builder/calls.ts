/**
 * The client of packages/client/src/database.ts over the types that `dbr types` has written to `out/database.ts`. What must not compile
 * has `@ts-expect-error`: the compiler fails if it does.
 */
import { database, reference, type Database as Client } from '../../../packages/client/src/database';
import type { Database } from './out/database';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const sameType = <T extends true>(same: T): T => same;

export async function calls(url: string): Promise<unknown> {
  const db = database<Database>(url, { token: () => Promise.resolve(null) });
  const made: Record<string, unknown> = {};

  const products = await db
    .from('products')
    .select('id, name, size, maker:makers(name), labels(word), price::text, watts:facts->>watts')
    .order('id')
    .orThrow();
  sameType<
    Equal<
      (typeof products)[number],
      {
        id: number;
        name: string;
        size: 'small' | 'large' | null;
        maker: { name: string } | null;
        labels: { word: string }[];
        price: string | null;
        watts: string | null;
      }
    >
  >(true);
  made.products = products;

  const maker = await db
    .from('makers')
    .select('name,products(name,shout),details(phone)')
    .where('id', 'eq', 1)
    .embedded('products', 'order', 'name')
    .single();
  sameType<
    Equal<
      typeof maker.data,
      {
        name: string;
        products: { name: string; shout: string | null }[];
        details: { phone: string | null } | null;
      } | null
    >
  >(true);
  made.maker = maker.data;

  made.inner = await db
    .from('products')
    .select('name,makers!inner(name)')
    .where('makers.name', 'eq', 'Acme')
    .orThrow();
  const spread = await db.from('products').select('name,...makers(maker:name)').order('name').orThrow();
  sameType<Equal<(typeof spread)[number], { name: string; maker: string | null }>>(true);
  made.spread = spread;
  const counted = await db.from('makers').select('name,products(count())').orThrow();
  sameType<Equal<(typeof counted)[number], { name: string; products: { count: number }[] }>>(true);
  made.counted = counted;

  const inserted = await db
    .from('products')
    .insert([
      { name: 'a,b "c" (d)', tags: ['x,y', '{z}', 'q"\\'], facts: { $from: 'data', path: '/' } },
      { name: 'lamp', price: 5 },
    ])
    .select('name,tags,facts');
  if (inserted.error !== null) throw new Error(inserted.error.message);
  sameType<
    Equal<
      (typeof inserted.data)[number],
      { name: string; tags: string[] | null; facts: import('./out/database').Json | null }
    >
  >(true);
  made.inserted = [inserted.status, inserted.data];

  made.filtered = await Promise.all([
    db.from('products').select('name').where('name', 'in', ['a,b "c" (d)', 'none']).orThrow(),
    db.from('products').select('name').where('tags', 'cs', ['x,y', 'q"\\']).orThrow(),
    db.from('products').select('name').where('facts', 'cs', { path: '/' }).orThrow(),
    db.from('products').select('name').where('facts', 'eq', '["none"]').orThrow(),
    db.from('products').select('name').where('name', 'like(any)', ['la*', 'de*']).order('name').orThrow(),
    db.from('products').select('name').where('price', 'is', null).not('tags', 'is', null).orThrow(),
    db
      .from('products')
      .select('name')
      .or((where) => [
        where('name', 'eq', 'a,b "c" (d)'),
        where.and(where('price', 'gt', 3), where.not('name', 'in', ['desk', 'a.b'])),
        where('tags', 'ov', ['nothing', 'a"b']),
        where('maker_id', 'is', null),
      ])
      .order('name', 'desc', 'nullslast')
      .limit(2)
      .offset(1)
      .orThrow(),
    db.from('products').select('name').where('name', 'wfts', { words: 'lamp', config: 'english' }).orThrow(),
    db.from('products').select('name').where('name', 'in', ['lamp', 'pen']).order('name').inBody().orThrow(),
  ]);

  const upserted = await db
    .from('makers')
    .insert(
      { id: 1, name: 'Acme', founded: '2020-01-31' },
      { resolution: 'merge-duplicates', onConflict: ['id'] },
    )
    .select();
  made.upserted = [upserted.status, upserted.data];
  made.updated = await db
    .from('products')
    .update({ price: 6 })
    .where('name', 'eq', 'lamp')
    .select('name,price')
    .orThrow();
  const { id } = await db.from('products').select('id').where('name', 'eq', 'lamp').single().orThrow();
  made.byKey = await db
    .from('products')
    .updateRows([{ id, price: 7 }])
    .select('price')
    .orThrow();
  made.deleted = await db.from('products').delete().select('name').where('id', 'eq', id).orThrow();

  const called = await db
    .call('priced', { most: 10 })
    .where('name', 'neq', 'lamp')
    .order('id')
    .select('name');
  sameType<Equal<NonNullable<typeof called.data>[number], { name: string }>>(true);
  made.called = called.data;
  const total = await db.call('total', { ids: [1, 2] }, { method: 'GET' });
  sameType<Equal<typeof total.data, number | null>>(true);
  made.total = total.data;
  const pinged = await db.call('ping');
  made.pinged = [pinged.status, pinged.data];

  const page = await db.from('products').select('name').count('exact').limit(1);
  made.page = [page.status, page.count];
  made.head = (await db.from('products').select().count('exact').head()).count;
  const maybe = await db.from('makers').select('name').where('id', 'eq', 9).maybeSingle();
  sameType<Equal<typeof maybe.data, { name: string } | null>>(true);
  made.maybe = [maybe.data, maybe.error];
  const several = await db.from('products').select('name').maybeSingle();
  made.several = several.error?.code;
  const none = await db.from('makers').select('name').where('id', 'eq', 9).single();
  made.none = [none.status, none.error?.code];

  const first = await db.from('makers').select('id').where('id', 'eq', 1);
  const tag = first.headers.get('etag') ?? '';
  const same = await db.from('makers').select('id').where('id', 'eq', 1).ifNoneMatch(tag);
  made.same = [same.status, same.data];
  const stale = await db.from('makers').update({ name: 'Other' }).where('id', 'eq', 1).ifMatch('"other"');
  made.stale = [stale.status, stale.error?.code];
  made.csv = await db.from('makers').select('id,name').csv().orThrow();
  const rows: unknown[] = [];
  for await (const row of db.from('products').select('name').order('id').stream()) {
    sameType<Equal<typeof row, { name: string }>>(true);
    rows.push(row);
  }
  made.streamed = rows;

  const batch = await db.batch({
    maker: db.from('makers').insert({ name: 'Batch' }).select('id').single(),
    product: db
      .from('products')
      .insert({ name: 'made', maker_id: reference('maker', '/id'), facts: { $from: 'maker' } }),
    read: db
      .from('products')
      .select('name,facts,makers(name)')
      .where('maker_id', 'eq', reference('maker', '/id'))
      .count('exact'),
  });
  if (batch.error !== null) throw new Error(batch.error.message);
  sameType<Equal<typeof batch.data.maker.data, { id: number }>>(true);
  made.batch = [
    batch.data.maker.status,
    typeof batch.data.maker.data.id,
    batch.data.product.data,
    batch.data.read.data,
    batch.data.read.count,
  ];
  const failed = await db.batch({
    one: db.from('makers').insert({ name: 'x' }),
    two: db.from('products').delete().where('id', 'eq', -1).single(),
  });
  made.failed = [failed.status, failed.error?.code];
  made.undone = await db.from('makers').select('name').where('name', 'eq', 'x').orThrow();

  const dry = await db.from('makers').insert({ name: 'dry' }).select('name').prefer('tx', 'rollback');
  made.dry = [dry.status, dry.headers.get('preference-applied')];
  made.thrown = await db
    .from('products')
    .insert({ name: 'x', maker_id: 99 })
    .orThrow()
    .catch((error: unknown) =>
      error instanceof Error ? [error.name, error.message, 'code' in error && error.code] : error,
    );
  return made;
}

/** What the types refuse; nothing calls it. */
export const refused = (db: Client<Database, 'shop'>): readonly unknown[] => [
  // @ts-expect-error: no such relation
  db.from('nothing'),
  // @ts-expect-error: no such column
  db.from('products').select('id,colour'),
  // @ts-expect-error: no such column of the embedded relation
  db.from('products').select('id,makers(colour)'),
  // @ts-expect-error: no such relationship
  db.from('makers').select('id,labels(word)'),
  // @ts-expect-error: no such column
  db.from('products').select().where('colour', 'eq', 'red'),
  // @ts-expect-error: a number
  db.from('products').select().where('price', 'gt', 'cheap'),
  // @ts-expect-error: no pattern for numbers
  db.from('products').select().where('price', 'like', '1*'),
  // @ts-expect-error: not a label of the enum
  db.from('products').select().where('size', 'eq', 'huge'),
  // @ts-expect-error: a list
  db.from('products').select().where('id', 'in', 1),
  // @ts-expect-error: no such operator
  db.from('products').select().where('id', 'equals', 1),
  // @ts-expect-error: an array of PostgreSQL is no JSON
  db.from('products').select().where('facts', 'cs', ['a']),
  // @ts-expect-error: no such column
  db.from('products').insert({ name: 'x', colour: 'red' }),
  // @ts-expect-error: a required column is missing
  db.from('products').insert({ price: 1 }),
  // @ts-expect-error: not a label of the enum
  db.from('products').update({ size: 'huge' }),
  // @ts-expect-error: the database makes the column
  db.from('products').update({ code: 1 }),
  // @ts-expect-error: an argument is missing
  db.call('priced', {}),
  // @ts-expect-error: an argument is missing
  db.call('priced'),
  // @ts-expect-error: no such function
  db.call('nothing'),
  // @ts-expect-error: the view cannot be written
  db.from('counted').insert({ count: 1 }),
  // @ts-expect-error: no such preference
  db.from('products').select().prefer('tx', 'maybe'),
  // @ts-expect-error: no such schema
  db.schema('attic'),
  // @ts-expect-error: no request
  db.batch({ one: 1 }),
];
