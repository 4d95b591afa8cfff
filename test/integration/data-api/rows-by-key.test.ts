import { expect } from 'chai';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { emptied } from '../../support/data-api/emptied.js';
import { exchange } from '../../support/service/exchange.js';

const SCHEMA = `
  create role keyed_reader;
  create schema shop;
  create table shop.plants (
    id int primary key, code text unique, name text default 'unnamed', height int default 1,
    position int, object text, price numeric(8,2)
  );
  create table shop.beds (garden int, bed int, plant int references shop.plants, note text, primary key (garden, bed));
  create table shop.notes (body text);
  create view shop.named as select id, name from shop.plants;
  create view shop.slow as select id, height from shop.plants where height > 0 union all select -1, 0;
  create function shop.change_slow() returns trigger language plpgsql as $$
    begin
      update shop.plants set height = new.height where id = new.id;
      return new;
    end $$;
  create trigger change_slow instead of update on shop.slow for each row execute function shop.change_slow();
  create table shop.owned (id int primary key, owner text, title text);
  alter table shop.owned enable row level security;
  create policy own on shop.owned using (owner = current_user);
  grant usage on schema shop to keyed_reader;
  grant select, insert, delete on all tables in schema shop to keyed_reader;
  grant update (name, height, position, object, price, code) on shop.plants to keyed_reader;
  grant update on shop.beds, shop.notes, shop.named, shop.slow, shop.owned to keyed_reader;
`;
const ROWS = `
  ${emptied(`shop.plants, shop.beds, shop.owned, shop.notes`)}
  insert into shop.plants (id, code, name, height, position, object, price) values
    (1, 'f', 'fern', 10, 7, 'o1', 1.50), (2, 'm', 'moss', 2, 8, 'o2', 2.50), (3, 'i', 'ivy', 30, 9, 'o3', 3.50);
  insert into shop.beds values (1, 1, 1, 'a'), (1, 2, 2, 'b'), (2, 1, 3, 'c');
  insert into shop.owned values (1, 'keyed_reader', 'mine'), (2, 'other', 'theirs');
`;

describe('rows by key', function () {
  this.timeout(120_000);
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(SCHEMA, 'keyed_reader', {
      'db-schemas': 'shop',
      'db-tx-end': 'commit-allow-override',
    });
  });
  after(() => service.stop());
  beforeEach(async () => {
    await service.session.script(ROWS);
  });

  const patch = async (path: string, body: unknown, prefer: string, type = 'application/json') => {
    const { status, headers, json } = await exchange(`${service.url}${path}`, 'PATCH', {
      headers: { Prefer: prefer, 'Content-Type': type },
      body,
    });
    return {
      status,
      range: headers.get('content-range') ?? undefined,
      applied: headers.get('preference-applied') ?? undefined,
      body: json,
    };
  };
  const stored = async (columns = 'id, name, height') =>
    await service.session.query(`select ${columns} from shop.plants order by id`);

  it('updates each row by the object with its key, and returns the rows in the order of the objects', async () => {
    const objects = [
      { id: 3, height: 31 },
      { id: 1, height: 11 },
    ];
    const answer = await patch(
      '/plants?select=id,name,height',
      objects,
      'match=keys, return=representation, count=exact',
    );
    expect(answer).to.deep.equal({
      status: 200,
      range: '0-1/2',
      applied: 'match=keys, return=representation, count=exact',
      body: [
        { id: 3, name: 'ivy', height: 31 },
        { id: 1, name: 'fern', height: 11 },
      ],
    });
    expect(await stored()).to.deep.equal([
      { id: 1, name: 'fern', height: 11 },
      { id: 2, name: 'moss', height: 2 },
      { id: 3, name: 'ivy', height: 31 },
    ]);
  });

  it('updates rows by a key that is named more often than a function takes arguments', async () => {
    const keys = Array.from({ length: 250 }, () => 'id').join(',');
    const { status } = await patch(`/plants?on_conflict=${keys}`, [{ id: 1, height: 12 }], 'match=keys');
    expect(status).to.equal(204);
    expect((await stored())[0]).to.deep.equal({ id: 1, name: 'fern', height: 12 });
  });

  it('counts objects without a row in Content-Range, and refuses them with handling=strict', async () => {
    const objects = [
      { id: 1, height: 11 },
      { id: 8, height: 80 },
      { id: 9, height: 90 },
    ];
    const strict = await patch('/plants', objects, 'match=keys, handling=strict');
    expect(strict).to.deep.equal({
      status: 400,
      range: undefined,
      applied: undefined,
      body: {
        code: 'DBR151',
        message: 'Some objects have no row',
        details: '2 of the objects match no row',
        hint: null,
      },
    });
    expect((await stored())[0]).to.include({ height: 10 });
    const lenient = await patch('/plants', objects, 'match=keys, count=exact');
    expect(lenient).to.include({ status: 204, range: '0-0/3' });
    expect((await stored())[0]).to.include({ height: 11 });
  });

  it('refuses an object without a key, and one whose key an earlier object has', async () => {
    const fault = (index: number) => ({
      code: 'DBR150',
      message: `The object with index ${String(index)} has no key of its own`,
      details: null,
      hint: null,
    });
    for (const [objects, index] of [
      [
        [
          { id: 1, height: 5 },
          { id: 2, height: 6 },
          { id: 1, height: 7 },
        ],
        2,
      ],
      [
        [
          { id: 1, height: 5 },
          { id: null, height: 6 },
        ],
        1,
      ],
      [[{ height: 5 }], 0],
      [[{}], 0],
    ] as const) {
      const answer = await patch('/plants', objects, 'match=keys, return=representation');
      expect(answer).to.deep.include({ status: 400, body: fault(index) });
    }
    // Columns are not checked before PostgreSQL reads the objects.
    const listed = await patch('/plants?columns=height', [{ id: 1, height: 4 }, { height: 5 }], 'match=keys');
    expect(listed).to.deep.include({ status: 400, body: fault(1) });
    expect((await stored())[0]).to.include({ height: 10 });
  });

  it('keeps columns that an object lacks, or writes null or the default as `missing` says', async () => {
    const objects = [
      { id: 1, name: 'bracken' },
      { id: 2, height: 3 },
    ];
    expect(await patch('/plants', objects, 'match=keys')).to.deep.include({ status: 400 });
    expect(await patch('/plants?columns=name,height', objects, 'match=keys')).to.include({ status: 204 });
    expect(await stored()).to.deep.equal([
      { id: 1, name: 'bracken', height: 10 },
      { id: 2, name: 'moss', height: 3 },
      { id: 3, name: 'ivy', height: 30 },
    ]);
    await patch('/plants?columns=name,height', objects, 'match=keys, missing=default');
    expect((await stored()).slice(0, 2)).to.deep.equal([
      { id: 1, name: 'bracken', height: 1 },
      { id: 2, name: 'unnamed', height: 3 },
    ]);
    await patch('/plants?columns=name,height', objects, 'match=keys, missing=null');
    expect((await stored()).slice(0, 2)).to.deep.equal([
      { id: 1, name: 'bracken', height: null },
      { id: 2, name: null, height: 3 },
    ]);
  });

  it('identifies rows by the columns of on_conflict, and writes the primary key then only if it is given', async () => {
    const objects = [
      { code: 'm', name: 'peat moss' },
      { code: 'zz', name: 'none' },
    ];
    const answer = await patch(
      '/plants?on_conflict=code&select=id,name',
      objects,
      'match=keys, return=representation, count=exact',
    );
    expect(answer).to.deep.include({ status: 200, range: '0-0/2', body: [{ id: 2, name: 'peat moss' }] });
  });

  it('identifies rows by a key of several columns, and returns embedded resources', async () => {
    const objects = [
      { garden: 2, bed: 1, note: 'sunny' },
      { garden: 1, bed: 1, note: 'wet' },
    ];
    const answer = await patch(
      '/beds?select=note,plants(name)',
      objects,
      'match=keys, return=representation',
    );
    expect(answer.body).to.deep.equal([
      { note: 'sunny', plants: { name: 'ivy' } },
      { note: 'wet', plants: { name: 'fern' } },
    ]);
  });

  it('applies filters of the URL, max-affected and tx=rollback', async () => {
    const objects = [1, 2, 3].map((id) => ({ id, height: 99 }));
    const narrow = await patch('/plants?height=lt.20', objects, 'match=keys, count=exact');
    expect(narrow).to.include({ status: 204, range: '0-1/3' });
    expect((await stored())[2]).to.include({ height: 30 });
    const few = await patch('/plants', objects, 'match=keys, handling=strict, max-affected=2');
    expect(few.body).to.include({ code: 'DBR124', details: 'The query affects 3 rows' });
    const tried = await patch('/plants', objects, 'match=keys, tx=rollback');
    expect(tried).to.include({ status: 204, applied: 'match=keys, tx=rollback' });
    expect((await stored())[2]).to.include({ height: 30 });
  });

  it('writes columns with the names that the statement uses itself', async () => {
    const objects = [
      { id: 1, position: 70, object: 'new' },
      { id: 2, position: 80 },
    ];
    const answer = await patch(
      '/plants?columns=position,object&select=id,position,object',
      objects,
      'match=keys, return=representation',
    );
    expect(answer.body).to.deep.equal([
      { id: 1, position: 70, object: 'new' },
      { id: 2, position: 80, object: 'o2' },
    ]);
  });

  it('accepts one object, CSV, no object, and objects with nothing but keys', async () => {
    expect(await patch('/plants', { id: 1, height: 12 }, 'match=keys, count=exact')).to.include({
      status: 204,
      range: '0-0/1',
    });
    expect(await patch('/plants', 'id,height\n1,13\n2,14\n', 'match=keys', 'text/csv')).to.include({
      status: 204,
    });
    expect(await stored('height')).to.deep.equal([{ height: 13 }, { height: 14 }, { height: 30 }]);
    expect(await patch('/plants', [], 'match=keys, count=exact')).to.include({ status: 204, range: '*/0' });
    expect(await patch('/plants', [{ id: 1 }], 'match=keys, count=exact')).to.include({
      status: 204,
      range: '*/1',
    });
    // Nothing is written, so no row is looked for.
    expect(await patch('/plants', [{ id: 1 }], 'match=keys, handling=strict')).to.include({ status: 204 });
    const twice = await patch('/plants', [{ id: 1 }, { id: 1 }], 'match=keys');
    expect(twice.body).to.include({ code: 'DBR150' });
  });

  it('updates views, those with INSTEAD OF triggers, and rows that policies show', async () => {
    const view = await patch('/named?on_conflict=id', [{ id: 1, name: 'n' }], 'match=keys, count=exact');
    expect(view).to.include({ status: 204, range: '0-0/1' });
    const triggered = await patch('/slow?on_conflict=id', [{ id: 2, height: 5 }], 'match=keys, count=exact');
    expect(triggered).to.include({ status: 204, range: '0-0/1' });
    expect(await stored()).to.deep.include({ id: 2, name: 'moss', height: 5 });
    const objects = [
      { id: 1, title: 'x' },
      { id: 2, title: 'y' },
    ];
    const owned = await patch(
      '/owned?select=id,title',
      objects,
      'match=keys, return=representation, count=exact',
    );
    expect(owned).to.deep.include({ range: '0-0/2', body: [{ id: 1, title: 'x' }] });
  });

  it('refuses what it cannot do, and ignores the preference elsewhere', async () => {
    const refused = async (path: string, body: unknown, expected: Readonly<Record<string, unknown>>) => {
      const { status, body: error } = await patch(path, body, 'match=keys');
      expect(status, path).to.equal(expected['status'] ?? 400);
      expect(error, path).to.include({ code: expected['code'] });
    };
    await refused('/notes', [{ body: 'x' }], { code: 'DBR150' });
    await refused('/plants?order=id&limit=1', [{ id: 1, height: 2 }], { code: 'DBR150' });
    await refused('/plants?on_conflict=nothing', [{ id: 1, height: 2 }], { code: 'DBR204' });
    await refused('/plants', [{ id: 1, nothing: 2 }], { code: 'DBR204' });
    await refused('/plants', [{ id: 'one', height: 2 }], { code: '22P02' });
    await refused('/plants', '[1,2]', { code: 'DBR102' });
    await refused('/plants?columns=height', '[1,2]', { code: '22023' });
    await refused('/plants?columns=height', '[{"id":1,', { code: '22P02' });
    const without = await patch('/plants?id=eq.1', { height: 15 }, 'count=exact');
    expect(without).to.include({ status: 204, range: '0-0/1', applied: 'count=exact' });
    const inserted = await exchange(`${service.url}/notes`, 'POST', {
      headers: { Prefer: 'match=keys' },
      body: { body: 'b' },
    });
    expect(inserted).to.include({ status: 201 });
    expect(inserted.headers.get('preference-applied')).to.equal(null);
  });
});
