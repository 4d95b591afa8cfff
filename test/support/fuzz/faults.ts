/**
 * Faults of answers, planted between the service and the fuzzer: each relation must find its own. A relation that finds
 * nothing is blind, however long it runs.
 */
import type { FuzzClient, FuzzReply, FuzzRequest } from './fuzz-client.js';
import type { RelationOfAnswers } from './fuzz-run.js';
import type { Row } from './relation.js';

/** Returns the answer with the fault, or the answer itself where the fault does not concern the request. */
type Corrupt = (request: FuzzRequest, reply: FuzzReply) => FuzzReply;

interface PlantedFault {
  readonly meaning: string;
  /** Made once for a run: some faults remember an earlier answer. */
  readonly plant: () => Corrupt;
}

const isSuccess = ({ status }: FuzzReply): boolean => status >= 200 && status < 300;

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const headerOf = ({ headers = {} }: FuzzRequest, name: string): string => headers[name] ?? '';

type Concerns = (request: FuzzRequest) => boolean;

const pathHas =
  (pattern: RegExp): Concerns =>
  ({ path }) =>
    pattern.test(decoded(path));

const bodyHas =
  (pattern: RegExp): Concerns =>
  ({ body = '' }) =>
    pattern.test(body);

/** Changes successful answers to some requests. */
const changing =
  (concerns: Concerns, change: (reply: FuzzReply) => FuzzReply): PlantedFault['plant'] =>
  () =>
  (request, reply) =>
    isSuccess(reply) && concerns(request) ? change(reply) : reply;

const text =
  (change: (text: string) => string) =>
  (reply: FuzzReply): FuzzReply => ({ ...reply, text: change(reply.text) });

/** Changes the rows of an answer that is an array of JSON. */
const rows = (change: (rows: readonly unknown[]) => readonly unknown[]) =>
  text((given) => (given.startsWith('[') ? JSON.stringify(change(JSON.parse(given) as unknown[])) : given));

const last = (list: readonly unknown[]): readonly unknown[] => list.slice(0, -1);

/** Loses the last row of each embed, or the one that it is. */
const withoutEmbedded = (parents: readonly unknown[]): readonly unknown[] =>
  parents.map((parent) => {
    const row = parent as Row;
    const { embedded } = row;
    return { ...row, embedded: Array.isArray(embedded) ? last(embedded) : null };
  });

const withoutEmptyCodes = (samples: readonly unknown[]): readonly unknown[] =>
  samples.map((sample) => {
    const row = sample as Row;
    return row['code'] === '' ? { ...row, code: null } : row;
  });

/** Loses a row of the last answer of a batch, which reads what the others left. */
const lastOfBatch = rows((items) => {
  const item = items.at(-1) as Row | undefined;
  const body = item?.['body'];
  return Array.isArray(body) ? [...items.slice(0, -1), { ...item, body: last(body) }] : items;
});

/** Loses rows of reads after a write of some kind. */
const losingAfter =
  (isWrite: Concerns, isRead: Concerns): PlantedFault['plant'] =>
  () => {
    let isWritten = false;
    return (request, reply) => {
      if (isWrite(request)) isWritten = true;
      return isWritten && request.method === 'GET' && isRead(request) && isSuccess(reply)
        ? rows(last)(reply)
        : reply;
    };
  };

/** Adds one to the total of Content-Range. */
const total = (reply: FuzzReply): FuzzReply => {
  const range = reply.headers['content-range'] ?? '';
  const more = range.replace(/\d+$/, (digits) => String(Number(digits) + 1));
  return { ...reply, headers: { ...reply.headers, 'content-range': more } };
};

/** Adds one to the first member with the name. */
const oneMore = (name: string) =>
  text((given) =>
    given.replace(new RegExp(`"${name}": ?(\\d+)`), (_, digits) => `"${name}":${String(Number(digits) + 1)}`),
  );

/** Replaces an answer by the one before it, of another request. */
const ofAnother =
  (concerns: Concerns): PlantedFault['plant'] =>
  () => {
    let before: FuzzReply | null = null;
    return (request, reply) => {
      if (!concerns(request) || !isSuccess(reply)) return reply;
      const other = before;
      before = reply;
      return other ?? reply;
    };
  };

const accepts =
  (type: string): Concerns =>
  (request) =>
    headerOf(request, 'Accept').startsWith(type);
const hasToken: Concerns = (request) => headerOf(request, 'Authorization') !== '';
const isBatch: Concerns = (request) => headerOf(request, 'Content-Type').includes('batch');
const both =
  (...all: readonly Concerns[]): Concerns =>
  (request) =>
    all.every((each) => each(request));
const method =
  (name: string): Concerns =>
  (request) =>
    request.method === name;

/** A refusal with the code becomes a success. */
const unrefused =
  (code: RegExp): PlantedFault['plant'] =>
  () =>
  (_request, reply) =>
    reply.status >= 400 && code.test(reply.text) ? { ...reply, status: 200, text: '[]' } : reply;

const fault = (meaning: string, plant: PlantedFault['plant']): PlantedFault => ({ meaning, plant });

export const FAULTS: Readonly<Record<RelationOfAnswers, PlantedFault>> = {
  sameAsQuery: fault('QUERY loses the last row', changing(method('QUERY'), rows(last))),
  csv: fault(
    'CSV of RFC 4180 doubles backslashes',
    changing(
      accepts('text/csv;dialect'),
      text((given) => given.replaceAll('\\', '\\\\')),
    ),
  ),
  streams: fault(
    'NDJSON loses its last line',
    changing(
      accepts('application/x-ndjson'),
      text((given) => given.replace(/[^\n]*\n?$/, '')),
    ),
  ),
  media: fault(
    'stripped nulls are not stripped in arrays of one row',
    changing(
      accepts('application/vnd.pgrst.array'),
      text((given) => given.replace('{', '{"gone":null,')),
    ),
  ),
  calls: fault(
    'POST of a function gives another value',
    changing(
      both(method('POST'), pathHas(/^\/rpc\/add/)),
      text((given) => `${given}0`),
    ),
  ),
  batches: fault('a batch loses a row of its last answer', changing(isBatch, lastOfBatch)),
  partition: fault('a negated condition loses a row', changing(pathHas(/=not\./), rows(last))),
  logic: fault('a negated group loses a row', changing(pathHas(/[?&]not\.(and|or)=/), rows(last))),
  pages: fault(
    'pages after the first begin a row late',
    changing(
      pathHas(/offset=[1-9]/),
      rows((list) => list.slice(1)),
    ),
  ),
  embeds: fault('an embed loses a row', changing(pathHas(/embedded:/), rows(withoutEmbedded))),
  present: fault('a parent without rows of an embed is lost', changing(pathHas(/=is\.null/), rows(last))),
  ordered: fault(
    'two rows change places',
    changing(
      pathHas(/order=/),
      rows((list) => [...list.slice(1), ...list.slice(0, 1)]),
    ),
  ),
  policies: fault('a role sees one row less than its policies let through', changing(hasToken, rows(last))),
  changes: fault('a row is lost after a PATCH', changing(bodyHas(/"method":"PATCH"/), lastOfBatch)),
  upserts: fault('a merged row is lost', changing(bodyHas(/merge-duplicates/), lastOfBatch)),
  bodies: fault(
    'a row of NDJSON is not written',
    losingAfter(
      (request) => headerOf(request, 'Content-Type') === 'application/x-ndjson',
      pathHas(/^\/notes/),
    ),
  ),
  keyed: fault('a row is lost after match=keys', changing(bodyHas(/match=keys/), lastOfBatch)),
  conditional: fault(
    'a tag that is out of date writes',
    () => (request, reply) =>
      reply.status === 412 && request.method === 'DELETE' ? { ...reply, status: 204, text: '' } : reply,
  ),
  graphs: fault('a graph loses a row', changing(bodyHas(/"books":\[/), lastOfBatch)),
  writesInBatch: fault('a batch that is rolled back leaves a row', () => {
    let isTried = false;
    return (request, reply) => {
      if (headerOf(request, 'Prefer').includes('tx=rollback')) isTried = true;
      const isState = request.method === 'GET' && isTried;
      return isState && isSuccess(reply) ? rows((list) => [...list, ...list.slice(0, 1)])(reply) : reply;
    };
  }),
  wild: fault(
    'HEAD has another status',
    () => (request, reply) => (request.method === 'HEAD' ? { ...reply, status: 203 } : reply),
  ),
  mutations: fault('an answer is cut', () => (_request, reply) => ({
    ...reply,
    text: reply.text.slice(0, -1),
  })),
  repeats: fault('a repetition deletes a row', () => {
    let space = 'none';
    return (request, reply) => {
      const { path, body = '', headers = {} } = request;
      if ('Idempotency-Key' in headers) space = /\b1\d{6}\b/.exec(path + body)?.[0] ?? space;
      return request.method === 'GET' && path.includes(space) && isSuccess(reply) ? rows(last)(reply) : reply;
    };
  }),
  limits: fault(
    'a limited write changes a row more',
    losingAfter(pathHas(/[?&]limit=/), pathHas(/^\/stock/)),
  ),
  typedRows: fault(
    'an empty text becomes null',
    changing(pathHas(/^\/samples.*select=id,home/), rows(withoutEmptyCodes)),
  ),
  wrongValues: fault(
    'a refused value leaves a row',
    () => (request, reply) =>
      request.method === 'GET' && reply.text === '[]' ? { ...reply, text: '[{"id":1}]' } : reply,
  ),
  boundedBytes: fault('a body over the ceiling is answered', unrefused(/DBR131/)),
  boundedReads: fault('an operator over the ceilings is answered', unrefused(/DBR19[23]/)),
  boundedWrites: fault('a write over the ceilings is done', unrefused(/DBR19[23]/)),
  costs: fault(
    'a read over its cost is answered',
    () => (_request, reply) =>
      reply.text.includes('DBR190') ? { ...reply, status: 200, text: '[{}]' } : reply,
  ),
  levels: fault(
    'level 16 loses a row',
    changing(({ level }) => level === '16', rows(last)),
  ),
  writesAtLevels: fault(
    'level 16 writes a row less',
    changing(({ level }) => level === '16', lastOfBatch),
  ),
  spreads: fault(
    'a spread loses an element',
    changing(
      ({ level }) => level === '16',
      text((given) => given.replace(/"actor": ?\[\d+(, ?)?/, '"actor":[')),
    ),
  ),
  counts: fault('a total is one too high', changing(method('HEAD'), total)),
  groups: fault('having keeps a group too few', changing(pathHas(/having=/), rows(last))),
  aggregates: fault('a count is one too high', changing(pathHas(/count\(\)/), oneMore('a3'))),
  countedEmbeds: fault(
    'the count of an embed is one too high',
    changing(pathHas(/\(count\(\)\)/), oneMore('count')),
  ),
  equalReads: fault('a read has the answer of another that arrived before', ofAnother(method('GET'))),
  lookups: fault('a row by key is that of another key', ofAnother(hasToken)),
  readers: fault(
    'NDJSON loses digits',
    changing(
      accepts('application/x-ndjson'),
      text((given) => given.replaceAll(/^\{.*\}$/gm, (line) => JSON.stringify(JSON.parse(line)))),
    ),
  ),
  sums: fault('the total of a filter is one too high', changing(pathHas(/limit=0/), total)),
  pivots: fault(
    'a conjunction loses a row',
    changing(
      pathHas(/[?&]and=/),
      rows((list) => list.slice(1)),
    ),
  ),
};

/** The client, whose answers have the fault of a relation. */
export function withFault(client: FuzzClient, relation: RelationOfAnswers): FuzzClient {
  const corrupt = FAULTS[relation].plant();
  return { ...client, send: async (sent) => corrupt(sent, await client.send(sent)) };
}
