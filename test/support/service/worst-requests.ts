/**
 * The worst requests of each grammar that the public port reads: every token of the grammar repeated, behind a valid
 * beginning and alone, in every place of a head and in every kind of body.
 */

import { ROUTES } from '../../../generated/operations.js';

export interface WorstRequest {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Makes the body when the request is sent: one that is never sent costs nothing. */
  readonly body: (() => Buffer) | null;
}

/** Fills `bytes` with repetitions of a token between a beginning and an end. */
export function filled(bytes: number, token: string, begin = '', end = ''): string {
  const times = Math.max(1, Math.floor((bytes - begin.length - end.length) / token.length));
  return begin + token.repeat(times) + end;
}

/** A text whose `#` is a running number. */
export function numbered(bytes: number, token: string, begin = '', end = ''): string {
  const parts: string[] = [begin];
  let length = begin.length + end.length;
  for (let number = 0; length < bytes; number += 1) {
    const part = token.replaceAll('#', String(number));
    parts.push(part);
    length += part.length;
  }
  parts.push(end);
  return parts.join('');
}

const request = (name: string, more: Partial<WorstRequest>): WorstRequest => ({
  name,
  method: 'GET',
  target: '/pub',
  headers: [],
  body: null,
  ...more,
});

/** Tokens of query strings, as on the request line. */
const QUERY_TOKENS = [
  ...[',', '.', ':', '::', '->', '->>', '*', '!', '...', '=', '&', ';', '(', ')', '()', '(,', '-', '+', '%'],
  ...[
    '%22',
    '%5C',
    '%22,',
    '%5C%22',
    '%22%22',
    '%C3',
    '%C3%A9',
    '%F0%9F%98%80',
    '%00',
    '%0A',
    '%7B',
    '%7B%7D',
  ],
  ...[
    'a,',
    'a',
    '$',
    'a.',
    'a:',
    'a::',
    'a->',
    'a->0,',
    'a(',
    'a(*),',
    'a()',
    '...a(',
    '%22a%22,',
    'a!b(',
    '%22%5C%22%22,',
  ],
  ...[
    'id.eq.1,',
    'and(',
    'or(id.eq.1,',
    'not.',
    'not.and(',
    'not.or(id.eq.1),',
    'in.(',
    'eq.',
    'eq(any).',
    'fts(',
    'is.null,',
  ],
  ...[
    'id.in.(1),',
    'id.desc,',
    'id.desc.nullslast,',
    'id.',
    'count(),',
    'id.sum(),',
    'id.sum().filter(id.eq.1),',
    't.rank(fts.a),',
  ],
] as const;

/** Beginnings and ends of parameters of a query string. */
const QUERY_PLACES: readonly (readonly [string, string])[] = [
  ['', ''],
  ['select=', ''],
  ['select=id,', ''],
  ['select=pub(', ')'],
  ['order=', ''],
  ['order=id.', ''],
  ['id=', ''],
  ['id=eq.', ''],
  ['id=in.(', ')'],
  ['id=in.(%22', '%22)'],
  ['id=not.', ''],
  ['t=like(any).%7B', '%7D'],
  ['and=(', ')'],
  ['or=(id.eq.', ')'],
  ['or=(id.in.(', '))'],
  ['having=(', ')'],
  ['distinct=(', ')'],
  ['limit=', ''],
  ['offset=', ''],
  ['pub.limit=', ''],
  ['after=', ''],
  ['before=', ''],
  ['columns=', ''],
  ['on_conflict=', ''],
];

/** Whole pairs of a query string. */
const PAIRS = [
  'a=&',
  '=&',
  'a&',
  '&',
  'id=eq.1&',
  'id=eq&',
  'id=x&',
  'id=%C3&',
  'id=in.()&',
  'id=in.(%22&',
  'or=()&',
  'or=(&',
  'or=(id.eq.1)&',
  'and=(a)&',
  'not.or=(a&',
  'select=&',
  'select=(&',
  'order=(&',
  'a.order=id&',
  'a.limit=1&',
  'a.b.c.offset=1&',
  'limit=1&',
  'limit=x&',
  'having=(&',
  'distinct=(&',
  'columns=(&',
  'on_conflict=(&',
  'a.on_conflict=(&',
  'a(b=eq.1&',
  '%22=eq.1&',
  'a->=eq.1&',
  'c#=eq.1&',
  'c#=&',
  'a#.limit=1&',
  'a#.order=&',
  'a#.or=(&',
];

const HEADER_TOKENS = [
  ...[
    ',',
    ', ',
    ';',
    '; ',
    '=',
    '"',
    '""',
    '\\',
    '\\"',
    ' ',
    '\t',
    '*',
    '/',
    '*/*,',
    '*/*;q=',
    ';q=1,',
    ';q=0.5',
    '-',
  ],
  ...[
    'a',
    'a,',
    'a/b,',
    'a=b,',
    'a=b;',
    'a;b=c,',
    '"a",',
    'W/"a",',
    'W/',
    '"',
    '1',
    '0-',
    '1-2,',
    '.',
    '{',
    '[',
    '%',
    '\xe9',
    ':',
  ],
  ...[
    'application/vnd.pgrst.plan;for="',
    'application/vnd.pgrst.plan+json;for=application/json;',
    ';options=analyze|verbose',
  ],
  ...[
    'count=exact,',
    'timezone=UTC,',
    'timezone=a,',
    'max-affected=1,',
    'max-affected=a,',
    'for=a;',
    'for="[::1]",',
  ],
  ...['a=1; ', 'eyJhIjp7', 'bearer ', 'Bearer a.b.c '],
] as const;

/** Headers with a grammar, with beginnings of their values. */
const HEADER_PLACES: readonly (readonly [string, readonly string[]])[] = [
  ['Accept', ['', 'application/json;', 'application/vnd.pgrst.plan;for="']],
  ['Prefer', ['', 'handling=strict,', 'timezone=', 'max-affected=']],
  ['Range', ['', '0-']],
  ['If-Match', ['', '"']],
  ['If-None-Match', ['', '"', 'W/"']],
  ['If-Modified-Since', ['', 'Mon, ']],
  ['If-Unmodified-Since', ['', 'Mon, ']],
  ['Accept-Profile', ['']],
  ['Content-Profile', ['']],
  ['Content-Type', ['', 'application/json;', 'multipart/form-data; boundary=']],
  ['Authorization', ['', 'Bearer ', 'Basic ']],
  ['Cookie', ['', 'a=']],
  ['Origin', ['']],
  ['Access-Control-Request-Headers', ['']],
  ['traceparent', ['', '00-']],
  ['tracestate', ['', 'a=']],
  ['Forwarded', ['', 'for=']],
  ['X-Forwarded-For', ['']],
  ['X-Request-Id', ['']],
  ['Idempotency-Key', ['', '"']],
  ['Dbr-Position', ['']],
  ['X-Anything', ['']],
];

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * Requests whose head is the worst of its grammar.
 * @param bytes of the text in it
 * @param userToken of a user of areas A and B, for the requests that do not test tokens
 */
export function* worstHeads(bytes: number, userToken: string): Generator<WorstRequest, void, undefined> {
  const bearer = ['Authorization', `Bearer ${userToken}`] as const;
  for (const [begin, end] of QUERY_PLACES)
    for (const token of QUERY_TOKENS) {
      const query = filled(bytes, token, begin, end);
      yield request(`?${begin}${token}…${end}`, { target: `/pub?${query}` });
      if (begin === 'columns=' || begin === 'on_conflict=' || begin === 'select=' || begin === 'id=')
        yield request(`POST ?${begin}${token}…${end}`, {
          method: 'POST',
          target: `/pub?${query}`,
          headers: [['Content-Type', 'application/json']],
          body: () => Buffer.from('{"id":1}'),
        });
      if (begin === '' || begin === 'id=')
        yield request(`/rpc/take?${begin}${token}…`, { target: `/rpc/take?${query}` });
    }
  for (const pair of PAIRS)
    for (const target of ['/pub', '/rpc/take', '/api/v1/notifications/me'])
      yield request(`${target}?${pair}…`, {
        target: `${target}?${numbered(bytes, pair)}`,
        headers: target.startsWith('/api/') ? [bearer] : [],
      });
  for (const token of ['/', 'a', '%25', '%', '%C3', '%2F', '.', '../', ';', '"', ':', '(', 'a/'])
    for (const begin of ['/', '/pub', '/rpc/', '/api/v1/', '/accounts/', '/api/v1/notifications/'])
      yield request(`${begin}${token}…`, { target: filled(bytes, token, begin) });
  for (const [name, begins] of HEADER_PLACES)
    for (const begin of begins)
      for (const token of HEADER_TOKENS) {
        const headers = [[name, filled(bytes, token, begin)]] as const;
        yield request(`${name}: ${begin}${token}…`, { headers });
        if (/^(?:If-|Content-|Prefer)/.test(name))
          yield request(`PATCH, ${name}: ${begin}${token}…`, {
            method: 'PATCH',
            target: '/pub?id=eq.0',
            headers: name === 'Content-Type' ? headers : [...headers, ['Content-Type', 'application/json']],
            body: () => Buffer.from('{"t":"x"}'),
          });
        if (/^(?:Accept|Authorization|If-|Prefer|Range)/.test(name))
          yield request(`/api/v1/…, ${name}: ${begin}${token}…`, {
            target: '/api/v1/notifications/me',
            headers: name === 'Authorization' ? headers : [...headers, bearer],
          });
      }
  for (const token of HEADER_TOKENS)
    yield request(`preflight, ${token}…`, {
      method: 'OPTIONS',
      headers: [
        ['Origin', 'http://a.example'],
        ['Access-Control-Request-Method', 'GET'],
        ['Access-Control-Request-Headers', filled(bytes, token)],
      ],
    });
  const lines = Array.from({ length: Math.floor(bytes / 40) }, (_, index) => String(index));
  yield request('many headers', { headers: lines.map((index) => [`X-Header-${index}`, '"\\é']) });
  yield request('one header many times', { headers: lines.map((index) => ['X-Header', `"${index}`]) });
  yield request('many lines of Accept', { headers: lines.map(() => ['Accept', '*/*;q=0.1,']) });
  yield request('many lines of Prefer', { headers: lines.map((index) => ['Prefer', `timezone=${index}`]) });
  yield request('many cookies', { headers: [['Cookie', numbered(bytes, 'c#="%"; ')]] });
  const room = Math.floor((bytes * 3) / 4);
  for (const [what, json] of [
    ['nested arrays', filled(room, '[', '{"role":"x","a":')],
    ['members', `${numbered(room, '"c#":1,', '{')}"role":"x"}`],
    ['objects', filled(room, '{"a":', '')],
    ['escapes', `${filled(room, '\\u0000', '{"a":"')}"}`],
    ['digits', `${filled(room, '9', '{"exp":')}}`],
    ['audiences', `${filled(room, '"a",', '{"aud":[')}"a"]}`],
  ] as const) {
    const token = (payload: string, header = '{"alg":"HS256"}'): string =>
      `Bearer ${base64url(header)}.${base64url(payload)}.AAAA`;
    yield request(`token, ${what}`, { headers: [['Authorization', token(json)]] });
    yield request(`token, ${what} in its head`, { headers: [['Authorization', token('{}', json)]] });
  }
}

/** Names of JSON texts, most of them not valid, each with the function that makes it. */
function* worstJson(bytes: number): Generator<readonly [string, () => string], void, undefined> {
  for (const token of [
    '[',
    '{',
    '"',
    '\\',
    ' ',
    '\n',
    ',',
    ':',
    '0',
    '-',
    '1,',
    'null,',
    '{},',
    '[],',
    '"",',
    '{"a":',
    '[[],',
    '\t',
  ])
    for (const begin of ['', '[', '{"a":', '{"a":"'])
      yield [`${begin}${token}…`, () => filled(bytes, token, begin)] as const;
  const closed = (token: string, begin: string, end: string) =>
    [`${begin}${token}…${end}`, () => filled(bytes, token, begin, end)] as const;
  yield closed('{"id":1},', '[', '{"id":1}]');
  yield closed('{},', '[', '{}]');
  yield closed('1,', '[', '1]');
  yield closed('[],', '[', '[]]');
  yield closed('"",', '[', '""]');
  yield closed('"a",', '{"id":[', '"a"]}');
  yield closed('"\\"",', '{"id":[', '""]}');
  yield closed('\\"', '{"t":"', '"}');
  yield closed('\\u00e9', '{"t":"', '"}');
  yield closed('\\ud83d\\ude00', '{"t":"', '"}');
  yield closed('\\\\', '{"t":"', '"}');
  yield closed('é', '{"t":"', '"}');
  yield closed(' ', '{"t":1', '}');
  yield closed('9', '{"t":', '}');
  yield closed('{"id":1,"id":1},', '[', '{"id":1}]');
  yield closed('"id":1,', '{', '"id":1}');
  yield closed('{"pub":[],"id":null},', '[', '{"id":1}]');
  yield closed('{"children":[{}]},', '[', '{}]');
  yield closed('{"children":[', '[', '');
  yield closed('{"id":1,"children":[{"id":1}]},', '[', '{"id":1,"children":[]}]');
  yield closed('{"id":1},', '{"id":1,"children":[', '{"id":1}]}');
  const counted = (token: string, begin: string, end: string) =>
    [`numbered ${begin}${token}…${end}`, () => numbered(bytes, token, begin, end)] as const;
  yield counted('"k#":1,', '{', '"z":1}');
  yield counted('"k#":"eq.1",', '{', '"z":"eq.1"}');
  yield counted('"\\u006b#":1,', '{', '"z":1}');
  yield counted('{"k#":1},', '[', '{"z":1}]');
  yield counted('{"id":#},', '[', '{"id":1}]');
  yield counted('"k#",', '[', '"z"]');
  yield counted('#,', '[', '1]');
  for (const [name, make] of [
    ['in.("1\\"",…)', () => `{"id":${JSON.stringify(filled(bytes / 1.5, '"1\\"",', 'in.(', '"1")'))}}`],
    ['in.(1,…)', () => `{"id":${JSON.stringify(filled(bytes, '1,', 'in.(', '1)'))}}`],
    ['in.("1",…)', () => `{"id":${JSON.stringify(filled(bytes / 1.5, '"1",', 'in.(', '"1")'))}}`],
    ['or', () => `{"or":${JSON.stringify(filled(bytes, 'id.eq.1,', '(', 'id.eq.1)'))}}`],
    ['or in', () => `{"or":${JSON.stringify(filled(bytes, '1,', '(id.in.(', '1))'))}}`],
    ['or in quoted', () => `{"or":${JSON.stringify(filled(bytes / 1.5, '"1",', '(id.in.(', '"1"))'))}}`],
    ['or (', () => `{"or":${JSON.stringify(filled(bytes, '(', '', ''))}}`],
    ['or value', () => `{"or":${JSON.stringify(filled(bytes, 'x', '(t.eq.', ')'))}}`],
    ['or quoted value', () => `{"or":${JSON.stringify(filled(bytes / 1.5, '\\"', '(t.eq."', '")'))}}`],
    ['select', () => `{"select":${JSON.stringify(filled(bytes, 'a,', '', 'a'))}}`],
    ['select name', () => `{"select":${JSON.stringify(filled(bytes, 'a', '', ''))}}`],
    ['select blanks', () => `{"select":${JSON.stringify(filled(bytes, ' ', '', ''))}}`],
    ['select dashes', () => `{"select":${JSON.stringify(filled(bytes, 'a-', '', ''))}}`],
    ['select arrows', () => `{"select":${JSON.stringify(filled(bytes, '->a', 'a', ''))}}`],
    ['order', () => `{"order":${JSON.stringify(filled(bytes, 'a.desc,', '', 'a'))}}`],
    ['eq', () => `{"id":${JSON.stringify(filled(bytes, 'x', 'eq.', ''))}}`],
    ['eq é', () => `{"id":${JSON.stringify(filled(bytes / 2, 'é', 'eq.', ''))}}`],
    ['eq %', () => `{"id":${JSON.stringify(filled(bytes, '%', 'eq.', ''))}}`],
    ['like *', () => `{"t":${JSON.stringify(filled(bytes, '*', 'like.', ''))}}`],
    ['not an operator', () => `{"id":${JSON.stringify(filled(bytes, 'x', '', ''))}}`],
    ['limit', () => `{"limit":${JSON.stringify(filled(bytes, '9', '', ''))}}`],
    ['limit blanks', () => `{"limit":${JSON.stringify(filled(bytes, ' ', '', 'x'))}}`],
    ['after', () => `{"order":"id","after":${JSON.stringify(filled(bytes, 'A', '', ''))}}`],
    ['long name', () => `{"${'n'.repeat(bytes)}":"eq.1"}`],
    ['many empty', () => `{"id":[${filled(bytes, '"",')}""]}`],
    ['many eq', () => `{"id":[${filled(bytes, '"eq.1",')}"eq.1"]}`],
  ] as const)
    yield [name, make] as const;
}

const FORM_TOKENS = [
  '&',
  '=',
  ';',
  'a&',
  'a=&',
  'k#=1&',
  '%',
  '%C3',
  '%22',
  '+',
  'a',
  '=&',
  '\xe9',
  'id=eq.1&',
  'id=in.(%22',
];
const CSV_TOKENS = [
  ',',
  '"',
  '""',
  '"a",',
  '\n',
  '\r',
  '\r\n',
  'a',
  'a,',
  'a\n',
  '"\n',
  '"",',
  'NULL\n',
  '1\n',
  'c#,',
  '\\',
  '\0',
  'é',
];
const LINE_TOKENS = [
  '\n',
  '\r\n',
  ' \n',
  '{}\n',
  '{',
  '{"id":1}\n',
  '{"id":#}\n',
  '"',
  '[',
  '\t',
  '1\n',
  '{"a":"',
  '{"k#":1}\n',
  '\\',
  '\x1e',
  '{"id":1,"t":"\\u00e9"}\n',
];
const TEXT_TOKENS = ['a', '\0', '\xff', '<', '<a>', '"'];

/** Requests of areas A and B with a body. */
const AREA_ROUTES = ROUTES.filter(({ consumes }) => consumes.some((type) => type === 'application/json'));
const UNKNOWN = '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23';

/**
 * Requests whose body is the worst of its format.
 * @param bytes of the body; areas A and B have a limit of their own
 * @param userToken of a user of areas A and B
 */
export function* worstBodies(bytes: number, userToken: string): Generator<WorstRequest, void, undefined> {
  const bearer = ['Authorization', `Bearer ${userToken}`] as const;
  const QUERY_LIMIT = 4_194_304;
  const AREA_LIMIT = 1_048_576;
  const send = (
    name: string,
    type: string,
    make: () => string,
    more: Partial<WorstRequest> = {},
  ): WorstRequest =>
    request(`${more.method ?? 'POST'} ${more.target ?? '/pub'} ${type} ${name}`, {
      method: 'POST',
      ...more,
      headers: [['Content-Type', type], ...(more.headers ?? [])],
      body: () => {
        const text = make();
        return Buffer.from(text, text.includes('é') ? 'utf8' : 'latin1');
      },
    });
  for (const [name, make] of worstJson(bytes)) {
    yield send(name, 'application/json', make);
    yield send(name, 'application/json', make, { target: '/rpc/take' });
    yield send(name, 'application/json', make, { method: 'PATCH', target: '/pub?id=eq.0' });
    yield send(name, 'application/json', make, { target: '/pub?columns=id' });
    yield send(name, 'application/vnd.dbr.batch+json', make, { target: '/' });
  }
  for (const [name, make] of worstJson(Math.min(bytes, QUERY_LIMIT - 1000))) {
    yield send(name, 'application/json', make, { method: 'QUERY' });
    const item = (body: string, more = ''): string =>
      `[{"method":"POST","path":"/pub","body":${body}${more}}]`;
    yield send(`body ${name}`, 'application/vnd.dbr.batch+json', () => item(make()), { target: '/' });
  }
  for (const [name, make] of worstJson(Math.min(bytes, AREA_LIMIT - 200))) {
    for (const { method, path } of AREA_ROUTES) {
      const target = path.replaceAll(/(?<!\\):\w+/g, UNKNOWN).replaceAll('\\:', ':');
      const headers = [bearer];
      yield send(name, 'application/json', make, { method: method.toUpperCase(), target, headers });
    }
    for (const [member, others] of [
      ['userIds', '"type":"a.b","title":"a"'],
      ['data', '"type":"a.b","title":"a","userIds":["a"]'],
    ] as const)
      yield send(`${member} ${name}`, 'application/json', () => `{${others},"${member}":${make()}}`, {
        target: '/api/v1/notifications',
        headers: [bearer],
      });
  }
  for (const token of FORM_TOKENS) {
    const type = 'application/x-www-form-urlencoded';
    yield send(token, type, () => numbered(bytes, token));
    yield send(token, type, () => numbered(Math.min(bytes, AREA_LIMIT), token));
    yield send(token, type, () => numbered(Math.min(bytes, AREA_LIMIT), token), { target: '/rpc/take' });
    yield send(token, type, () => numbered(Math.min(bytes, QUERY_LIMIT), token), { method: 'QUERY' });
    yield send(token, 'multipart/form-data; boundary=a', () => numbered(bytes, token));
  }
  for (const token of CSV_TOKENS)
    for (const begin of ['', 'id\n', 'id,t\n']) {
      yield send(`${begin}${token}`, 'text/csv', () => numbered(bytes, token, begin));
      yield send(`stream ${begin}${token}`, 'text/csv', () => numbered(bytes, token, begin), {
        headers: [['Prefer', 'stream']],
      });
      yield send(`${begin}${token}`, 'text/csv', () => numbered(bytes, token, begin), {
        target: '/rpc/take',
      });
    }
  for (const token of LINE_TOKENS)
    for (const begin of ['', '{"id":1}\n']) {
      yield send(`${begin}${token}`, 'application/x-ndjson', () => numbered(bytes, token, begin));
      yield send(`${begin}${token}`, 'application/json-seq', () => numbered(bytes, token, begin));
    }
  for (const token of TEXT_TOKENS)
    for (const type of ['text/plain', 'text/xml', 'application/octet-stream', 'image/png'])
      yield send(token, type, () => filled(bytes, token), { target: '/rpc/raw' });
  for (const [name, reason] of NUMBERED_PATHS)
    yield send(name, 'application/vnd.dbr.batch+json', () => batchOf(bytes, reason), { target: '/' });
}

/** Items of a batch whose heads are as long as one may be. */
const NUMBERED_PATHS: readonly (readonly [string, (head: number) => Readonly<Record<string, unknown>>])[] = [
  ['Accept', (head) => ({ path: '/pub?id=eq.1', headers: { Accept: filled(head, ',') } })],
  ['Prefer', (head) => ({ path: '/pub?id=eq.1', headers: { Prefer: filled(head, ',') } })],
  ['empty filters', (head) => ({ path: filled(head, 'a=&', '/pub?') })],
  ['conditions', (head) => ({ path: filled(Math.min(head, 12_000), 'id.gt.1,', '/pub?or=(', 'id.gt.1)') })],
  ['fields', (head) => ({ path: filled(Math.min(head, 4_800), 'id,', '/pub?select=', 'id') })],
  ['in', (head) => ({ path: filled(head, '1,', '/pub?id=in.(', '1)') })],
  ['quoted in', (head) => ({ path: filled(head, '%22%5C%221%22,', '/pub?id=in.(', '1)') })],
  ['wrong order', (head) => ({ path: filled(head, 'id.desc,', '/pub?order=', 'x.y') })],
];

function batchOf(bytes: number, item: (head: number) => Readonly<Record<string, unknown>>): string {
  const head = 60_000;
  const items = Array.from({ length: Math.max(1, Math.min(100, Math.floor(bytes / head))) }, () => ({
    method: 'GET',
    ...item(Math.min(head, bytes)),
  }));
  return JSON.stringify(items);
}
