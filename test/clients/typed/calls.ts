/**
 * supabase-js over the types that `dbr types` has written to `database.ts`. What must not compile has
 * `@ts-expect-error`: the compiler fails if it does.
 */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
// @ts-expect-error: the package has no types.
import WebSocket from 'ws';
import type { Database } from './out/database';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const sameType = <T extends true>(same: T): T => same;

export async function calls(url: string): Promise<unknown> {
  const supabase = createClient<Database, 'shop'>('http://localhost', 'key', {
    db: { schema: 'shop' },
    global: {
      fetch: (path, init) => {
        const headers = new Headers(init?.headers);
        // The key of Supabase is no token of the service.
        headers.delete('authorization');
        // The path of Supabase is /rest/v1.
        return fetch(String(path).replace('http://localhost/rest/v1', url), { ...init, headers });
      },
    },
    auth: { persistSession: false },
    // Node.js 20 has no WebSocket of its own.
    realtime: { transport: WebSocket },
  });
  const products = await supabase
    .from('products')
    .select('id,name,size,maker:makers(name),labels(word)')
    .order('id');
  sameType<
    Equal<
      NonNullable<typeof products.data>[number],
      {
        id: number;
        name: string;
        size: 'small' | 'large' | null;
        maker: { name: string } | null;
        labels: { word: string }[];
      }
    >
  >(true);
  const makers = await supabase
    .from('makers')
    .select('name,products(name),details(phone)')
    .eq('id', 1)
    .single();
  sameType<
    Equal<
      typeof makers.data,
      { name: string; products: { name: string }[]; details: { phone: string | null } | null } | null
    >
  >(true);
  const inserted = await supabase
    .from('products')
    .insert({ name: 'lamp', tags: ['new'], facts: { watts: 5 } })
    .select('name,tags,shout')
    .single();
  sameType<Equal<typeof inserted.data, { name: string; tags: string[] | null; shout: string | null } | null>>(
    true,
  );
  const called = await supabase.rpc('priced', { most: 10 }).select('name').order('id');
  sameType<Equal<NonNullable<typeof called.data>[number], { name: string }>>(true);
  const total = await supabase.rpc('total', { ids: [1, 2] });
  sameType<Equal<typeof total.data, number | null>>(true);
  const cheap = await supabase.from('cheap').select('name,makers(name)').order('name');

  for (const { error } of [products, makers, inserted, called, total, cheap])
    if (error) throw new Error(error.message);
  return {
    products: products.data,
    makers: makers.data,
    inserted: inserted.data,
    called: called.data,
    total: total.data,
    cheap: cheap.data,
  };
}

/** What the types refuse; nothing calls it. */
export const refused = (supabase: SupabaseClient<Database, 'shop'>): readonly unknown[] => [
  // @ts-expect-error: no such relation
  supabase.from('nothing'),
  // @ts-expect-error: no such column
  supabase.from('products').insert({ name: 'x', colour: 'red' }),
  // @ts-expect-error: a required column is missing
  supabase.from('products').insert({ price: 1 }),
  // @ts-expect-error: not a label of the enum
  supabase.from('products').update({ size: 'huge' }),
  // @ts-expect-error: the database makes the column
  supabase.from('products').update({ code: 1 }),
  // @ts-expect-error: an argument is missing
  supabase.rpc('priced', {}),
  // @ts-expect-error: the view cannot be written
  supabase.from('counted').insert({ count: 1 }),
];
