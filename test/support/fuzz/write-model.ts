/** Writes of the data API as values that can be generated, shrunk, kept as JSON and sent, alone or in a batch. */
import type { FuzzClient, FuzzReply, FuzzRequest } from './fuzz-client.js';
import { JSON_BODY, pathOf, type Row } from './relation.js';
import type { Pair } from './request-model.js';

/** Stands for the number of the case: in the values of parameters, and as a string in bodies. */
export const SPACE = '$space';

/** A request that writes or reads rows of one space. */
export interface Write {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly relation: string;
  readonly pairs: readonly Pair[];
  /** Tokens of `Prefer`. */
  readonly prefer: readonly string[];
  /** Undefined for none. */
  readonly body?: unknown;
  /** Media type of the body; JSON by default. */
  readonly type?: string;
}

/** The text with the number of the case. */
const inSpace = (text: string, space: number): string =>
  text.replaceAll(`"${SPACE}"`, String(space)).replaceAll(SPACE, String(space));

/** The text with 0 in place of the number of the case. */
const outOfSpace = (text: string, space: number): string => text.replaceAll(String(space), '0');

const pathIn = (write: Write, space: number): string =>
  pathOf(
    write.relation,
    write.pairs.map(([key, value]): Pair => [key, inSpace(value, space)]),
  );

const headersOf = ({ prefer, body, type }: Write): Record<string, string> => ({
  ...(body === undefined ? {} : type === undefined ? JSON_BODY : { 'Content-Type': type }),
  ...(prefer.length === 0 ? {} : { Prefer: prefer.join(', ') }),
});

/** The request of one write. */
export function requestOf(write: Write, space: number): FuzzRequest {
  const { method, body } = write;
  const request = { method, path: pathIn(write, space), headers: headersOf(write) };
  return body === undefined ? request : { ...request, body: inSpace(JSON.stringify(body), space) };
}

/** A batch of the writes. The id of an item is `i` and its index. */
export function batchOf(writes: readonly Write[], space: number, prefer: string): FuzzRequest {
  const items = writes.map((write, index) => {
    const { method, body } = write;
    const item = { id: `i${String(index)}`, method, path: itemPath(write), headers: headersOf(write) };
    return body === undefined ? item : { ...item, body };
  });
  return {
    ...{ method: 'POST', path: '/', body: inSpace(JSON.stringify(items), space) },
    headers: {
      'Content-Type': 'application/vnd.dbr.batch+json',
      ...(prefer === '' ? {} : { Prefer: prefer }),
    },
  };
}

/** Braces of references (`{i0/0/id}`) stay as they are: encoded, they would be text. */
const itemPath = ({ relation, pairs }: Write): string =>
  pathOf(relation, pairs)
    .replaceAll(/%7B(i\d[^&]*?)%7D/g, (_whole, inner: string) => `{${decodeURIComponent(inner)}}`)
    .replaceAll(encodeURIComponent(SPACE), SPACE);

/** What a write answers, without the number of the case. */
export interface Answer {
  readonly status: unknown;
  /** Arrays are sorted: PostgreSQL returns the rows of a change in any order. Of an error, code and message. */
  readonly body: unknown;
  readonly range: unknown;
  readonly applied: unknown;
  readonly location: unknown;
}

/** The value with its arrays sorted by their text, and with the members of objects sorted by name. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const texts = value.map((each) => JSON.stringify(sorted(each)));
    return texts.sort().map((text): unknown => JSON.parse(text));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Code and message of an error, without the details, which name any of the rows that are refused. */
export const errorOf = (text: string): unknown => {
  const { code, message } = JSON.parse(text) as Row;
  return { code, message };
};

export function answerOf({ status, headers, text }: FuzzReply, space: number): Answer {
  const plain = outOfSpace(text, space);
  return {
    status,
    body: plain === '' ? null : status >= 400 ? errorOf(plain) : sorted(JSON.parse(plain)),
    range: headers['content-range'],
    applied: headers['preference-applied'],
    location: headers['location'] === undefined ? undefined : outOfSpace(headers['location'], space),
  };
}

/** The answers of a batch. @throws Error if it failed */
export function answersOfBatch({ status, text }: FuzzReply, space: number): readonly Answer[] {
  if (status !== 200) throw new Error(`the batch gives ${String(status)}: ${text}`);
  const items = JSON.parse(outOfSpace(text, space)) as readonly {
    readonly status: number;
    readonly headers: Row;
    readonly body: unknown;
  }[];
  return items.map((item) => ({
    ...{ status: item.status, body: sorted(item.body) },
    range: item.headers['Content-Range'],
    applied: item.headers['Preference-Applied'],
    location: item.headers['Location'],
  }));
}

/** Runs the writes as one batch that is rolled back. @returns their answers */
export async function trial(client: FuzzClient, writes: readonly Write[]): Promise<readonly Answer[]> {
  const space = client.space();
  return answersOfBatch(await client.send(batchOf(writes, space, 'tx=rollback')), space);
}

/** The body of the last write of a batch that is rolled back. */
export async function lastOfTrial(client: FuzzClient, writes: readonly Write[]): Promise<unknown> {
  return (await trial(client, writes)).at(-1)?.body;
}
