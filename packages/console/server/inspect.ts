/**
 * Answers what the console asks about the database. A question is answered in one read-only transaction that is rolled
 * back, as the role of the token and with its claims, so that no answer exceeds the rights of the token. Proposals of agents
 * have a role of their own, which finds them by the caller.
 */
import {
  AS_KEEPER,
  callerOf,
  classifyDriverError,
  databaseError,
  databaseFailure,
  DbrError,
  dbrError,
  errorReply,
  FORGET_PROPOSAL,
  type Identity,
  type InspectedDatabase,
  type Inspection,
  type InspectionReply,
  isObject,
  LIST_PROPOSALS,
  PostgresError,
  quoteDotted,
  quoteIdentifier,
  type Session,
  shownTexts,
  sql,
  withSession,
} from '../../../src/face.js';
import { lintDatabase, lintScope } from '../../tools/src/lint/lint.js';
import {
  COMMANDS,
  type Catalogue,
  type Overview,
  type ProposalQuestion,
  type Question,
  type RelationNumbers,
} from './answers.js';
import { FUNCTIONS, NUMBERS, RELATIONS, SCHEMAS } from './catalogue-sql.js';
import { readRelation } from './relation.js';
import { evaluate } from './visibility.js';

/** Longest time of a statement, in milliseconds. */
const INSPECTION_MS = 10_000;

/** Inspections that run at a time: each has a connection of its own. */
const MOST_AT_A_TIME = 4;
let running = 0;

/** Errors become replies in the style of the data API. */
export async function inspect(
  database: () => InspectedDatabase,
  { authorization, question }: Inspection,
): Promise<InspectionReply> {
  if (running >= MOST_AT_A_TIME) return errorReply(dbrError('RateLimited'));
  running += 1;
  try {
    const asked = questionOf(question);
    const inspected = database();
    const identity = await inspected.identify(authorization ?? undefined);
    const answer = await withSession(inspected.uri, (session) =>
      answerTo(asked, identity, inspected, session),
    );
    return { status: 200, body: JSON.stringify(answer) };
  } catch (error) {
    return failedReply(error);
  } finally {
    running -= 1;
  }
}

/** @throws DbrError InvalidBody */
function questionOf(body: unknown): Question {
  if (isObject(body)) {
    const { kind, schema, name, command, row, id } = body;
    if (kind === 'catalogue' || kind === 'overview' || kind === 'lint' || kind === 'proposals')
      return { kind };
    if (kind === 'dismiss-proposal' && typeof id === 'string') return { kind, id };
    if (typeof schema === 'string' && typeof name === 'string') {
      if (kind === 'relation') return { kind, schema, name };
      const known = COMMANDS.find((each) => each === command);
      if (kind === 'visibility' && known !== undefined && isObject(row))
        return { kind, schema, name, command: known, row };
    }
  }
  throw dbrError('InvalidBody', { details: 'the question is unknown or incomplete' });
}

function failedReply(error: unknown): InspectionReply {
  if (error instanceof DbrError) return errorReply(error);
  const classified = classifyDriverError(error, { host: '', port: 0 });
  if (classified instanceof PostgresError) {
    const { message, detail, hint } = shownTexts(classified.fields);
    return {
      status: 400,
      body: JSON.stringify({ code: classified.fields.code, message, details: detail, hint }),
    };
  }
  const failure = databaseFailure(classified);
  return errorReply(
    failure === null
      ? dbrError('InternalError')
      : databaseError(failure, {
          connectionLost: 'DatabaseConnectionError',
          showsMessage: false,
          retryAfter: null,
        }),
  );
}

async function answerTo(
  question: Question,
  identity: Identity,
  inspected: InspectedDatabase,
  session: Session,
): Promise<unknown> {
  if (question.kind === 'lint') return lint(identity, inspected, session);
  if (question.kind === 'overview') return readOverview(identity, inspected, session);
  if (question.kind === 'proposals' || question.kind === 'dismiss-proposal')
    return answerOnProposals(question, identity, inspected, session);
  await session.script('begin read only');
  await enter(identity, inspected, session);
  const answer = await answerInTransaction(question, identity, inspected, session);
  await session.script('rollback');
  return answer;
}

async function answerInTransaction(
  question: Exclude<Question, ProposalQuestion | { readonly kind: 'lint' | 'overview' }>,
  identity: Identity,
  { settings }: InspectedDatabase,
  session: Session,
): Promise<unknown> {
  const schemas = settings['db-schemas'];
  switch (question.kind) {
    case 'catalogue':
      return readCatalogue(identity, schemas, session);
    case 'relation':
      return (await readRelation(schemas, question, session)).detail;
    case 'visibility':
      return evaluate(await readRelation(schemas, question, session), question, identity.role, session);
  }
}

/** SQLSTATE of a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** Longest wait for the lock of a table, in milliseconds. */
const LOCK_MS = 500;

/** Numbers of all relations; without sizes where someone has locked one of them. */
async function readOverview(
  identity: Identity,
  inspected: InspectedDatabase,
  session: Session,
): Promise<Overview> {
  const read = async (hasSizes: boolean): Promise<Overview> => {
    await session.script('begin read only');
    await enter(identity, inspected, session);
    await session.query(sql`select pg_catalog.set_config('lock_timeout', $1, true)`, [String(LOCK_MS)]);
    const relations = await session.query(NUMBERS, [[...inspected.settings['db-schemas']], hasSizes]);
    await session.script('rollback');
    // The query names its columns as the members of the type.
    return { relations: relations as unknown as readonly RelationNumbers[] };
  };
  try {
    return await read(true);
  } catch (error) {
    if (!isLocked(error)) throw error;
    await session.script('rollback');
    return read(false);
  }
}

function isLocked(error: unknown): boolean {
  const classified = classifyDriverError(error, { host: '', port: 0 });
  return classified instanceof PostgresError && classified.fields.code === LOCK_NOT_AVAILABLE;
}

/** Sets what the data API sets for a read: role, claims, search path, and the function of `db-pre-request`. */
async function enter(
  { role, claims }: Identity,
  { settings }: InspectedDatabase,
  session: Session,
): Promise<void> {
  const preRequest = settings['db-pre-request'];
  const path = [...settings['db-schemas'].slice(0, 1), ...settings['db-extra-search-path']]
    .map((name) => quoteIdentifier(name))
    .join(', ');
  await session.query(
    sql`select pg_catalog.set_config('statement_timeout', $1, true), pg_catalog.set_config('role', $2, true),
      pg_catalog.set_config('request.jwt.claims', $3, true), pg_catalog.set_config('search_path', $4, true),
      pg_catalog.set_config('request.method', 'GET', true), pg_catalog.set_config('request.path', '/', true),
      pg_catalog.set_config('request.headers', '{}', true), pg_catalog.set_config('request.cookies', '{}', true)`,
    [String(INSPECTION_MS), role, claims, path],
  );
  if (preRequest !== null) await session.query(sql`select ${quoteDotted(preRequest)}()`);
}

async function readCatalogue(
  { claims, authenticated }: Identity,
  schemas: readonly string[],
  session: Session,
): Promise<unknown> {
  const names = [[...schemas]];
  const [current] = await session.query(sql`select current_user::text as role`);
  return {
    role: String(current?.['role']),
    authenticated,
    claims: JSON.parse(claims) as Catalogue['claims'],
    schemas: await session.query(SCHEMAS, names),
    relations: await session.query(RELATIONS, names),
    functions: await session.query(FUNCTIONS, names),
  };
}

/** Reads the catalogue as the role. Anonymous callers are refused: findings name what is weak. */
async function lint(identity: Identity, { settings }: InspectedDatabase, session: Session): Promise<unknown> {
  if (!identity.authenticated) throw dbrError('Forbidden', { details: 'findings need a token' });
  await session.query(
    sql`select pg_catalog.set_config('role', $1, false), pg_catalog.set_config('statement_timeout', $2, false)`,
    [identity.role, String(INSPECTION_MS)],
  );
  const { findings } = await lintDatabase(session, lintScope(settings, new Set()));
  return { schemas: settings['db-schemas'], findings };
}

/** Lists or dismisses proposals of the caller, as the role that keeps them: no role of a token may read them. */
async function answerOnProposals(
  question: ProposalQuestion,
  identity: Identity,
  { settings }: InspectedDatabase,
  session: Session,
): Promise<unknown> {
  if (!identity.authenticated) throw dbrError('Forbidden', { details: 'proposals need a token' });
  if (!settings['db-idempotency']) return { proposals: [] };
  const { digest } = callerOf(identity);
  await session.script('begin read write');
  await session.query(
    sql`select pg_catalog.set_config('statement_timeout', $1, true), pg_catalog.set_config('lock_timeout', $2, true)`,
    [String(INSPECTION_MS), String(LOCK_MS)],
  );
  await session.query(AS_KEEPER);
  const rows =
    question.kind === 'proposals'
      ? await session.query(LIST_PROPOSALS, [digest])
      : await session.query(FORGET_PROPOSAL, [question.id, digest]);
  await session.script('commit');
  return { proposals: rows };
}
