/** Runs the relations with generated cases, or with those that were kept. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { FUZZ_ROLE } from './fuzz-database.js';
import { FUZZ_RELATIONS, type Relation } from './relations.js';
import { FUZZ_SECRET, type FuzzClient } from './fuzz-client.js';

/** Settings of the service that generated requests are sent to. */
export const FUZZ_SETTINGS = {
  areas: 'data-api',
  'db-anon-role': FUZZ_ROLE,
  'db-schemas': 'fuzz',
  'db-aggregates-enabled': 'true',
  'db-tx-end': 'commit-allow-override',
  'db-channel-enabled': 'false',
  'db-idempotency': 'true',
  'jwt-secret': FUZZ_SECRET,
} as const;

export type RelationOfAnswers = keyof typeof FUZZ_RELATIONS;

const isRelation = (name: string): name is RelationOfAnswers => Object.hasOwn(FUZZ_RELATIONS, name);

export const RELATION_NAMES: readonly RelationOfAnswers[] = Object.keys(FUZZ_RELATIONS).filter(isRelation);

/** A case that once broke a relation. */
export interface KeptCase {
  readonly relation: string;
  /** What was found. */
  readonly found: string;
  readonly case: unknown;
}

export const KEPT_FILE = fileURLToPath(new URL('kept.json', import.meta.url));

export const keptCases = (): readonly KeptCase[] =>
  JSON.parse(readFileSync(KEPT_FILE, 'utf8')) as readonly KeptCase[];

export interface Finding {
  readonly relation: RelationOfAnswers;
  readonly message: string;
  /** The shrunk case. */
  readonly case: unknown;
  readonly seed: number;
}

export interface RelationRun {
  readonly runs: number;
  readonly seed: number;
  /** Whether a case that breaks the relation is made smaller; true without it. */
  readonly shrinks?: boolean;
}

/** Runs one relation. @returns what breaks it, shrunk; null if it holds for all cases */
export async function runRelation(
  name: RelationOfAnswers,
  client: FuzzClient,
  { runs, seed, shrinks = true }: RelationRun,
): Promise<Finding | null> {
  const relation: Relation<unknown> = FUZZ_RELATIONS[name];
  const property = fc.asyncProperty(relation.arbitrary, (each) => relation.check(each, client));
  const result = await fc.check(property, { numRuns: runs, seed, endOnFailure: !shrinks });
  if (!result.failed) return null;
  const error = result.errorInstance;
  return {
    relation: name,
    message: error instanceof Error ? error.message : String(error),
    case: result.counterexample?.[0],
    seed,
  };
}

/** Checks a kept case. @throws Error if it breaks its relation */
export async function replay({ relation, case: kept }: KeptCase, client: FuzzClient): Promise<void> {
  if (!isRelation(relation)) throw new Error(`no relation has the name ${relation}`);
  const checked: Relation<unknown> = FUZZ_RELATIONS[relation];
  await checked.check(kept, client);
}
