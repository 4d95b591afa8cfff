import { expect } from 'chai';
import { SignJWT } from 'jose';
import { join } from 'node:path';
import { newApiKey } from '../../../src/auth/api-keys.js';
import { sha256 } from '../../../src/base/hash.js';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { CLIENTS, type Client } from '../../clients/clients.mjs';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const READER = 'dbr_clients_reader';

const SCHEMA = `
  drop role if exists ${READER};
  create role ${READER};
  create schema archive;
  create table public.authors (id int primary key, name text unique);
  create table public.books (
    id text primary key,
    title text default 'untitled',
    author int references public.authors,
    pages int,
    tags text[],
    words tsvector generated always as (to_tsvector('english', title)) stored
  );
  create table public.loans (book text, reader text, primary key (book, reader));
  create table archive.books (id text primary key);
  insert into archive.books values ('old');
  create function public.add(a int, b int) returns int language sql immutable as 'select a + b';
  create function public.books_of(who text) returns setof public.books language sql stable as $$
    select b.* from public.books b join public.authors a on a.id = b.author where a.name = who
  $$;
  create function public.refuse() returns void language plpgsql as $$
    begin raise exception 'not today'; end
  $$;
  grant usage on schema public, archive to ${READER};
  grant all on all tables in schema public, archive to ${READER};
`;

const DATA = `
  truncate public.authors, public.books, public.loans;
  insert into public.authors values (1, 'Melville'), (2, 'Woolf'), (3, 'Sappho');
  insert into public.books (id, title, author, pages, tags) values
    ('a,b', 'Moby Dick, or the Whale', 1, 600, '{long,sea}'),
    ('c"d', 'Typee', 1, 120, '{short}'),
    ('e(f)', 'To the Lighthouse', 2, 300, '{sea}'),
    ('x', 'Orlando', 2, 250, null),
    ('y', 'The Waves on the sea', 2, null, null);
  insert into public.loans values ('x', 'rosa'), ('y', 'karl');
`;

const titleOf = ({ name, version }: Client): string => `${name} ${version}`;

/** What postgrest-js gives for each operation. @param code spelling of the codes of the service */
const queried = (code: 'DBR' | 'PGRST'): Readonly<Record<string, unknown>> => ({
  read: [
    { id: 'a,b', title: 'Moby Dick, or the Whale' },
    { id: 'c"d', title: 'Typee' },
    { id: 'e(f)', title: 'To the Lighthouse' },
    { id: 'x', title: 'Orlando' },
    { id: 'y', title: 'The Waves on the sea' },
  ],
  range: [{ id: 'x' }, { id: 'e(f)' }],
  filter: [{ id: 'a,b' }, { id: 'e(f)' }, { id: 'x' }],
  'filter by keys with commas and quotes': [
    { title: 'Moby Dick, or the Whale' },
    { title: 'To the Lighthouse' },
    { title: 'Typee' },
  ],
  'filter of text search': [{ id: 'y' }],
  embed: [
    { title: 'Orlando', authors: { name: 'Woolf' } },
    { title: 'The Waves on the sea', authors: { name: 'Woolf' } },
    { title: 'To the Lighthouse', authors: { name: 'Woolf' } },
  ],
  'embed to many': [
    {
      name: 'Woolf',
      books: [{ title: 'To the Lighthouse' }, { title: 'Orlando' }, { title: 'The Waves on the sea' }],
    },
  ],
  insert: [{ id: 'n', title: 'New', pages: null }],
  'insert many': {
    data: [
      { id: 'n', title: 'untitled' },
      { id: 'm', title: 'More' },
    ],
    count: 2,
  },
  upsert: [
    { id: 'a,b', title: 'Changed' },
    { id: 'n', title: 'New' },
  ],
  'upsert that ignores': [],
  update: [{ id: 'a,b', pages: 1 }],
  delete: { data: [{ id: 'c"d' }], count: 1 },
  'function by POST': 3,
  'function by GET': 3,
  'function that returns rows': [{ title: 'Orlando' }],
  count: { data: null, count: 5 },
  'one row': { title: 'To the Lighthouse' },
  'no row': null,
  csv: 'id,name\n1,Melville\n2,Woolf\n3,Sappho',
  schema: [{ id: 'old' }],
  'error: not one row': {
    status: 406,
    code: `${code}116`,
    message: 'JSON object requested, multiple (or no) rows returned',
  },
  'error: unknown table': {
    status: 404,
    code: '42P01',
    message: 'relation "public.missing" does not exist',
  },
  'error: unknown relationship': {
    status: 400,
    code: `${code}200`,
    message: "Could not find a relationship between 'books' and 'authers' in the schema cache",
  },
  'error: duplicate key': {
    status: 409,
    code: '23505',
    message: 'duplicate key value violates unique constraint "books_pkey"',
  },
  'error: raised': { status: 400, code: 'P0001', message: 'not today' },
});

/** What ra-data-postgrest gives. */
const provided = (code: 'DBR' | 'PGRST'): Readonly<Record<string, unknown>> => ({
  read: {
    data: [
      { id: 1, name: 'Melville' },
      { id: 3, name: 'Sappho' },
    ],
    total: 3,
  },
  filter: { data: [{ id: 'e(f)' }, { id: 'a,b' }], total: 2 },
  embed: { id: 'e(f)', authors: { id: 2, name: 'Woolf' } },
  'one of a key with commas': { id: 'a,b', title: 'Moby Dick, or the Whale' },
  'one of a key with quotes': { id: 'c"d', title: 'Typee' },
  'one of a key of two columns': { book: 'x', reader: 'rosa', id: '["x","rosa"]' },
  many: [
    { id: 1, name: 'Melville' },
    { id: 2, name: 'Woolf' },
  ],
  'many of text keys': [{ id: 'x' }, { id: 'y' }],
  'many of keys with quotes': [{ id: 'c"d' }, { id: 'x' }],
  // The client writes in.(a,b,x) without quotes, which names three keys.
  'many of keys with commas': [{ id: 'x' }],
  'many of keys of two columns': [
    { book: 'x', reader: 'rosa', id: '["x","rosa"]' },
    { book: 'y', reader: 'karl', id: '["y","karl"]' },
  ],
  reference: { data: [{ id: 'e(f)' }, { id: 'x' }], total: 3 },
  insert: { id: 9, name: 'Le Guin' },
  update: { id: 'c"d', pages: 7 },
  'update many': ['x', 'y'],
  delete: { id: 'a,b' },
  'delete many': ['["x","rosa"]', '["y","karl"]'],
  function: { data: [{ id: 'e(f)' }, { id: 'x' }], total: 3 },
  'error: not one row': {
    status: 406,
    code: `${code}116`,
    message: 'JSON object requested, multiple (or no) rows returned',
  },
  'error: duplicate key': {
    status: 409,
    code: '23505',
    message: 'duplicate key value violates unique constraint "authors_pkey"',
  },
  'error: raised': { status: 400, code: 'P0001', message: 'not today' },
});

/** A key of the form that Supabase gives to pages, in place of a token. */
const API_KEY = newApiKey('publishable');
const VARIANTS = [
  { name: 'none', compatibility: 'none', code: 'DBR', keyed: false },
  { name: 'postgrest', compatibility: 'postgrest', code: 'PGRST', keyed: false },
  { name: 'none, key', compatibility: 'none', code: 'DBR', keyed: true },
] as const;

describe('published clients', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let session: Session;
  let token = '';
  const services = new Map<string, TestService>();
  const results = new Map<string, number>();

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(SCHEMA);
    token = await new SignJWT({ role: READER })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(Buffer.from(SECRET));
    await migrate(database.uri, join(packageRoot(), 'migrations'));
    await session.query(
      "insert into dbr_keys.api_keys (id, hash, name, role) values ('0123456789ab', $1, 'clients', $2)",
      [sha256(API_KEY), READER],
    );
    for (const { name, compatibility, keyed } of VARIANTS) {
      const service = await startTestService(
        {
          areas: 'data-api',
          compatibility,
          'api-keys': String(keyed),
          'db-uri': database.uri,
          'db-schemas': 'public, archive',
          'db-channel-enabled': 'false',
          'jwt-secret': SECRET,
          'server-path-prefix': '/rest/v1',
        },
        { logLevel: 'crit' },
      );
      services.set(name, service);
      await untilReady(service);
    }
  });
  after(async () => {
    for (const service of services.values()) await service.stop();
    await session.script(`drop owned by ${READER}; drop role ${READER}`);
    await session.close();
    await database.drop();
    process.stdout.write(tableOf(results));
  });
  beforeEach(() => session.script(DATA));

  for (const { name: variant, code, keyed } of VARIANTS) {
    for (const client of CLIENTS) {
      const expected = client.name === 'ra-data-postgrest' ? provided(code) : queried(code);
      describe(`${titleOf(client)}, compatibility ${variant}`, () => {
        it('has an expectation for each operation', () => {
          expect(Object.keys(client.operations)).to.have.members(Object.keys(expected));
        });
        for (const [operation, run] of Object.entries(client.operations))
          it(operation, async () => {
            const url = services.get(variant)?.url ?? '';
            expect(await run({ url, token: keyed ? API_KEY : token })).to.deep.equal(expected[operation]);
            const row = `${titleOf(client)}|${variant}`;
            results.set(row, (results.get(row) ?? 0) + 1);
          });
      });
    }
  }
});

/** The operations of each client that gave what was expected, as a table. */
function tableOf(results: ReadonlyMap<string, number>): string {
  const lines = [...results].map(([row, passed]) => {
    const [title = '', compatibility = ''] = row.split('|');
    const all = CLIENTS.find((client) => titleOf(client) === title)?.operations ?? {};
    return `${title.padEnd(36)} ${compatibility.padEnd(14)} ${passed} of ${Object.keys(all).length}\n`;
  });
  return `\n${'client'.padEnd(36)} compatibility  operations as expected\n${lines.join('')}\n`;
}
