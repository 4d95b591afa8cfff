/**
 * Finds names that resemble a word: names that share trigrams (or, if there are none, bigrams) are ranked by the
 * cosine similarity of their counts, and the best of them by edit distance. Measures and limits are those of the
 * reference data-access layer, so that hints are the same (data API §1.21).
 */
import { runAtOnce, type Work } from '../../base/turns.js';

/** Names, each with a value. */
export interface NameIndex<T> {
  readonly entries: readonly Entry<T>[];
  /** By name in lower case: positions in `entries`. */
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  readonly bySize: readonly Pieces[];
}

interface Entry<T> {
  readonly name: string;
  readonly key: string;
  readonly value: T;
}

/** The pieces of all names of one length. */
interface Pieces {
  readonly size: number;
  /** By piece: positions in `entries` and counts, in turns. */
  readonly holders: ReadonlyMap<string, readonly number[]>;
  /** By entry: length of the vector of its counts. */
  readonly lengths: readonly number[];
}

export interface Match<T> {
  readonly name: string;
  readonly value: T;
  /** 1 for the same name in any case, at least `LEAST_SCORE` for others. */
  readonly score: number;
}

const SIZES = [3, 2];
const LEAST_SCORE = 0.33;
/** Number of the best matches by cosine that are ranked by edit distance. */
const MEASURED = 50;
/** Longer words cannot be names (63 bytes in PostgreSQL) and are not compared. */
const LONGEST_WORD = 256;

export function* buildNameIndex<T>(names: Iterable<readonly [name: string, value: T]>): Work<NameIndex<T>> {
  const entries: Entry<T>[] = [];
  const byKey = new Map<string, number[]>();
  for (const [name, value] of names) {
    const key = name.toLowerCase();
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [entries.length]);
    else same.push(entries.length);
    entries.push({ name, key, value });
    yield;
  }
  const bySize: Pieces[] = [];
  for (const size of SIZES) bySize.push(yield* buildPieces(entries, size));
  return { entries, byKey, bySize };
}

function* buildPieces(entries: readonly Entry<unknown>[], size: number): Work<Pieces> {
  const holders = new Map<string, number[]>();
  const lengths: number[] = [];
  for (const [at, { key }] of entries.entries()) {
    const counts = countPieces(key, size);
    lengths.push(vectorLength(counts));
    for (const [piece, count] of counts) {
      const list = holders.get(piece);
      if (list === undefined) holders.set(piece, [at, count]);
      else list.push(at, count);
    }
    yield;
  }
  return { size, holders, lengths };
}

/** The best match among the entries that `allowed` accepts. */
export function findSimilar<T>(
  index: NameIndex<T>,
  word: string,
  allowed: (entry: Entry<T>) => boolean = () => true,
): Match<T> | null {
  const key = word.toLowerCase();
  if (key.length > LONGEST_WORD) return null;
  const exact = (index.byKey.get(key) ?? [])
    .flatMap((at) => index.entries[at] ?? [])
    .find((entry) => allowed(entry));
  if (exact !== undefined) return { name: exact.name, value: exact.value, score: 1 };
  for (const pieces of index.bySize) {
    const best = bestByDistance(closest(index.entries, pieces, key, allowed), key);
    if (best !== null) return best;
  }
  return null;
}

/** The best match among a few names, without an index. */
export const findSimilarAmong = (names: readonly string[], word: string): Match<null> | null =>
  findSimilar(runAtOnce(buildNameIndex(names.map((name): [string, null] => [name, null]))), word);

interface Scored<T> {
  readonly entry: Entry<T>;
  readonly score: number;
}

/** The best matches by cosine, best first. */
function closest<T>(
  entries: readonly Entry<T>[],
  pieces: Pieces,
  key: string,
  allowed: (entry: Entry<T>) => boolean,
): readonly Scored<T>[] {
  const counts = countPieces(key, pieces.size);
  const length = vectorLength(counts);
  const products = new Float64Array(entries.length);
  for (const [piece, count] of counts) {
    const holders = pieces.holders.get(piece) ?? [];
    for (let at = 0; at < holders.length; at += 2) {
      const entry = holders[at] ?? 0;
      products[entry] = (products[entry] ?? 0) + count * (holders[at + 1] ?? 0);
    }
  }
  const best: Scored<T>[] = [];
  for (const [at, entry] of entries.entries()) {
    const product = products[at] ?? 0;
    if (product === 0) continue;
    const score = product / (length * (pieces.lengths[at] ?? 1));
    const isFull = best.length >= MEASURED;
    if ((isFull && score <= (best.at(-1)?.score ?? 0)) || !allowed(entry)) continue;
    if (isFull) best.pop();
    const place = best.findIndex((other) => other.score < score);
    best.splice(place < 0 ? best.length : place, 0, { entry, score });
  }
  return best;
}

function bestByDistance<T>(candidates: readonly Scored<T>[], key: string): Match<T> | null {
  let best: Match<T> | null = null;
  for (const { entry } of candidates) {
    const score = similarity(key, entry.key);
    if (score >= LEAST_SCORE && score > (best?.score ?? 0))
      best = { name: entry.name, value: entry.value, score };
  }
  return best;
}

/** Counts pieces of letters, digits, blanks and commas; a dash marks both ends of the name. */
function countPieces(key: string, size: number): Map<string, number> {
  const text = Array.from(`-${key.replace(/[^\p{L}\p{N}\s,]/gu, '')}-`);
  const counts = new Map<string, number>();
  for (let at = 0; at + size <= text.length; at++) {
    const piece = text.slice(at, at + size).join('');
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return counts;
}

const vectorLength = (counts: ReadonlyMap<string, number>): number =>
  Math.sqrt([...counts.values()].reduce((sum, count) => sum + count * count, 0));

/** One minus the edit distance (Levenshtein) over the longer length. */
export function similarity(one: string, other: string): number {
  const a = Array.from(one);
  const b = Array.from(other);
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [row, letter] of a.entries()) {
    const current = [row + 1];
    for (const [at, against] of b.entries()) {
      const change = (previous[at] ?? 0) + (letter === against ? 0 : 1);
      current.push(Math.min(change, (previous[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1));
    }
    previous = current;
  }
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : 1 - (previous.at(-1) ?? 0) / longest;
}
