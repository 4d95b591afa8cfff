/** The items of a batch: requests that are handled in one transaction, in their order. */
import { headerOf, type RequestHeaders } from '../request/headers.js';

export interface BatchItem {
  /** From 0. */
  readonly index: number;
  readonly id: string | null;
  readonly method: string;
  /** As on a request line, without the query. */
  readonly path: string;
  /** As on a request line, without the question mark; a mark stands for each reference. */
  readonly query: string;
  readonly marks: readonly Mark[];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ItemBody;
}

/** The body of an item. `template`: JSON with slots, which values of earlier answers fill. */
export type ItemBody =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  | { readonly kind: 'template'; readonly json: Buffer; readonly slots: readonly Slot[] };

/** A value in the answer to an earlier item. */
export interface Reference {
  /** Index of the item. */
  readonly item: number;
  /** The tokens of the JSON pointer (RFC 6901). */
  readonly pointer: readonly string[];
  /** As in the batch. */
  readonly spelled: string;
}

/**
 * A text that stands for a reference while the query is read. It may only be part of a value: the grammar is applied before
 * the value is known, so that a value cannot become grammar.
 */
export interface Mark {
  readonly text: string;
  readonly reference: Reference;
}

/** The bytes of a body that a value replaces. */
export interface Slot {
  readonly start: number;
  readonly end: number;
  readonly reference: Reference;
}

/** The items whose answers an item refers to. */
export const referencesOf = ({ marks, body }: BatchItem): readonly Reference[] => [
  ...marks.map(({ reference }) => reference),
  ...(body.kind === 'template' ? body.slots.map(({ reference }) => reference) : []),
];

/** An error in one item, which undoes the whole batch. */
export class ItemFailure extends Error {
  override readonly name = 'ItemFailure';
  readonly item: Pick<BatchItem, 'index' | 'id' | 'marks'>;
  override readonly cause: unknown;

  constructor(item: Pick<BatchItem, 'index' | 'id' | 'marks'>, cause: unknown) {
    super(`item ${String(item.index)} of the batch failed`);
    this.item = item;
    this.cause = cause;
  }
}

/** Headers that belong to one item. The others are those of the batch, which its caller and the proxies before it have set. */
export const ITEM_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-profile',
  'content-profile',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'prefer',
  'range',
  'range-unit',
]);

/** Further headers that say nothing about the items: they describe the message that contains the batch. */
const MESSAGE_HEADERS: ReadonlySet<string> = new Set([
  ...ITEM_HEADERS,
  'connection',
  'content-encoding',
  'content-length',
  'dbr-position',
  'expect',
  'idempotency-key',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-http-method-override',
]);

const PROFILES = ['accept-profile', 'content-profile'] as const;

/** Returns the headers of an item's request: those of its caller, and its own. Content-Profile of the batch is its default. */
export function headersOfItem(
  batch: { readonly headers: RequestHeaders; readonly rawHeaders: readonly string[] },
  own: Readonly<Record<string, string>>,
): { readonly headers: Record<string, string | string[]>; readonly rawHeaders: readonly string[] } {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(batch.headers))
    if (value !== undefined && !MESSAGE_HEADERS.has(name))
      headers[name] = typeof value === 'string' ? value : [...value];
  const rawHeaders: string[] = [];
  for (let at = 0; at + 1 < batch.rawHeaders.length; at += 2) {
    const name = batch.rawHeaders[at] ?? '';
    if (!MESSAGE_HEADERS.has(name.toLowerCase())) rawHeaders.push(name, batch.rawHeaders[at + 1] ?? '');
  }
  const profile = headerOf(batch.headers, 'content-profile');
  const profiles = profile === undefined ? {} : Object.fromEntries(PROFILES.map((name) => [name, profile]));
  for (const [name, value] of Object.entries({ ...profiles, ...own })) {
    headers[name] = value;
    rawHeaders.push(name, value);
  }
  return { headers, rawHeaders };
}
