/** Generators of requests that valid ones are mutated to, byte by byte and token by token (fast-check). */
import fc, { type Arbitrary } from 'fast-check';
import { read } from './arbitrary-requests.js';
import { PIECES } from './arbitrary-texts.js';
import { write } from './arbitrary-writes.js';
import { pairsOf } from './request-model.js';
import { pathOf } from './relation.js';
import { requestOf } from './write-model.js';

/** A request as text. */
export interface TextRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
}

interface Mutation {
  readonly target: 'path' | 'body' | 'headers';
  /** Whether the position counts tokens of the grammar instead of characters. */
  readonly tokens: boolean;
  /** Position, as a part of the length in millionths. */
  readonly at: number;
  readonly action: 'cut' | 'double' | 'swap' | 'put' | 'repeat';
  readonly piece: string;
}

/** What is no part of the grammar, or of a body, or is much of it. */
const STRANGE = [
  ...[
    '\u0000',
    '\u007f',
    '\u00ff',
    '\ud83c\udfac',
    '%00',
    '%ff',
    '%C3%28',
    '%',
    '%2',
    '"',
    "'",
    '\\',
    ';',
    '--',
    '/*',
    '$1',
    '$$',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    '{}',
    '[]',
    'null',
    '1e400',
    '-0',
    '0x1',
    '99999999999999999999',
    '1.5',
    'true',
    '\n',
    '\r\n',
    '\t',
  ],
  ...[
    '::int',
    '::regclass',
    '->0',
    '->>-1',
    '!inner',
    '...',
    'count()',
    '.sum()',
    '(distinct)',
    '.filter(id.gt.1)',
    '{i0/0/id}',
  ],
  ...[
    'not.',
    'and(',
    'or(',
    'in.(',
    'is.null',
    'eq(any).{',
    'fts(',
    '.desc',
    '.nullsfirst',
    '.rank(fts.a)',
    '*',
    'pg_sleep',
    '__proto__',
  ],
] as const;

const mutation: Arbitrary<Mutation> = fc.record({
  target: fc.constantFrom('path', 'path', 'path', 'body', 'body', 'headers'),
  tokens: fc.boolean(),
  at: fc.nat(999_999),
  action: fc.constantFrom('cut', 'double', 'swap', 'put', 'put', 'put', 'repeat'),
  piece: fc.oneof(fc.constantFrom<string>(...STRANGE), fc.constantFrom<string>(...PIECES)),
});

const TOKENS = /[A-Za-z0-9_]+|%[0-9A-Fa-f]{2}|[^A-Za-z0-9_]/g;
const REPEATED = 300;

function mutatedText(text: string, { tokens, at, action, piece }: Mutation): string {
  const parts: string[] = tokens ? (text.match(TOKENS) ?? []) : [...text];
  const index = Math.floor((at / 1_000_000) * (parts.length + 1));
  const found = parts[index] ?? '';
  switch (action) {
    case 'cut':
      parts.splice(index, 1);
      break;
    case 'double':
      parts.splice(index, 0, found);
      break;
    case 'swap':
      parts.splice(index, 2, parts[index + 1] ?? '', found);
      break;
    case 'put':
      parts.splice(index, 0, piece);
      break;
    case 'repeat':
      parts.splice(index, 0, piece.repeat(REPEATED));
      break;
  }
  return parts.join('');
}

/** What the line of a request may contain: other characters are encoded, as clients do. */
const inPath = (text: string): string =>
  text.replaceAll(/[^\u0021-\u007e]/gu, (found) =>
    /\p{Surrogate}/u.test(found) ? '?' : encodeURIComponent(found),
  );

/** What a header may contain. */
const inHeader = (text: string): string => text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/gu, '?').trim();

function mutated(request: TextRequest, mutation: Mutation): TextRequest {
  switch (mutation.target) {
    case 'path': {
      const start = request.path.indexOf('?') + 1;
      if (start === 0) return request;
      const query = mutatedText(request.path.slice(start), mutation);
      return { ...request, path: request.path.slice(0, start) + inPath(query) };
    }
    case 'body':
      return request.body === '' ? request : { ...request, body: mutatedText(request.body, mutation) };
    case 'headers':
      return { ...request, headers: mutatedHeaders(request.headers, mutation) };
  }
}

/** The header that ends the transaction stays as it is. */
const KEPT = 'prefer';

function mutatedHeaders(headers: TextRequest['headers'], mutation: Mutation): TextRequest['headers'] {
  const names = Object.keys(headers).filter((name) => name !== KEPT);
  const name = names[mutation.at % Math.max(names.length, 1)];
  if (name === undefined) return headers;
  return { ...headers, [name]: inHeader(mutatedText(headers[name] ?? '', mutation)) };
}

const ACCEPTED = [
  ...['application/json', 'text/csv', '*/*', 'application/vnd.pgrst.object+json', 'application/x-ndjson'],
  ...[
    'application/vnd.pgrst.array+json;nulls=stripped',
    'application/vnd.pgrst.plan+text; options=analyze|verbose',
  ],
] as const;

const PREFERRED = [
  ...[
    'count=exact',
    'count=planned',
    'handling=strict',
    'max-affected=1',
    'max-cost=1',
    'timezone=Asia/Tokyo',
  ],
  ...[
    'return=representation',
    'return=headers-only',
    'resolution=merge-duplicates',
    'missing=default',
    'stream',
  ],
  ...['pagination=keyset', 'match=keys', 'params=single-object', 'explain', 'x="a, b"'],
] as const;

/** Headers that a client may send with any request. */
const extraHeaders: Arbitrary<Readonly<Record<string, string>>> = fc
  .record({
    Accept: fc.option(fc.constantFrom<string>(...ACCEPTED), { nil: undefined }),
    Range: fc.option(fc.constantFrom('0-3', '5-', 'bytes=0-1', '9-2', '99-'), { nil: undefined }),
    'If-None-Match': fc.option(fc.constantFrom('*', '"a"', 'W/"b", "c"', '"'), { nil: undefined }),
    'If-Match': fc.option(fc.constantFrom('*', '"a"', '"'), { nil: undefined }),
    prefer: fc.subarray<string>([...PREFERRED], { maxLength: 3 }).map((tokens) => tokens.join(', ')),
  })
  .map((headers) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  );

/** Requests that are not meant to leave anything. */
const undone = (request: TextRequest, extra: Readonly<Record<string, string>>): TextRequest => {
  const headers = { ...request.headers, ...extra };
  const preferences = [headers['Prefer'] ?? '', extra['prefer'] ?? '', 'tx=rollback'].filter(
    (each) => each !== '',
  );
  const { Prefer: _, ...rest } = headers;
  return { ...request, headers: { ...rest, prefer: preferences.join(', ') } };
};

/** Hostile writes have tables of their own, whose rows no other case locks. */
const elsewhere = (text: string): string => text.replaceAll('notes', 'marks').replaceAll('lines', 'strokes');

const validWrite: Arbitrary<TextRequest> = write.map((each) => {
  const { method, path, headers = {}, body = '' } = requestOf(each, 0);
  return { method, path: elsewhere(path), headers, body: elsewhere(body) };
});

const QUERY_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' };

const validRead: Arbitrary<TextRequest> = fc
  .record({ read, form: fc.boolean() })
  .map(({ read: { relation, selection }, form }) => {
    const path = pathOf(relation, pairsOf(selection));
    const [resource = '', query = ''] = path.split('?');
    return form
      ? { method: 'QUERY', path: resource, headers: QUERY_HEADERS, body: query }
      : { method: 'GET', path, headers: {}, body: '' };
  });

const ITEM_HEADERS = ['Content-Type', 'Prefer'] as const;

/** A batch of two writes and a read. */
const validBatch: Arbitrary<TextRequest> = fc
  .array(validWrite, { minLength: 1, maxLength: 3 })
  .map((writes) => {
    const items = writes.map(({ method, path, headers, body }, index) => ({
      ...{ id: `i${String(index)}`, method, path },
      headers: Object.fromEntries(
        ITEM_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
      ),
      ...(body === '' ? {} : { body: JSON.parse(body) as unknown }),
    }));
    const body = JSON.stringify(items);
    return { method: 'POST', path: '/', headers: { 'Content-Type': 'application/vnd.dbr.batch+json' }, body };
  });

const CALLS: readonly TextRequest[] = [
  { method: 'GET', path: '/rpc/films_of?who=3&select=id,title&order=id&limit=2', headers: {}, body: '' },
  { method: 'GET', path: '/rpc/joined?parts=a&parts=b', headers: {}, body: '' },
  {
    method: 'POST',
    path: '/rpc/add?select=*',
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1,"b":2}',
  },
  {
    method: 'POST',
    path: '/rpc/echo?',
    headers: { 'Content-Type': 'application/json' },
    body: '{"given":{"a":[1]}}',
  },
];

const UPLOADS: readonly TextRequest[] = ['text/csv', 'application/x-ndjson'].map((type) => ({
  ...{ method: 'POST', path: '/marks?columns=space,id,label', headers: { 'Content-Type': type } },
  body:
    type === 'text/csv'
      ? 'space,id,label\n0,1,a\n0,2,"b,\n""c"\n'
      : '{"space":0,"id":1,"label":"a"}\n{"space":0,"id":2,"label":null}\n',
}));

const valid = fc.oneof(
  { weight: 4, arbitrary: validRead },
  { weight: 4, arbitrary: validWrite },
  { weight: 1, arbitrary: validBatch },
  { weight: 1, arbitrary: fc.constantFrom(...CALLS, ...UPLOADS) },
);

/** A valid request with up to four mutations. */
export const mutatedRequest: Arbitrary<TextRequest> = fc
  .record({ request: valid, extra: extraHeaders, mutations: fc.array(mutation, { maxLength: 4 }) })
  .map(({ request, extra, mutations }) => mutations.reduce(mutated, undone(request, extra)));
