/** Erases a person from every area. */
import { setTimeout as delay } from 'node:timers/promises';
import type { UserErasure } from '../../generated/types.js';
import { dbrError } from '../errors/dbr-error.js';
import type { UserId } from '../base/identifiers.js';
import type { Database, DatabaseTask, TaskQuery } from '../postgres/database.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { inTransaction } from '../postgres/transaction.js';
import { audit, type AuditActor } from '../signing/audit.js';

import {
  AS_ERASURE,
  COUNT_AUDIT_ENTRIES,
  ERASE_ANSWERS,
  ERASE_FROM_SIGNING,
  ERASE_NOTIFICATIONS,
  FORGET_NAME,
  PSEUDONYM,
} from './erase-sql.js';

/** How often an erasure begins again because another transaction has locked a row of the user for long. */
const ATTEMPTS = 20;
/** In milliseconds. */
const LONGEST_PAUSE_MS = 200;
/** lock_not_available and deadlock_detected. */
const LOCKED: ReadonlySet<string> = new Set(['55P03', '40P01']);

/**
 * Erases a user of the actor's tenant from notifications, signing and kept answers of the data API, in one transaction, and
 * records that in the audit log. What is committed later is not erased: the next call erases it.
 * @param database connects as a login role that is a member of `dbr_erasure`
 * @throws DbrError ServiceUnavailable if rows of the user stay locked; PostgresError, PoolTimeout, ConnectFailed, ConnectionLost
 */
export async function eraseUser(database: Database, actor: AuditActor, userId: UserId): Promise<UserErasure> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await eraseOnce(database, actor, userId);
    } catch (error) {
      if (!(error instanceof PostgresError && LOCKED.has(error.fields.code))) throw error;
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
  }
  throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '5' } });
}

function eraseOnce(database: Database, actor: AuditActor, userId: UserId): Promise<UserErasure> {
  const user = [actor.tenantId, userId] as const;
  return inTransaction(database, { role: AS_ERASURE, parameters: [...user] }, async (transaction) => {
    const signing = await eraseFromSigning(transaction, user);
    const { answers } = await transaction.one<{ readonly answers: string }>({
      text: ERASE_ANSWERS,
      values: [...user],
    });
    const requests = { answers: Number(answers) };
    const notifications = await countsOf<UserErasure['notifications']>(transaction, {
      text: ERASE_NOTIFICATIONS,
      values: [...user],
    });
    const { pseudonym, ...counts } = signing;
    await audit(transaction, actor, {
      action: 'user.erase',
      subject: pseudonym === null ? 'user' : `user:${pseudonym}`,
      before: null,
      after: { notifications, signing: counts, requests },
    });
    // Last, because the actor may be the user.
    await transaction.none({ text: FORGET_NAME, values: [...user] });
    return { notifications, signing, requests };
  });
}

type SigningErasure = UserErasure['signing'];
type AuditCounts = 'auditEntriesNamed' | 'auditEntriesPseudonymous';

async function eraseFromSigning(
  transaction: DatabaseTask,
  user: readonly [tenantId: string, userId: string],
): Promise<SigningErasure> {
  const { pseudonym } = await transaction.one<{ readonly pseudonym: string }>({
    text: PSEUDONYM,
    values: [...user],
  });
  const rows = await countsOf<Omit<SigningErasure, 'pseudonym' | AuditCounts>>(transaction, {
    text: ERASE_FROM_SIGNING,
    values: [...user, pseudonym],
  });
  const { named, pseudonymous } = await transaction.one<{
    readonly named: string;
    readonly pseudonymous: string;
  }>({ text: COUNT_AUDIT_ENTRIES, values: [...user] });
  const auditEntriesPseudonymous = Number(pseudonymous);
  const isUsed = auditEntriesPseudonymous > 0 || Object.values(rows).some((count) => count > 0);
  return {
    pseudonym: isUsed ? pseudonym : null,
    ...rows,
    auditEntriesPseudonymous,
    auditEntriesNamed: Number(named),
  };
}

/** The counts of a statement, whose one row has them as JSON. */
async function countsOf<Counts>(transaction: DatabaseTask, query: TaskQuery): Promise<Counts> {
  const { counts } = await transaction.one<{ readonly counts: string }>(query);
  return JSON.parse(counts) as Counts;
}
