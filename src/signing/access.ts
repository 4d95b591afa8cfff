/** Rights in area B: owners act without a scope, other callers need a scope of their token. */
import type { Caller } from '../auth/caller.js';
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import type { AccountId, TenantId, UserId } from '../base/identifiers.js';
import { requireStorableCaller } from '../operations/storable-text.js';

export const ADMIN_SCOPE = 'tenant:admin';
const READ_SCOPE = 'accounts:read';
const CONFIGURE_SCOPE = 'signing-config:write';
const SIGN_SCOPE = 'sign:create';

/** The caller with its address, for the audit log. */
export interface Actor {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly remoteAddress: string;
}

/**
 * Returns the actor of a caller.
 * @throws DbrError AuthInvalid for names that the database cannot store
 */
export function actorOf(caller: Caller, remoteAddress: string): Actor {
  const { tenantId, userId } = requireStorableCaller(caller);
  return { tenantId, userId, remoteAddress };
}

const has = ({ scopes }: Caller, scope: string): boolean => scopes?.has(scope) === true;

export const isAdmin = (caller: Caller): boolean => has(caller, ADMIN_SCOPE);

/** Whether the caller reads the accounts, configurations and sessions of the whole tenant. */
export const readsAll = (caller: Caller): boolean => has(caller, READ_SCOPE) || isAdmin(caller);

export const isOwner = ({ userId }: Caller, ownerUserId: UserId): boolean => userId === ownerUserId;

export const mayRead = (caller: Caller, ownerUserId: UserId): boolean =>
  isOwner(caller, ownerUserId) || readsAll(caller);

/** An account and its owner, on which rights depend. */
export interface OwnedAccount {
  readonly accountId: AccountId;
  readonly ownerUserId: UserId;
}

/** Whether the caller creates and cancels sessions of the account. The scope followed by `:` and an account is for it alone. */
const maySign = (caller: Caller, { accountId, ownerUserId }: OwnedAccount): boolean =>
  isOwner(caller, ownerUserId) ||
  has(caller, SIGN_SCOPE) ||
  has(caller, `${SIGN_SCOPE}:${accountId}`) ||
  isAdmin(caller);

/** Whether the caller learns that an account exists: it may be read or signed for. */
export const knowsOf = (caller: Caller, account: OwnedAccount): boolean =>
  mayRead(caller, account.ownerUserId) || maySign(caller, account);

/**
 * Checks the right to change a signing configuration: administrators have it, and the owner, who needs the scope if the token
 * has claim `scope`.
 * @param recentAuthSeconds longest time since the user authenticated (claim `auth_time`), in seconds; null for no limit
 * @param now milliseconds since the epoch
 * @throws DbrError Forbidden
 */
export function requireConfigure(
  caller: Caller,
  ownerUserId: UserId,
  recentAuthSeconds: number | null,
  now: number,
): void {
  if (!isAdmin(caller)) {
    if (!isOwner(caller, ownerUserId)) throw forbidden('Only the owner of the account may do this.');
    if (caller.scopes !== null && !caller.scopes.has(CONFIGURE_SCOPE))
      throw forbidden(`The token lacks the scope ${CONFIGURE_SCOPE}.`);
  }
  if (recentAuthSeconds === null) return;
  const since = caller.authenticatedAt === null ? Infinity : now - caller.authenticatedAt;
  if (since > recentAuthSeconds * 1000)
    throw forbidden(`The user must have authenticated within ${String(recentAuthSeconds)} seconds.`);
}

/** @throws DbrError Forbidden */
export function requireSign(caller: Caller, account: OwnedAccount): void {
  if (!maySign(caller, account)) throw forbidden(`The token lacks the scope ${SIGN_SCOPE}.`);
}

/** Only the owner supplies the share. @throws DbrError Forbidden */
export function requireOwner(caller: Caller, ownerUserId: UserId): void {
  if (!isOwner(caller, ownerUserId)) throw forbidden('Only the owner of the account may supply the share.');
}

const forbidden = (details: string): DbrError => dbrError('Forbidden', { details });
