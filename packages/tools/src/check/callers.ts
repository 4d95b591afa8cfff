/** Callers of a check, generated from the values of owner columns; and values that no row has. */
import { type JsonObject, listOf, objectOf, sha256Text } from '../../../../src/face.js';
import type { Column } from './catalogue.js';
import { claimConstants } from './owners.js';
import { columnNamed, nameOf, type CheckedCaller, type RowTexts, type Subject } from './probe.js';

/** Hexadecimal digits that depend on the seed and on what they are for. */
const digits = (seed: number, purpose: string): string => sha256Text(`${String(seed)} ${purpose}`, 'hex');

const uuidOf = (seed: number, purpose: string): string =>
  digits(seed, purpose).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

/**
 * A value that no row has; null for a type that no value is made for.
 * @param like a value of the same kind: text may hold UUIDs or numbers
 */
export function strangeValue(
  { type, category }: Pick<Column, 'type' | 'category'>,
  seed: number,
  purpose: string,
  like = '',
): string | null {
  const number = Number.parseInt(digits(seed, purpose).slice(0, 6), 16);
  if (type === 'smallint') return String(32_000 + (number % 700));
  if (category === 'N' || /^-?\d+$/.test(like)) return String(1_900_000_000 + (number % 9_000_000));
  if (type === 'uuid' || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(like)) return uuidOf(seed, purpose);
  if (category === 'S') return `check-${digits(seed, purpose).slice(0, 12)}`;
  return category === 'D' ? '2199-12-31' : category === 'B' ? 'true' : null;
}

/** Values of claims by the JSON of their paths. */
type Claims = ReadonlyMap<string, string>;

/** The claims that the rows of all tables imply: a row with two owner columns joins two claims. */
function claimsOfRows(subjects: readonly Subject[]): readonly Claims[] {
  const parts = subjects.flatMap(({ owners, rows }) =>
    rows.map((row) => {
      const claims = new Map<string, string>();
      for (const { column, claim } of owners) {
        const key = JSON.stringify(claim);
        const value = row[column];
        if (typeof value === 'string' && !claims.has(key)) claims.set(key, value);
      }
      return claims;
    }),
  );
  const kept: Claims[] = [];
  for (const part of parts.toSorted((left, right) => right.size - left.size))
    if (!kept.some((known) => [...part].every(([claim, value]) => known.get(claim) === value)))
      kept.push(part);
  return kept;
}

/** Claims that no row has, of the kinds of values that rows or at least columns have. */
function strangeClaims(subjects: readonly Subject[], known: Claims, seed: number): Claims {
  const claims = new Map<string, string>();
  for (const { table, owners } of subjects)
    for (const { column, claim } of owners) {
      const key = JSON.stringify(claim);
      const of = columnNamed(table, column);
      // Identifiers of users are mostly UUIDs, and policies cast text to them.
      const value =
        of === undefined ? null : strangeValue(of, seed, key, known.get(key) ?? uuidOf(seed, nameOf(table)));
      if (value !== null && !claims.has(key)) claims.set(key, value);
    }
  return claims.size === 0 ? new Map([['["sub"]', uuidOf(seed, 'sub')]]) : claims;
}

/** JSON of claims. Digits stay text, as most issuers of tokens write identifiers. */
export const claimsJson = (role: string, claims: Claims): string =>
  JSON.stringify(
    [...claims].reduce<JsonObject>((all, [key, value]) => withClaim(all, pathOf(key), value), { role }),
  );

const withClaim = (at: JsonObject, [name = '', ...rest]: readonly string[], value: string): JsonObject => ({
  ...at,
  [name]: rest.length === 0 ? value : withClaim(objectOf(at[name]), rest, value),
});

const pathOf = (key: string): readonly string[] => listOf(JSON.parse(key)).map(String);

/** Most callers of a role that are generated from rows. */
const FROM_ROWS = 5;

/**
 * For each role users whose claims are values of owner columns, users that have a constant of a policy as a claim, strangers whose
 * claims no row has (two where rows give less than two users), and a caller whose token has no claim but the role.
 */
export function generateCallers(
  roles: readonly string[],
  anonymousRole: string | null,
  subjects: readonly Subject[],
  seed: number,
): readonly CheckedCaller[] {
  const sets = claimsOfRows(subjects);
  const order = (claims: Claims): string => digits(seed, JSON.stringify([...claims]));
  const picked = sets
    .toSorted((left, right) => order(left).localeCompare(order(right)))
    .toSorted((left, right) => right.size - left.size)
    .slice(0, FROM_ROWS);
  const known = new Map(sets.toReversed().flatMap((set) => [...set]));
  const stranger = strangeClaims(subjects, known, seed);
  const constants = claimConstants(subjects.map(({ table }) => table)).map(
    ({ claim, value }) =>
      [value, new Map([...(picked[0] ?? stranger), [JSON.stringify(claim), value]])] as const,
  );
  const users: readonly (readonly [string, Claims])[] = [
    ...picked.map((claims, index) => [String(index + 1), claims] as const),
    ...constants,
    ['stranger', stranger],
    ...(picked.length < 2 ? [['other-stranger', strangeClaims(subjects, known, -seed)] as const] : []),
    ['without-claims', new Map()],
  ];
  return roles.flatMap((role): readonly CheckedCaller[] =>
    role === anonymousRole
      ? [{ name: 'anonymous', role, claims: null }]
      : users.map(([name, claims]) => ({ name: `${role}-${name}`, role, claims: claimsJson(role, claims) })),
  );
}

/** The value of a claim as text; null without it. */
export function claimValue({ claims }: CheckedCaller, path: readonly string[]): string | null {
  let value: unknown = claims === null ? null : JSON.parse(claims);
  for (const name of path) value = objectOf(value)[name];
  return value === undefined || value === null
    ? null
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}

const EXAMPLES: Readonly<Record<string, string>> = { A: '{}', T: '1 day', I: '192.0.2.1' };

/** A row for an empty table: a value for each column that has a simple type. */
export const inventedRow = (columns: readonly Column[], seed: number): RowTexts =>
  Object.fromEntries(
    columns.map((column) => {
      const { name, type, category, label } = column;
      const value = label ?? EXAMPLES[category] ?? strangeValue(column, seed, `row ${name}`);
      return [name, /^jsonb?$/.test(type) ? '{}' : value];
    }),
  );
