/** Published clients of PostgREST's API, whose packages `make install-clients` puts beside this file. */
import { fetchWithToken, NeonPostgrestClient } from '@neondatabase/postgrest-js';
import raDataPostgrest from '@raphiniert/ra-data-postgrest';
import { PostgrestClient } from '@supabase/postgrest-js';
import { createClient } from '@supabase/supabase-js';
import { readFileSync } from 'node:fs';
import { fetchUtils } from 'ra-core';
import WebSocket from 'ws';

const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

/** Data, count, or the error with its status. */
async function outcome(query) {
  const { data, error, count, status } = await query;
  if (error !== null) return { status, code: error.code, message: error.message };
  return count === null || count === undefined ? data : { data, count };
}

/** Operations of the clients that are made of postgrest-js. */
const QUERIES = {
  read: (db) => outcome(db.from('books').select('id,title').order('id')),
  range: (db) => outcome(db.from('books').select('id').order('id', { ascending: false }).range(1, 2)),
  filter: (db) =>
    outcome(
      db
        .from('books')
        .select('id')
        .or('pages.gt.200,tags.cs.{short}')
        .not('pages', 'is', null)
        .ilike('title', '%o%')
        .order('id'),
    ),
  'filter by keys with commas and quotes': (db) =>
    outcome(db.from('books').select('title').in('id', ['a,b', 'c"d', 'e(f)', 'no']).order('title')),
  'filter of text search': (db) =>
    outcome(db.from('books').select('id').textSearch('words', 'sea', { type: 'websearch' })),
  embed: (db) =>
    outcome(db.from('books').select('title,authors!inner(name)').eq('authors.name', 'Woolf').order('title')),
  'embed to many': (db) => outcome(db.from('authors').select('name,books(title)').eq('id', 2)),
  insert: (db) =>
    outcome(db.from('books').insert({ id: 'n', title: 'New', author: 1 }).select('id,title,pages')),
  'insert many': (db) =>
    outcome(
      db
        .from('books')
        .insert([{ id: 'n' }, { id: 'm', title: 'More' }], { defaultToNull: false, count: 'exact' })
        .select('id,title'),
    ),
  upsert: (db) =>
    outcome(
      db
        .from('books')
        .upsert(
          [
            { id: 'a,b', title: 'Changed' },
            { id: 'n', title: 'New' },
          ],
          { onConflict: 'id' },
        )
        .select('id,title'),
    ),
  'upsert that ignores': (db) =>
    outcome(db.from('books').upsert({ id: 'a,b', title: 'Changed' }, { ignoreDuplicates: true }).select()),
  update: (db) => outcome(db.from('books').update({ pages: 1 }).eq('id', 'a,b').select('id,pages')),
  delete: (db) => outcome(db.from('books').delete({ count: 'exact' }).eq('id', 'c"d').select('id')),
  'function by POST': (db) => outcome(db.rpc('add', { a: 1, b: 2 })),
  'function by GET': (db) => outcome(db.rpc('add', { a: 1, b: 2 }, { get: true })),
  'function that returns rows': (db) =>
    outcome(db.rpc('books_of', { who: 'Woolf' }).select('title').order('title').limit(1)),
  count: (db) => outcome(db.from('books').select('*', { count: 'exact', head: true })),
  'one row': (db) => outcome(db.from('books').select('title').eq('id', 'e(f)').single()),
  'no row': (db) => outcome(db.from('books').select('title').eq('id', 'no').maybeSingle()),
  csv: (db) => outcome(db.from('authors').select('id,name').order('id').csv()),
  schema: (db) => outcome(db.schema('archive').from('books').select('id')),
  'error: not one row': (db) => outcome(db.from('books').select('title').single()),
  'error: unknown table': (db) => outcome(db.from('missing').select()),
  'error: unknown relationship': (db) => outcome(db.from('books').select('authers(name)')),
  'error: duplicate key': (db) => outcome(db.from('books').insert({ id: 'a,b' })),
  'error: raised': (db) => outcome(db.rpc('refuse')),
};

const bearer = (token) => ({ Authorization: `Bearer ${token}` });

const queryClient = (name, packageName, open) => ({
  name,
  version: versionOf(packageName),
  operations: Object.fromEntries(
    Object.entries(QUERIES).map(([operation, run]) => [operation, (target) => run(open(target))]),
  ),
});

const supabase = ({ url, token }) =>
  createClient(url, token, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket },
  });

const postgrest = ({ url, token }) => new PostgrestClient(`${url}/rest/v1`, { headers: bearer(token) });

const neon = ({ url, token }) =>
  new NeonPostgrestClient({
    dataApiUrl: `${url}/rest/v1`,
    options: { global: { fetch: fetchWithToken(() => Promise.resolve(token)) } },
  });

/** The functions of a module of CommonJS that was compiled from one of ECMAScript. */
const provider = raDataPostgrest.default ?? raDataPostgrest;

const admin = ({ url, token }) =>
  provider({
    apiUrl: `${url}/rest/v1`,
    httpClient: (address, options) =>
      fetchUtils.fetchJson(address, { ...options, user: { authenticated: true, token: `Bearer ${token}` } }),
    defaultListOp: 'eq',
    primaryKeys: new Map([['loans', ['book', 'reader']]]),
    schema: () => '',
  });

const PAGE = { page: 1, perPage: 2 };

async function adminOutcome(request) {
  try {
    const { data, total } = await request;
    return total === undefined ? data : { data, total };
  } catch (error) {
    return { status: error.status, code: error.body?.code, message: error.message };
  }
}

/** Operations of the data provider of react-admin. */
const PROVIDED = {
  read: (db) =>
    db.getList('authors', { pagination: PAGE, sort: { field: 'name', order: 'ASC' }, filter: {} }),
  filter: (db) =>
    db.getList('books', {
      pagination: PAGE,
      sort: { field: 'id', order: 'DESC' },
      filter: { 'title@ilike': 'the', 'pages@gte': 100 },
      meta: { columns: ['id'] },
    }),
  embed: (db) => db.getOne('books', { id: 'e(f)', meta: { columns: ['id'], embed: ['authors'] } }),
  'one of a key with commas': (db) => db.getOne('books', { id: 'a,b', meta: { columns: ['id', 'title'] } }),
  'one of a key with quotes': (db) => db.getOne('books', { id: 'c"d', meta: { columns: ['id', 'title'] } }),
  'one of a key of two columns': (db) => db.getOne('loans', { id: '["x","rosa"]' }),
  many: (db) => db.getMany('authors', { ids: [1, 2], meta: { columns: ['id', 'name'] } }),
  'many of text keys': (db) => db.getMany('books', { ids: ['x', 'y'], meta: { columns: ['id'] } }),
  'many of keys with quotes': (db) => db.getMany('books', { ids: ['c"d', 'x'], meta: { columns: ['id'] } }),
  'many of keys with commas': (db) => db.getMany('books', { ids: ['a,b', 'x'], meta: { columns: ['id'] } }),
  'many of keys of two columns': (db) => db.getMany('loans', { ids: ['["x","rosa"]', '["y","karl"]'] }),
  reference: (db) =>
    db.getManyReference('books', {
      target: 'author',
      id: 2,
      pagination: PAGE,
      sort: { field: 'id', order: 'ASC' },
      filter: {},
      meta: { columns: ['id'] },
    }),
  insert: (db) =>
    db.create('authors', { data: { id: 9, name: 'Le Guin' }, meta: { columns: ['id', 'name'] } }),
  update: (db) =>
    db.update('books', {
      id: 'c"d',
      data: { id: 'c"d', pages: 7 },
      previousData: { id: 'c"d', pages: 120 },
      meta: { columns: ['id', 'pages'] },
    }),
  'update many': (db) => db.updateMany('books', { ids: ['x', 'y'], data: { pages: 7 } }),
  delete: (db) => db.delete('books', { id: 'a,b', meta: { columns: ['id'] } }),
  'delete many': (db) => db.deleteMany('loans', { ids: ['["x","rosa"]', '["y","karl"]'] }),
  function: (db) =>
    db.getList('rpc/books_of', {
      pagination: PAGE,
      sort: { field: 'id', order: 'ASC' },
      filter: { 'who@': 'Woolf' },
      meta: { columns: ['id'] },
    }),
  'error: not one row': (db) => db.getOne('books', { id: 'no' }),
  'error: duplicate key': (db) => db.create('authors', { data: { id: 1, name: 'Twice' } }),
  'error: raised': (db) => db.create('rpc/refuse', { data: {} }),
};

export const CLIENTS = [
  queryClient('supabase-js', '@supabase/supabase-js', supabase),
  queryClient('postgrest-js', '@supabase/postgrest-js', postgrest),
  queryClient("Neon's postgrest-js", '@neondatabase/postgrest-js', neon),
  {
    name: 'ra-data-postgrest',
    version: versionOf('@raphiniert/ra-data-postgrest'),
    operations: Object.fromEntries(
      Object.entries(PROVIDED).map(([operation, run]) => [
        operation,
        (target) => adminOutcome(run(admin(target))),
      ]),
    ),
  },
];
