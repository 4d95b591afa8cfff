import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { type DataApiService, startDataApiService } from '../../support/data-api/data-api-service.js';
import { read as readFrom, sharedCounts, together } from '../../support/data-api/read-together.js';

const SECRET = 'a secret of the tests that is long enough';
const suffix = randomBytes(4).toString('hex');
const ROLE = `shared_reads_${suffix}`;
const READER = `shared_reader_${suffix}`;

const SCRIPT = `
  create role ${ROLE} nologin;
  create role ${READER} nologin;
  create table public.films (id int primary key, title text not null, owner text);
  create table public.notes (id int primary key, owner text not null);
  create table public.secrets (id int primary key);
  create table public.parts (film_id int, number bigint, code varchar(20), primary key (film_id, number));
  create view public.claimed as
    select 1 as id, current_setting('request.jwt.claims', true)::json ->> 'sub' as sub;
  create type public.mood as enum ('calm');
  create function public.mood_json(public.mood) returns json language sql stable
    return current_setting('request.jwt.claims', true)::json -> 'sub';
  create cast (public.mood as json) with function public.mood_json(public.mood);
  create domain public.owner as text;
  create function public.is_own(public.owner, public.owner) returns boolean language sql stable
    return $1::text = current_setting('request.jwt.claims', true)::json ->> 'sub';
  create operator public.= (leftarg = public.owner, rightarg = public.owner, function = public.is_own);
  create table public.moods (id int primary key, mood public.mood, owner public.owner);
  insert into public.moods values (1, 'calm', 'a'), (2, 'calm', 'b');
  insert into public.films select n, 'Film ' || n, 'user ' || n % 3 from generate_series(1, 200) n;
  insert into public.films values (1000, E'quotes " and \\\\ and ''', null);
  insert into public.notes select n, 'user ' || n % 3 from generate_series(1, 30) n;
  insert into public.parts select n, n, 'code ' || n from generate_series(1, 30) n;
  grant select on public.films, public.notes, public.parts, public.claimed, public.moods to ${ROLE}, ${READER};
`;

describe('reads that share a statement', () => {
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(SCRIPT, ROLE, { 'jwt-secret': SECRET });
  });

  after(async () => {
    await service.session.script(`drop owned by ${READER}; drop role ${READER}`);
    await service.stop();
  });

  const tokenOf = (sub: string) =>
    new SignJWT({ role: READER, sub })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(SECRET));

  const read = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    readFrom(service, path, headers);

  const ids = Array.from({ length: 60 }, (_, index) => index + 1);

  it('gives each lookup its own row', async () => {
    const answers = await together(() => ids.map((id) => read(`/films?id=eq.${String(id)}&select=id,title`)));
    expect(answers).to.deep.equal(
      ids.map((id) => ({
        status: 200,
        body: `[{"id":${String(id)},"title":"Film ${String(id)}"}]`,
        range: '0-0/*',
      })),
    );
  });

  it('gives rows that are read alone the same bytes', async () => {
    const path = '/films?id=eq.1000';
    const alone = await read(path);
    const [first, second] = await together(() => [
      read(path),
      read(path),
      ...ids.map((id) => read(`/films?id=eq.${String(id)}`)),
    ]);
    expect(alone.body).to.equal(`[{"id":1000,"title":"quotes \\" and \\\\ and '","owner":null}]`);
    expect(first).to.deep.equal(alone);
    expect(second).to.deep.equal(alone);
  });

  it('compares each value of a key with several columns', async () => {
    const answers = await together(() =>
      ids.slice(0, 40).map((id) => {
        const text = String(id);
        return read(`/parts?film_id=eq.${text}&number=eq.${text}&code=eq.code%20${text}`);
      }),
    );
    expect(answers.map(({ body }) => body)).to.deep.equal(
      ids
        .slice(0, 40)
        .map((id) =>
          id > 30 ? '[]' : `[{"film_id":${String(id)},"number":${String(id)},"code":"code ${String(id)}"}]`,
        ),
    );
  });

  it('answers a lookup without a row, and one whose value is none of the type, beside others', async () => {
    const object = { Accept: 'application/vnd.pgrst.object+json' };
    const answers = await together(() => [
      read('/films?id=eq.7&select=id', object),
      read('/films?id=eq.5000&select=id', object),
      read('/films?id=eq.8&select=id'),
      read('/films?id=eq.seven&select=id'),
      read('/films?id=eq.5001&select=id'),
      read('/films?id=eq.9&select=id'),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 406, 200, 400, 200, 200]);
    expect(answers[0]?.body).to.equal('{"id":7}');
    expect(JSON.parse(answers[3]?.body ?? '')).to.include({ code: '22P02' });
    expect(answers[4]).to.deep.equal({ status: 200, body: '[]', range: '*/*' });
  });

  it('executes equal reads once, which metrics count', async () => {
    const path = '/films?select=id&id=lt.40&order=id.desc&limit=30';
    const expected = JSON.stringify(
      ids
        .slice(9, 39)
        .toReversed()
        .map((id) => ({ id })),
    );
    const before = await sharedCounts(service);
    const answers = await together(() => ids.map(() => read(path)));
    for (const { status, body } of answers) {
      expect(status).to.equal(200);
      expect(body.replaceAll(/\s/g, '')).to.equal(expected);
    }
    const { reads, statements } = await sharedCounts(service);
    expect(statements).to.be.greaterThan(before.statements);
    expect(reads - before.reads).to.be.greaterThanOrEqual(2 * (statements - before.statements));
  });

  it('sees what was committed before the request', async () => {
    for (let n = 0; n < 20; n += 1) {
      await service.session.script(`update public.films set title = 'Title ${String(n)}' where id = 5`);
      const answers = await Promise.all(ids.map(() => read('/films?id=eq.5&select=title')));
      for (const { body } of answers) expect(body).to.equal(`[{"title":"Title ${String(n)}"}]`);
    }
  });

  it('refuses each request of a role without the privilege', async () => {
    const answers = await together(() => ids.slice(0, 20).map((id) => read(`/secrets?id=eq.${String(id)}`)));
    for (const { status, body } of answers) {
      expect(status).to.equal(401);
      expect(JSON.parse(body)).to.include({ code: '42501' });
    }
  });

  it('does not share what a view reads of the claims', async () => {
    const users = ['a', 'b', 'c', 'd'];
    const tokens = await Promise.all(users.map(tokenOf));
    const answers = await together(() =>
      tokens.map((token) => read('/claimed?select=sub', { Authorization: `Bearer ${token}` })),
    );
    expect(answers.map(({ body }) => body)).to.deep.equal(users.map((sub) => `[{"sub":"${sub}"}]`));
  });

  it('does not share what casts of enums and operators of domains read of the claims', async () => {
    const users = ['a', 'b'];
    const tokens = await Promise.all(users.map(tokenOf));
    const bodiesOf = async (path: string) => {
      const answers = await together(() =>
        [...tokens, ...tokens].map((token) => read(path, { Authorization: `Bearer ${token}` })),
      );
      return answers.map(({ body }) => body);
    };
    const moods = users.map((sub) => `[{"mood":"${sub}"}]`);
    expect(await bodiesOf('/moods?id=eq.1&select=mood')).to.deep.equal([...moods, ...moods]);
    expect(await bodiesOf('/moods?select=mood&limit=1')).to.deep.equal([...moods, ...moods]);
    const own = ['[{"id":1}]', '[{"id":2}]'];
    expect(await bodiesOf('/moods?owner=eq.me&select=id')).to.deep.equal([...own, ...own]);
  });

  it('separates users as soon as policies apply, without a reload of the schema', async () => {
    const users = ['user 0', 'user 1', 'user 2'];
    const tokens = await Promise.all(users.map(tokenOf));
    const readAll = () =>
      tokens.flatMap((token) =>
        [...ids.slice(0, 9)].map((id) =>
          read(`/notes?id=eq.${String(id)}&select=owner`, { Authorization: `Bearer ${token}` }),
        ),
      );
    const pages = () =>
      tokens.flatMap((token) =>
        [1, 2, 3].map(() =>
          read('/notes?select=owner&limit=9&order=id', { Authorization: `Bearer ${token}` }),
        ),
      );
    for (const { body } of await together(readAll)) expect(body).to.match(/^\[\{"owner":"user \d"\}\]$/);
    for (const { body } of await together(pages)) expect(JSON.parse(body)).to.have.length(9);
    await service.session.script(`
      alter table public.notes enable row level security;
      create policy own on public.notes
        using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
    `);
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(readAll());
      for (const [index, { status, body }] of answers.entries()) {
        const own = users[Math.floor(index / 9)] ?? '';
        expect(status).to.equal(200);
        expect(body).to.be.oneOf(['[]', `[{"owner":"${own}"}]`]);
      }
      expect(answers.filter(({ body }) => body !== '[]')).to.have.length(9);
      for (const [index, { body }] of (await Promise.all(pages())).entries())
        expect(new Set((JSON.parse(body) as { owner: string }[]).map(({ owner }) => owner))).to.deep.equal(
          new Set([users[Math.floor(index / 3)]]),
        );
    }
  });
});
