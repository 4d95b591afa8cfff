import { expect } from 'chai';
import { database, type Answer, type Database } from '../../../packages/client/src/database.js';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';

const SCHEMA = `
  create role attic_user;
  create schema house;
  create schema attic;
  create table house.boxes (id int primary key, note text);
  create table attic.boxes (id int primary key, note text);
  create table house.odd ("a\\b" int, "c,d" int unique, "e f" int, "g""h" int, "order" int, "p:q" int);
  create function house.joined(variadic words text[]) returns text language sql stable
    as $$ select array_to_string(words, '|', 'null') $$;
  create function house.listed(words text[], other text default 'none') returns text language sql stable
    as $$ select array_to_string(words, '|', 'null') || coalesce(other, '(null)') $$;
  create function house.echo(said text) returns text language sql stable as 'select said';
  create function house.named("limit" int, "a.b" text, "select" text) returns text language sql stable
    as $$ select concat_ws('|', "limit", "a.b", "select") $$;
  create function house.sized(box house.boxes, size float8) returns text language sql stable
    as $$ select box.note || size $$;
  create function house.tens(a int, b int default 5) returns int language sql stable as 'select a * 10 + b';
  grant usage on schema house, attic to attic_user;
  grant all on all tables in schema house to attic_user;
  grant all on all tables in schema attic to attic_user;
`;

interface Boxes {
  readonly Row: { readonly id: number; readonly note: string | null };
  readonly Insert: { readonly id: number; readonly note?: string };
  readonly Relationships: [];
}
interface Odd {
  readonly Row: Readonly<Record<'a\\b' | 'c,d' | 'e f' | 'g"h' | 'order' | 'p:q', number | null>>;
  readonly Insert: Partial<Odd['Row']>;
  readonly Relationships: [];
}
interface Tens {
  readonly Args: { readonly a: number; readonly b?: number | undefined };
  readonly Returns: number;
}
interface Words {
  readonly Args: { readonly words: readonly (string | null)[]; readonly other?: string | null };
  readonly Returns: string;
}
interface Echo {
  readonly Args: { readonly said: string };
  readonly Returns: string;
}
interface Named {
  readonly Args: { readonly limit: number; readonly 'a.b': string; readonly select: string };
  readonly Returns: string;
}
interface Sized {
  readonly Args: { readonly box: Boxes['Row']; readonly size: number };
  readonly Returns: string;
}
type None = Record<never, never>;
interface House {
  readonly house: {
    readonly Tables: { readonly boxes: Boxes; readonly odd: Odd };
    readonly Views: None;
    readonly Functions: {
      readonly tens: Tens;
      readonly joined: Words;
      readonly listed: Words;
      readonly echo: Echo;
      readonly named: Named;
      readonly sized: Sized;
    };
  };
  readonly attic: {
    readonly Tables: { readonly boxes: Boxes };
    readonly Views: None;
    readonly Functions: None;
  };
}

const outcome = ({ status, data, error }: Answer<unknown>) => [status, error === null ? data : error.message];

describe('the typed client', () => {
  let service: DataApiService;
  let house: Database<House, 'house'>;
  let attic: Database<House, 'attic'>;

  before(async () => {
    service = await startDataApiService(SCHEMA, 'attic_user', { 'db-schemas': 'house,attic' });
    house = database<House, 'house'>(service.url);
    attic = house.schema('attic');
  });
  after(() => service.stop());

  it('sends each item of a batch to the schema of its own client', async () => {
    const mixed = await house.batch({
      one: house.from('boxes').insert({ id: 1, note: 'house' }),
      two: attic.from('boxes').insert({ id: 2, note: 'attic' }),
      read: attic.from('boxes').select('id'),
    });
    expect(mixed.error).to.equal(null);
    expect(mixed.data?.read.data).to.deep.equal([{ id: 2 }]);
    const other = await attic.batch({
      one: house.from('boxes').select('id'),
      two: attic.from('boxes').select('id'),
    });
    expect(other.error).to.equal(null);
    expect([other.data?.one.data, other.data?.two.data]).to.deep.equal([[{ id: 1 }], [{ id: 2 }]]);
  });

  it('writes, whatever way its answer is asked for', async () => {
    const boxes = house.from('boxes');
    await boxes.insert([{ id: 10 }, { id: 11 }, { id: 12 }]).orThrow();
    expect(outcome(await boxes.delete().where('id', 'eq', 10).inBody())).to.deep.equal([204, null]);
    expect(outcome(await boxes.delete().select('id').where('id', 'eq', 11).head())).to.deep.equal([
      200,
      null,
    ]);
    expect(outcome(await boxes.insert({ id: 13 }).head())).to.deep.equal([201, null]);
    expect(outcome(await boxes.select('id').where('id', 'gte', 10).order('id').inBody())).to.deep.equal([
      200,
      [{ id: 12 }, { id: 13 }],
    ]);
  });

  it('inserts rows of which some or all have no columns', async () => {
    const boxes = house.from('boxes');
    expect(outcome(await boxes.insert([]).select('id'))).to.deep.equal([201, []]);
    // A program without the types may leave a column undefined.
    const given = [{ id: 20, note: undefined as unknown as string }];
    const columns = boxes.insert(given).request.parameters;
    expect(columns).to.deep.equal([['columns', '"id"']]);
    expect(outcome(await boxes.insert(given).select())).to.deep.equal([201, [{ id: 20, note: null }]]);
  });

  it('sends a read with its query in the body as an item of a batch, too', async () => {
    const { data, error } = await house.batch({
      one: house.from('boxes').insert({ id: 21, note: 'a&b=c' }),
      two: house.from('boxes').select('id').where('note', 'eq', 'a&b=c').inBody(),
    });
    expect([error, data?.two.data]).to.deep.equal([null, [{ id: 21 }]]);
  });

  it('ends a request that waits for its token when its signal is aborted', async () => {
    const waiting = database<House, 'house'>(service.url, { token: () => new Promise(() => undefined) });
    const abort = new AbortController();
    const read = waiting.from('boxes').select().signal(abort.signal).orThrow();
    const reason = new Error('the page was left');
    abort.abort(reason);
    expect(await read.catch((error: unknown) => error)).to.equal(reason);
  });

  it('reads a long row in time that grows with its length', async () => {
    const piece = new TextEncoder().encode('x'.repeat(1000));
    const pieces = 20_000;
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === 0) controller.enqueue(new TextEncoder().encode('"'));
        controller.enqueue(piece);
        if (++sent < pieces) return;
        controller.enqueue(new TextEncoder().encode('"\r\n1'));
        controller.close();
      },
    });
    const long = database<House, 'house'>(service.url, { fetch: () => Promise.resolve(new Response(body)) });
    const rows: unknown[] = [];
    for await (const row of long.from('boxes').select().stream()) rows.push(row);
    expect(rows.map((row) => String(row).length)).to.deep.equal([pieces * 1000, 1]);
  });

  it('quotes columns whose names have other characters', async () => {
    const odd = house.from('odd');
    const row = { 'a\\b': 1, 'c,d': 2, 'e f': 3, 'g"h': 4, order: 5, 'p:q': 6 };
    await odd.insert([row]).orThrow();
    await odd
      .insert([{ ...row, order: 7 }], { onConflict: ['c,d'], resolution: 'merge-duplicates' })
      .orThrow();
    for (const column of ['a\\b', 'c,d', 'e f', 'g"h', 'p:q'] as const) {
      const found = odd.select('order').where(column, 'eq', row[column]).order(column);
      expect(outcome(await found), column).to.deep.equal([200, [{ order: 7 }]]);
      const either = odd.select('order').or((where) => [where(column, 'eq', row[column])]);
      expect(outcome(await either), column).to.deep.equal([200, [{ order: 7 }]]);
    }
  });

  it('leaves out arguments that are undefined', async () => {
    for (const method of ['GET', 'POST'] as const)
      expect(outcome(await house.call('tens', { a: 1, b: undefined }, { method })), method).to.deep.equal([
        200, 15,
      ]);
  });

  it('gives a function the same arguments by GET and by POST', async () => {
    const words = ['a', 'b,"c', null];
    for (const method of ['GET', 'POST'] as const) {
      const text = async (call: PromiseLike<Answer<string>>) => outcome(await call);
      expect(await text(house.call('joined', { words }, { method }))).to.deep.equal([200, 'a|b,"c|null']);
      expect(await text(house.call('listed', { words, other: null }, { method }))).to.deep.equal([
        200,
        'a|b,"c|null(null)',
      ]);
      for (const said of [
        '',
        'a',
        'eq.x',
        'not.in.(1)',
        'fts(german).x',
        'eq(any).{1}',
        '(*)',
        'a&b=c;+%20d',
      ])
        expect(await text(house.call('echo', { said }, { method })), said).to.deep.equal([200, said]);
      expect(
        await text(house.call('named', { limit: 1, 'a.b': 'x', select: 'y' }, { method })),
      ).to.deep.equal([200, '1|x|y']);
      expect(
        await text(house.call('sized', { box: { id: 1, note: 'n' }, size: 1.5 }, { method })),
      ).to.deep.equal([200, 'n1.5']);
    }
    expect(house.call('echo', { said: 'a' }, { method: 'GET' }).request.method).to.equal('GET');
  });
});
