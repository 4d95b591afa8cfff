/** Runs tests of policies: each file in a transaction that is rolled back, and each sentence apart from the others. */
import { beginTrial, type Session, type StatementResult } from '../../../../src/face.js';
import type { ExpectedOutcome, Sentence, TestStep } from './read-tests.js';

/** What the data API sets for a request. */
interface RequestSettings {
  /** `search_path`, which fixtures have, too. */
  readonly searchPath: string;
  /** Returns the statement that gives the transaction its role and settings. */
  readonly contextOf: (user: Sentence['user']) => {
    readonly text: string;
    readonly values: readonly string[];
  };
  /** `db-pre-request`: a qualified function without arguments; null for none. */
  readonly preRequest: string | null;
}

export interface Verdict extends Pick<Sentence, 'line' | 'title' | 'text'> {
  /** The actual outcome; null if the sentence is right. */
  readonly fault: string | null;
}

/** A test must not wait for a lock that a service holds. */
const LIMITS = `set local lock_timeout = '10s'; set local statement_timeout = '60s'`;

/**
 * @param session of a role that owns the tables and may become the roles of the users
 * @returns a verdict for each sentence, and one for a fixture that fails, which is the last
 */
export async function runPolicyTests(
  session: Session,
  steps: readonly TestStep[],
  settings: RequestSettings,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  await beginTrial(session);
  try {
    await session.script(LIMITS);
    await session.query(`select pg_catalog.set_config('search_path', $1, true)`, [settings.searchPath]);
    for (const step of steps) {
      if (step.kind === 'sentence') verdicts.push(await judge(session, step, settings));
      else {
        const fault = await errorOf(session.script(`set local role none; ${step.sql}`));
        if (fault === null) continue;
        const { line } = step;
        verdicts.push({ line, title: '', text: 'fixture', fault: `it fails: ${describe(fault)}` });
        break;
      }
    }
  } finally {
    await session.script('rollback').catch(() => undefined);
  }
  return verdicts;
}

async function judge(session: Session, sentence: Sentence, settings: RequestSettings): Promise<Verdict> {
  const { line, title, text, expected } = sentence;
  await session.script('savepoint sentence');
  const fault = await faultOf(session, sentence, settings);
  await session.script('rollback to savepoint sentence; release savepoint sentence');
  return { line, title, text, fault: fault === null ? null : faultText(expected, fault) };
}

type Happened =
  | { readonly kind: 'done'; readonly results: readonly StatementResult[] }
  | { readonly kind: 'failed'; readonly error: Failure };

async function faultOf(
  session: Session,
  { user, sql, expected }: Sentence,
  { contextOf, preRequest }: RequestSettings,
): Promise<Happened | null> {
  const { text, values } = contextOf(user);
  const notBecome = await errorOf(session.query(text, values));
  if (notBecome !== null)
    return {
      kind: 'failed',
      error: { ...notBecome, message: `the role ${user.role} cannot be taken: ${notBecome.message}` },
    };
  const happened = await run(session, preRequest === null ? [sql] : [`select ${preRequest}()`, sql]);
  return isExpected(expected, happened) ? null : happened;
}

/** Runs statements one after the other; the last one counts. */
async function run(session: Session, statements: readonly string[]): Promise<Happened> {
  let results: readonly StatementResult[] = [];
  for (const statement of statements) {
    const error = await errorOf(
      session.results(statement).then((found) => {
        results = found;
      }),
    );
    if (error !== null) return { kind: 'failed', error };
  }
  return { kind: 'done', results };
}

function isExpected(expected: ExpectedOutcome, happened: Happened): boolean {
  if (happened.kind === 'failed') return expected.kind === 'refused' && happened.error.code === expected.code;
  const [result, ...others] = happened.results;
  return (
    result !== undefined &&
    others.length === 0 &&
    expected.kind !== 'refused' &&
    isOfKind(expected.kind, result) &&
    result.rows === expected.rows
  );
}

const isOfKind = (kind: 'sees' | 'changes', { command, returnsRows }: StatementResult): boolean =>
  kind === 'sees' ? returnsRows : command !== 'SELECT';

function faultText(expected: ExpectedOutcome, happened: Happened): string {
  if (happened.kind === 'failed') return `it fails: ${describe(happened.error)}`;
  const [result, ...others] = happened.results;
  if (result === undefined || others.length > 0) return 'a sentence has one statement';
  if (expected.kind === 'sees' && !result.returnsRows)
    return 'the statement returns no rows: write `changes`';
  if (expected.kind === 'changes' && result.command === 'SELECT')
    return 'the statement changes no rows: write `sees`';
  const verb = result.command === 'SELECT' ? 'sees' : 'changes';
  const rows = `${String(result.rows)} ${result.rows === 1 ? 'row' : 'rows'}`;
  return expected.kind === 'refused'
    ? `it is not refused, and ${verb} ${rows}`
    : `it ${expected.kind} ${rows}`;
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

const describe = ({ code, message }: Failure): string =>
  `${message}${code === '' ? '' : ` (SQLSTATE ${code})`}`;

async function errorOf(work: Promise<unknown>): Promise<Failure | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    return { code, message: error.message };
  }
}
