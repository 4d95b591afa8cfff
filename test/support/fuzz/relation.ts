/** A relation between answers, and what the checks of relations share. */
import { isDeepStrictEqual } from 'node:util';
import { deepStrictEqual } from 'node:assert';
import type { Arbitrary } from 'fast-check';
import type { FuzzClient } from './fuzz-client.js';
import { queryText, type Pair } from './request-model.js';

/** A property with its generator. A case is plain JSON, so that it can be kept. */
export interface Relation<Case> {
  readonly arbitrary: Arbitrary<Case>;
  /** @throws Error where the relation does not hold */
  check(each: Case, client: FuzzClient): Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

export const JSON_BODY = { 'Content-Type': 'application/json' } as const;

export const pathOf = (relation: string, pairs: readonly Pair[]): string =>
  pairs.length === 0 ? `/${relation}` : `/${relation}?${queryText(pairs)}`;

/** The rows of a read that must succeed. */
export async function rowsOf(
  client: FuzzClient,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Row[]> {
  const { status, text } = await client.send({ method: 'GET', path, headers });
  if (status !== 200 && status !== 206) throw new Error(`GET ${path} gives ${String(status)}: ${text}`);
  return JSON.parse(text) as readonly Row[];
}

/** @throws AssertionError with the difference, and what differs in front of it */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected || isDeepStrictEqual(actual, expected)) return;
  try {
    deepStrictEqual(actual, expected);
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** The text of a JSON value: that of a string is the string. */
export const scalarText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
