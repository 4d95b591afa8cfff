/** Identifiers of tests. */
import {
  parseAccountId,
  parseSessionId,
  tenantIdOf,
  userIdOf,
  type AccountId,
  type SessionId,
} from '../../src/base/identifiers.js';
import type { Reader } from '../../src/notifications/types.js';

export const readerOf = (tenant: string, user: string): Reader => ({
  tenantId: tenantIdOf(tenant),
  userId: userIdOf(user),
});

export function accountIdOf(text: string): AccountId {
  const accountId = parseAccountId(text);
  if (accountId === null) throw new TypeError(`${text} is not a UUID`);
  return accountId;
}

export function sessionIdOf(text: string): SessionId {
  const sessionId = parseSessionId(text);
  if (sessionId === null) throw new TypeError(`${text} is not a UUID`);
  return sessionId;
}
