/** Erases a person from every area. */
import { setTimeout as delay } from 'node:timers/promises';
import type { UserErasure } from '../../generated/types.js';
import { dbrError } from '../errors/dbr-error.js';
import { userIdOf, type UserId, uuidV7 } from '../base/identifiers.js';
import type { Database, DatabaseTask, TaskQuery } from '../postgres/database.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { inTransaction } from '../postgres/transaction.js';
import type { Actor } from '../signing/access.js';
import { audit } from '../signing/audit.js';

import {
  AS_ERASURE,
  COUNT_AUDIT_ENTRIES,
  ERASE_ANSWERS,
  ERASE_FROM_SIGNING,
  ERASE_NOTIFICATIONS,
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
export async function eraseUser(database: Database, actor: Actor, userId: UserId): Promise<UserErasure> {
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

function eraseOnce(database: Database, actor: Actor, userId: UserId): Promise<UserErasure> {
  const user = [actor.tenantId, userId];
  return inTransaction(database, { role: AS_ERASURE, parameters: user }, async (transaction) => {
    const signing = await eraseFromSigning(transaction, actor, userId);
    const { answers } = await transaction.one<{ readonly answers: string }>({
      text: ERASE_ANSWERS,
      values: user,
    });
    const requests = { answers: Number(answers) };
    const notifications = await countsOf<UserErasure['notifications']>(transaction, {
      text: ERASE_NOTIFICATIONS,
      values: user,
    });
    const { pseudonym, ...counts } = signing;
    await audit(transaction, actor, {
      action: 'user.erase',
      subject: pseudonym === null ? 'user' : `user:${pseudonym}`,
      before: null,
      after: { notifications, signing: counts, requests },
    });
    return { notifications, signing, requests };
  });
}

async function eraseFromSigning(
  transaction: DatabaseTask,
  { tenantId }: Actor,
  userId: UserId,
): Promise<UserErasure['signing']> {
  const user = [tenantId, userId];
  const pseudonym = userIdOf(`erased-${uuidV7()}`);
  const counts = await countsOf<Omit<UserErasure['signing'], 'pseudonym' | 'auditEntriesKept'>>(transaction, {
    text: ERASE_FROM_SIGNING,
    values: [...user, pseudonym],
  });
  const { kept } = await transaction.one<{ readonly kept: string }>({
    text: COUNT_AUDIT_ENTRIES,
    values: user,
  });
  const isNamed = Object.values(counts).some((count) => count > 0);
  return { ...counts, pseudonym: isNamed ? pseudonym : null, auditEntriesKept: Number(kept) };
}

/** The counts of a statement, whose one row has them as JSON. */
async function countsOf<Counts>(transaction: DatabaseTask, query: TaskQuery): Promise<Counts> {
  const { counts } = await transaction.one<{ readonly counts: string }>(query);
  return JSON.parse(counts) as Counts;
}
