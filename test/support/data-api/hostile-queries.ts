/** Query strings that clients, careless ones and attackers might send: valid, mutated and hostile, the same for one seed. */

/** Part of every value: a statement text that contains it has a value spliced in. */
export const CANARY = 'canary7f3a';

export interface HostileRequest {
  readonly method: 'GET' | 'HEAD';
  /** The request target as on the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Random = () => number;

/** Mulberry32: small, fast, repeatable. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const RELATIONS = [
  'films',
  'films',
  'films',
  'films',
  'films',
  'films',
  'directors',
  'roles',
  'nowhere',
  'rpc/films_of',
  'films_view',
  'FILMS',
  '"films"',
  'pg_class',
  '%66ilms',
];
const COLUMNS = [
  'id',
  'title',
  'year',
  'tags',
  'details',
  'director_id',
  'nothing',
  '"odd ""name"',
  'details->>a',
  'details->b->>0',
];
const OPERATORS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'is',
  'in',
  'cs',
  'cd',
  'ov',
  'sl',
  'fts',
  'plfts',
  'isdistinct',
  'eq(any)',
  'like(all)',
  'not.eq',
  'nonsense',
];
const SELECTS = [
  '*',
  'id,title',
  'id,directors(name)',
  'id,roles(name,films(title))',
  '...directors(name)',
  'title::text',
  'a:title',
  'count()',
  'id.sum()',
  'directors!inner(*)',
  'roles!left(id)',
  'directors()',
  'details->a',
  'nothing',
];
const ORDERS = [
  'id',
  'title.desc',
  'year.asc.nullslast',
  'directors(name).desc',
  'id.sideways',
  'details->>a',
];
const HOSTILE = [
  "'",
  '"',
  '\\',
  '%00',
  '%ff%fe',
  '%c3%28',
  '%ed%a0%80',
  ';',
  '--',
  '/*',
  '*/',
  '$1',
  '$$',
  ')',
  '(',
  '((((((((',
  '{',
  '}',
  '[',
  '%',
  '%%',
  '%zz',
  "';drop table films;--",
  "')) or 1=1--",
  '%27%20or%20%271%27%3D%271',
  '%0d%0aX-Evil:1',
  '%E2%80%AE',
  '%F0%9F%98%80',
  'a'.repeat(2000),
  '('.repeat(500),
  'and('.repeat(80),
  ',,,,',
  '....',
  '::::',
  '!!!!',
  '->>->>',
  '__proto__',
  'constructor',
];

const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

const value = (random: Random): string =>
  pick<() => string>(random, [
    () => CANARY,
    () => `${CANARY}${pick(random, HOSTILE)}`,
    () => `(${CANARY},"${CANARY}",3)`,
    () => `{${CANARY},2}`,
    () => `*${CANARY}*`,
    () => String(Math.floor(random() * 1000)),
    () => 'null',
    () => '[1,5)',
    () => `%7B%22a%22%3A%22${CANARY}%22%7D`,
  ])();

const condition = (random: Random): string =>
  `${pick(random, COLUMNS)}.${pick(random, OPERATORS)}.${value(random)}`;

function parameter(random: Random): string {
  return pick<() => string>(random, [
    () => `title=${pick(random, ['eq', 'neq', 'like', 'ilike', 'in', 'gt', 'not.eq'])}.(${CANARY})`,
    () => `title=neq.${CANARY}`,
    () => `id=lt.${Math.floor(random() * 60)}`,
    () => 'select=id,title',
    () => `${pick(random, COLUMNS)}=${pick(random, OPERATORS)}.${value(random)}`,
    () => `select=${[1, 2].map(() => pick(random, SELECTS)).join(',')}`,
    () => `order=${pick(random, ORDERS)}`,
    () => `limit=${pick(random, ['0', '1', '5', '-1', 'x', '9'.repeat(30), '1e3'])}`,
    () => `offset=${pick(random, ['0', '1', '-5', 'x', '9'.repeat(30)])}`,
    () => `or=(${condition(random)},${condition(random)})`,
    () => `and=(${condition(random)},not.or(${condition(random)},${condition(random)}))`,
    () => `directors.name=eq.${value(random)}`,
    () => `roles.limit=${pick(random, ['1', '-1', 'x'])}`,
    () => `directors=${pick(random, ['is.null', 'not.is.null', 'eq.1'])}`,
    () => `title=fts(${CANARY}).${value(random)}`,
    () => `details->>${CANARY}=eq.${value(random)}`,
    () => pick(random, HOSTILE),
    () => `${pick(random, HOSTILE)}=${pick(random, HOSTILE)}`,
  ])();
}

/** Ordinary query strings. */
const ORDINARY = [
  'select=id,title',
  'select=id,directors(name)',
  'select=*,roles(id)',
  `title=neq.${CANARY}`,
  `title=in.(${CANARY},"b")`,
  'id=lt.20',
  'order=id.desc',
  'limit=5',
  'offset=1',
  `or=(title.eq.${CANARY},id.gt.3)`,
];

/** Removes, doubles, swaps or inserts a piece at a random place. */
function mutated(random: Random, text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  return pick<() => string>(random, [
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + pick(random, HOSTILE) + text.slice(at),
    () => text.slice(0, at) + text.slice(Math.max(0, at - 8)),
    () => text.slice(0, at),
  ])();
}

/** Bytes that a request line cannot carry are left to the HTTP library's own tests. */
const sendable = (target: string): string =>
  target.replaceAll(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char));

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  {},
  { Prefer: 'count=exact' },
  { Prefer: 'count=planned' },
  { Prefer: `handling=strict, ${CANARY}` },
  { Accept: 'text/csv' },
  { Accept: 'application/vnd.pgrst.object+json' },
  { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
  { Accept: CANARY },
  { Range: '0-3' },
  { Range: '9-1' },
  { 'Accept-Profile': CANARY },
];

/** @param count how many; a third each is valid in form, mutated, and mutated twice */
export function* hostileRequests(seed: number, count: number): Generator<HostileRequest> {
  const random = randomFrom(seed);
  for (let index = 0; index < count; index++) {
    const parameters = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      index % 2 === 0 ? pick(random, ORDINARY) : parameter(random),
    );
    let target = `/${pick(random, RELATIONS)}?${parameters.join('&')}`;
    for (let round = index % 3; round > 0; round--) target = `/${mutated(random, target.slice(1))}`;
    yield {
      method: random() < 0.1 ? 'HEAD' : 'GET',
      target: sendable(target).slice(0, 12_000),
      headers: pick(random, HEADERS),
    };
  }
}
