/**
 * Finds names that resemble a word: names that share trigrams (or, if there are none, bigrams) are ranked by the
 * cosine similarity of their counts, and the best of them by edit distance. Measures and limits are those of the
 * reference data-access layer, so that hints are the same (data API §1.21). Nothing is computed before the first hint: no
 * index is worth its time at each load of the schema, because a pass over 10,000 names takes some milliseconds.
 */

interface Name {
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  /** The characters of which pieces are cut. */
  readonly characters: Characters;
  /** By the size of pieces: length of the vector of their counts; 0 before it is known. */
  readonly lengths: Record<Size, number>;
}

export interface Match<T> {
  readonly name: string;
  readonly value: T;
  /** 1 for the same name in any case, at least `LEAST_SCORE` for others. */
  readonly score: number;
}

/** A string, or a list if characters have two code units. */
type Characters = ArrayLike<string>;

type Size = 2 | 3;

const SIZES: readonly Size[] = [3, 2];
const LEAST_SCORE = 0.33;
/** Number of the best matches by cosine that are ranked by edit distance. */
const MEASURED = 50;
/** Longer words cannot be names (63 bytes in PostgreSQL) and are not compared. */
const LONGEST_WORD = 256;

/** What hints have found out about the names of a map, which never changes. */
const known = new WeakMap<ReadonlyMap<string, unknown>, readonly Name[]>();

function namesOf(values: ReadonlyMap<string, unknown>): readonly Name[] {
  let names = known.get(values);
  if (names === undefined) known.set(values, (names = Array.from(values.keys(), nameOf)));
  return names;
}

function nameOf(name: string): Name {
  const key = name.toLowerCase();
  return { name, key, characters: charactersOf(key), lengths: { 2: 0, 3: 0 } };
}

/** The best match among the names whose values `allowed` accepts. @param values a map that never changes */
export function findSimilar<T>(
  values: ReadonlyMap<string, T>,
  word: string,
  allowed: (value: T, name: string) => boolean = () => true,
): Match<T> | null {
  const key = word.toLowerCase();
  if (key.length > LONGEST_WORD) return null;
  const mayName = ({ name }: Name): boolean => {
    const value = values.get(name);
    return value !== undefined && allowed(value, name);
  };
  const names = namesOf(values);
  const exact = names.find((each) => each.key === key && mayName(each));
  const best = exact === undefined ? mostSimilar(names, key, mayName) : { name: exact.name, score: 1 };
  const value = best === null ? undefined : values.get(best.name);
  return best === null || value === undefined ? null : { ...best, value };
}

/** The best match among a few names. */
export const findSimilarAmong = (names: readonly string[], word: string): Match<true> | null =>
  findSimilar(new Map(names.map((name) => [name, true])), word);

type Similar = Omit<Match<unknown>, 'value'>;

function mostSimilar(names: readonly Name[], key: string, mayName: (name: Name) => boolean): Similar | null {
  for (const size of SIZES) {
    const best = bestByDistance(closest(names, size, key, mayName), key);
    if (best !== null) return best;
  }
  return null;
}

interface Scored {
  readonly name: Name;
  readonly score: number;
}

/** The best matches by cosine, best first. */
function closest(
  names: readonly Name[],
  size: Size,
  key: string,
  mayName: (name: Name) => boolean,
): readonly Scored[] {
  const counts = countPieces(charactersOf(key), size);
  const length = vectorLength(counts);
  const best: Scored[] = [];
  for (const name of names) {
    const product = productOf(name, size, counts);
    if (product === 0) continue;
    const isFull = best.length >= MEASURED;
    const least = isFull ? (best.at(-1)?.score ?? 0) : 0;
    // The square of the length is at least the number of pieces, so that most names need no counts.
    if (product / (length * Math.sqrt(name.characters.length + 1 - size)) <= least) continue;
    name.lengths[size] ||= vectorLength(countPieces(name.characters, size));
    const score = product / (length * name.lengths[size]);
    if (score <= least || !mayName(name)) continue;
    if (isFull) best.pop();
    const place = best.findIndex((other) => other.score < score);
    best.splice(place < 0 ? best.length : place, 0, { name, score });
  }
  return best;
}

/** The scalar product of the counts of a word and of a name. */
function productOf({ characters }: Name, size: Size, counts: ReadonlyMap<string, number>): number {
  let product = 0;
  for (let at = 0; at + size <= characters.length; at++)
    product += counts.get(pieceAt(characters, at, size)) ?? 0;
  return product;
}

function bestByDistance(candidates: readonly Scored[], key: string): Similar | null {
  let best: Similar | null = null;
  for (const { name } of candidates) {
    const score = similarity(key, name.key);
    if (score >= LEAST_SCORE && score > (best?.score ?? 0)) best = { name: name.name, score };
  }
  return best;
}

/** Letters, digits, blanks and commas; a dash marks both ends of the name. */
function charactersOf(key: string): Characters {
  const kept = USUAL.test(key) ? key.replaceAll('_', '') : key.replace(/[^\p{L}\p{N}\s,]/gu, '');
  const text = `-${kept}-`;
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}

/** Most names have no other characters. */
const USUAL = /^[a-z0-9_]*$/;

const pieceAt = (characters: Characters, at: number, size: Size): string => {
  const pair = (characters[at] ?? '') + (characters[at + 1] ?? '');
  return size === 2 ? pair : pair + (characters[at + 2] ?? '');
};

function countPieces(characters: Characters, size: Size): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + size <= characters.length; at++) {
    const piece = pieceAt(characters, at, size);
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return counts;
}

const vectorLength = (counts: ReadonlyMap<string, number>): number => {
  let sum = 0;
  for (const count of counts.values()) sum += count * count;
  return Math.sqrt(sum);
};

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
