/** What clients do, and what the answer must be. The expected rows are computed here, without SQL. */
import { all, differs, sameHeader, sameJson } from './checks.js';
import { FILLER, LONG_ROWS, MOST_BODY_BYTES, TENANTS, tokenOf } from './database.js';
import { drawnFilms, filmsOf } from './films.js';
import { LIVE_OPERATIONS } from './live-readers.js';
import { NOTIFICATION_OPERATIONS } from './notifications.js';
import { bearer, json, type Plan } from './requests.js';
import { SIGNING_OPERATIONS } from './signing.js';
import { STEP_OPERATIONS } from './steps.js';
import { WEBHOOK_OPERATIONS } from './webhooks.js';

const rangeOf = (offset: number, rows: number, total: number | string): string =>
  rows === 0 ? `*/${String(total)}` : `${String(offset)}-${String(offset + rows - 1)}/${String(total)}`;

const longRows = (tenant: number) =>
  Array.from({ length: LONG_ROWS }, (_, at) => ({ id: tenant * 1000 + at + 1, filler: FILLER }));

const BATCH = 'application/vnd.dbr.batch+json';

const read: Plan = (context) => {
  const { path, rows, offset } = drawnFilms(context);
  return {
    wire: { method: 'GET', path: `${path}&select=id,title,rating`, headers: bearer(context) },
    statuses: [200],
    check: all(sameJson(rows), sameHeader('content-range', rangeOf(offset, rows.length, '*'))),
  };
};

const counted: Plan = (context) => {
  const { path, rows, offset, total } = drawnFilms(context);
  const isWhole = rows.length === total;
  return {
    wire: {
      method: context.random.chance(0.5) ? 'GET' : 'HEAD',
      path: `${path}&select=id`,
      headers: { ...bearer(context), Prefer: 'count=exact' },
    },
    statuses: offset > total || (rows.length === 0 && offset > 0) ? [200, 206, 416] : [isWhole ? 200 : 206],
    check: (answer) =>
      answer.status === 416 ? null : sameHeader('content-range', rangeOf(offset, rows.length, total))(answer),
  };
};

const csv: Plan = (context) => {
  const { path, rows } = drawnFilms(context);
  const lines = ['id,title', ...rows.map(({ id, title }) => `${String(id)},"${title}"`)];
  return {
    wire: {
      method: 'GET',
      path: `${path}&select=id,title`,
      headers: { ...bearer(context), Accept: 'text/csv' },
    },
    statuses: [200],
    check: ({ body }) => (rows.length === 0 ? null : differs(body.trimEnd(), lines.join('\n'))),
  };
};

const ofOthers: Plan = (context) => ({
  wire: {
    method: 'GET',
    path: `/films?tenant=neq.${String(context.claims.tenant)}&select=id`,
    headers: bearer(context),
  },
  statuses: [200],
  check: sameJson([]),
});

const inOrder = (entries: readonly (readonly [string, unknown])[]): string =>
  JSON.stringify(entries.toSorted(([one], [other]) => one.localeCompare(other)));

const whoami: Plan = (context) => ({
  wire: { method: 'GET', path: '/rpc/whoami', headers: bearer(context) },
  statuses: [200],
  check({ body }) {
    const given: unknown = JSON.parse(body);
    const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
    return differs(inOrder(entries), inOrder(Object.entries(context.claims)));
  },
});

const long: Plan = (context) => ({
  wire: { method: 'GET', path: '/long_rows?select=id,filler&order=id', headers: bearer(context) },
  statuses: [200],
  check: sameJson(longRows(context.claims.tenant)),
});

const stream: Plan = (context) => ({
  wire: {
    method: 'GET',
    path: '/long_rows?select=id,filler&order=id',
    headers: { ...bearer(context), Accept: 'application/x-ndjson' },
  },
  statuses: [200],
  check: ({ body }) =>
    sameJson(longRows(context.claims.tenant))({
      status: 200,
      headers: new Map(),
      body: `[${body.trimEnd().split('\n').join(',')}]`,
    }),
});

const insert: Plan = (context) => ({
  wire: {
    method: 'POST',
    path: '/marks?select=mark,tenant',
    headers: json(context, { Prefer: 'return=representation' }),
    body: JSON.stringify({ mark: context.mark }),
  },
  statuses: [201],
  check: sameJson([{ mark: context.mark, tenant: context.claims.tenant }]),
  effect: { kind: 'marks', marks: [context.mark] },
});

/** It is late, and of a shape of its own, so that nothing is known about how long it takes. */
const slowRead: Plan = (context) => {
  const { path, rows, offset } = drawnFilms(context);
  const others = Array.from({ length: context.random.below(8) }, (_, at) => `&rating=neq.${String(at + 20)}`);
  const pause = `pause-${String(context.random.between(40, 100))}`;
  return {
    wire: {
      method: 'GET',
      path: `${path}&select=id,title,rating&title=neq.${pause}${others.join('')}`,
      headers: bearer(context),
    },
    statuses: [200],
    check: all(sameJson(rows), sameHeader('content-range', rangeOf(offset, rows.length, '*'))),
  };
};

const COLUMNS = ['id', 'title', 'rating'] as const;

/** A read of one of 36 shapes: some columns, an order, and filters that change nothing. */
const shaped: Plan = (context) => {
  const { random, claims } = context;
  const least = random.below(10);
  const isDescending = random.chance(0.5);
  const matching = filmsOf(claims.tenant).filter(({ rating }) => rating >= least);
  const rows = (isDescending ? matching.toReversed() : matching).slice(0, 5);
  const columns = COLUMNS.slice(random.below(COLUMNS.length));
  const others = Array.from({ length: random.below(6) }, (_, at) => `&rating=neq.${String(at + 20)}`);
  return {
    wire: {
      method: 'GET',
      path: `/films?rating=gte.${String(least)}&order=id.${isDescending ? 'desc' : 'asc'}&limit=5&select=${columns.join()}${others.join('')}`,
      headers: bearer(context),
    },
    statuses: [200],
    check: sameJson(rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))),
  };
};

/** A part of the rows, which are of the tenant. */
const medium: Plan = (context) => {
  const [limit, offset] = [context.random.between(12, 70), context.random.below(200)];
  return {
    wire: {
      method: 'GET',
      path: `/long_rows?select=id,filler&order=id&limit=${String(limit)}&offset=${String(offset)}`,
      headers: bearer(context),
    },
    statuses: [200],
    check: sameJson(longRows(context.claims.tenant).slice(offset, offset + limit)),
  };
};

const lateWrite: Plan = (context) =>
  insert({ ...context, mark: `${context.mark} pause-${String(context.random.between(20, 80))}` });

/** Its body is longer than allowed: the answer is the last one of its connection. */
const tooLong: Plan = (context) => {
  const planned = insert(context);
  const filler = ' '.repeat(MOST_BODY_BYTES);
  const wire = { ...planned.wire, body: `${planned.wire.body ?? ''}${filler}` };
  return { ...planned, wire, statuses: [413], check: sameHeader('connection', 'close') };
};

const slowWrite: Plan = (context) => insert({ ...context, mark: `${context.mark} pause-3000` });

const keyed: Plan = (context) => {
  const planned = insert(context);
  const headers = { ...planned.wire.headers, 'Idempotency-Key': `"${context.key}"` };
  return { ...planned, wire: { ...planned.wire, headers }, isKeyed: 'answer' };
};

const graph: Plan = (context) => {
  const lines = Array.from({ length: context.random.between(1, 3) }, (_, number) => ({ number }));
  return {
    wire: {
      method: 'POST',
      path: '/orders?select=mark,lines(number)&lines.order=number',
      headers: json(context, { Prefer: 'return=representation' }),
      body: JSON.stringify({ mark: context.mark, lines }),
    },
    statuses: [201],
    check: sameJson([{ mark: context.mark, lines }]),
    effect: { kind: 'order', mark: context.mark, lines: lines.length },
  };
};

const batch: Plan = (context) => {
  const marks = [`${context.mark} a`, `${context.mark} b`];
  const isKeyed = context.random.chance(0.5);
  const key: Record<string, string> = isKeyed ? { 'Idempotency-Key': `"${context.key}"` } : {};
  const headers = { Prefer: 'return=representation' };
  const path = '/marks?select=mark';
  return {
    wire: {
      method: 'POST',
      path: '/',
      headers: { ...bearer(context), ...key, 'Content-Type': BATCH },
      body: JSON.stringify([
        ...marks.map((mark) => ({ method: 'POST', path, headers, body: { mark } })),
        {
          method: 'GET',
          path: `/marks?select=mark&mark=like.${encodeURIComponent(context.mark)}*&order=mark`,
        },
      ]),
    },
    statuses: [200],
    check({ body }) {
      const answers: unknown = JSON.parse(body);
      const last: unknown = Array.isArray(answers) ? answers[2] : null;
      const rows: unknown = typeof last === 'object' && last !== null && 'body' in last ? last.body : null;
      return differs(JSON.stringify(rows), JSON.stringify(marks.map((mark) => ({ mark }))));
    },
    effect: { kind: 'marks', marks },
    ...(isKeyed ? { isKeyed: 'answer' } : {}),
  };
};

/** A batch whose last item finds no row where it must, so that nothing is written. */
const brokenBatch: Plan = (context) => ({
  wire: {
    method: 'POST',
    path: '/',
    headers: { ...bearer(context), 'Content-Type': BATCH },
    body: JSON.stringify([
      { method: 'POST', path: '/marks', body: { mark: context.mark } },
      { method: 'GET', path: '/films?id=eq.0', headers: { Accept: 'application/vnd.pgrst.object+json' } },
    ]),
  },
  statuses: [406],
  check: () => null,
  effect: { kind: 'marks', marks: [context.mark] },
});

/** A batch whose first item fails, so that PostgreSQL does not parse the statement of the second. */
const skippedShape: Plan = (context) => {
  const { path } = shaped(context).wire;
  return {
    wire: {
      method: 'POST',
      path: '/',
      headers: { ...bearer(context), 'Content-Type': BATCH },
      body: JSON.stringify([
        { method: 'GET', path: '/films?id=eq.word' },
        { method: 'GET', path },
      ]),
    },
    statuses: [400],
    check: ({ body }) => (body.includes('22P02') ? null : `the error is ${body.slice(0, 200)}`),
  };
};

const add: Plan = (context) => {
  const by = context.random.between(1, 9);
  return {
    wire: { method: 'POST', path: '/rpc/add', headers: json(context), body: JSON.stringify({ by }) },
    statuses: [200],
    check: ({ body }) => (/^\d+$/.test(body.trim()) ? null : `the body is ${body.slice(0, 100)}`),
    effect: { kind: 'count', by },
  };
};

const ownMarks: Plan = (context) => ({
  wire: { method: 'GET', path: '/marks?select=tenant', headers: bearer(context) },
  statuses: [200],
  check: ({ body }) => {
    const rows: unknown = JSON.parse(body);
    const isOwn = (row: unknown): boolean =>
      typeof row === 'object' && row !== null && 'tenant' in row && row.tenant === context.claims.tenant;
    return Array.isArray(rows) && rows.every(isOwn) ? null : `rows of another tenant: ${body.slice(0, 200)}`;
  },
});

const wrongSignature: Plan = (context) => ({
  wire: {
    method: 'GET',
    path: '/films?select=id',
    headers: {
      Authorization: `Bearer ${tokenOf(context.claims, 'another secret that is as long as the first')}`,
    },
  },
  statuses: [401],
  check: () => null,
});

const malformed: Plan = (context) => ({
  wire: { method: 'GET', path: '/films?id=eq.word', headers: bearer(context) },
  statuses: [400],
  check: ({ body }) => (body.includes('22P02') ? null : `the error is ${body.slice(0, 200)}`),
});

const absent: Plan = (context) => ({
  wire: { method: 'GET', path: `/absent_${String(context.random.below(9))}`, headers: bearer(context) },
  statuses: [404],
  check: () => null,
});

/** Refused by the policy: a row of another tenant. */
const trespass: Plan = (context) => ({
  wire: {
    method: 'POST',
    path: '/marks',
    headers: json(context),
    body: JSON.stringify({
      mark: `stolen ${context.mark}`,
      tenant: TENANTS.find((tenant) => tenant !== context.claims.tenant),
    }),
  },
  statuses: [403],
  check: ({ body }) => (body.includes('42501') ? null : `the error is ${body.slice(0, 200)}`),
});

const DATA_OPERATIONS = {
  read,
  counted,
  csv,
  ofOthers,
  whoami,
  long,
  stream,
  slowRead,
  insert,
  slowWrite,
  lateWrite,
  tooLong,
  medium,
  shaped,
  keyed,
  graph,
  batch,
  brokenBatch,
  skippedShape,
  add,
  ownMarks,
  wrongSignature,
  malformed,
  absent,
  trespass,
  ...STEP_OPERATIONS,
  ...LIVE_OPERATIONS,
} as const;

export type DataKind = keyof typeof DATA_OPERATIONS;
export type NotificationKind = keyof typeof NOTIFICATION_OPERATIONS;
export type WebhookKind = keyof typeof WEBHOOK_OPERATIONS;
export type SigningKind = keyof typeof SIGNING_OPERATIONS;
export type OperationKind = DataKind | NotificationKind | SigningKind | WebhookKind;

export const OPERATIONS: Readonly<Record<OperationKind, Plan>> = {
  ...DATA_OPERATIONS,
  ...NOTIFICATION_OPERATIONS,
  ...SIGNING_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
};

const isDataKind = (name: string): name is DataKind => Object.hasOwn(DATA_OPERATIONS, name);
const isNotificationKind = (name: string): name is NotificationKind =>
  Object.hasOwn(NOTIFICATION_OPERATIONS, name);
export const DATA_KINDS: readonly DataKind[] = Object.keys(DATA_OPERATIONS).filter(isDataKind);
export const NOTIFICATION_KINDS: readonly NotificationKind[] =
  Object.keys(NOTIFICATION_OPERATIONS).filter(isNotificationKind);
const isSigningKind = (name: string): name is SigningKind => Object.hasOwn(SIGNING_OPERATIONS, name);
export const SIGNING_KINDS: readonly SigningKind[] = Object.keys(SIGNING_OPERATIONS).filter(isSigningKind);
const isWebhookKind = (name: string): name is WebhookKind => Object.hasOwn(WEBHOOK_OPERATIONS, name);
export const WEBHOOK_KINDS: readonly WebhookKind[] = Object.keys(WEBHOOK_OPERATIONS).filter(isWebhookKind);
export const OPERATION_KINDS: readonly OperationKind[] = [
  ...DATA_KINDS,
  ...NOTIFICATION_KINDS,
  ...SIGNING_KINDS,
  ...WEBHOOK_KINDS,
];
