/** Who may do what in area B: owners by themselves, others by the scopes of their token. */
import type { Caller } from '../auth/caller.js';
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import { requireStorableCaller } from '../operations/storable-text.js';

export const ADMIN_SCOPE = 'tenant:admin';
const READ_SCOPE = 'accounts:read';
const CONFIGURE_SCOPE = 'signing-config:write';
const SIGN_SCOPE = 'sign:create';

/** Who acts, and from where, for the audit log. */
export interface Actor {
  readonly tenantId: string;
  readonly userId: string;
  readonly remoteAddress: string;
}

/**
 * The actor of a caller.
 * @throws DbrError AuthInvalid for names that the database cannot store
 */
export function actorOf(caller: Caller, remoteAddress: string): Actor {
  const { tenantId, userId } = requireStorableCaller(caller);
  return { tenantId, userId, remoteAddress };
}

const has = ({ scopes }: Caller, scope: string): boolean => scopes?.has(scope) === true;

export const isAdmin = (caller: Caller): boolean => has(caller, ADMIN_SCOPE);

/** Accounts, configurations and sessions of the whole tenant. */
export const readsAll = (caller: Caller): boolean => has(caller, READ_SCOPE) || isAdmin(caller);

export const isOwner = ({ userId }: Caller, ownerUserId: string): boolean => userId === ownerUserId;

export const mayRead = (caller: Caller, ownerUserId: string): boolean =>
  isOwner(caller, ownerUserId) || readsAll(caller);

/** Creating and cancelling sessions. */
export const maySign = (caller: Caller, ownerUserId: string): boolean =>
  isOwner(caller, ownerUserId) || has(caller, SIGN_SCOPE) || isAdmin(caller);

/** The caller knows of an account that they may sign for, whether or not they may read it. */
export const knowsOf = (caller: Caller, ownerUserId: string): boolean =>
  mayRead(caller, ownerUserId) || maySign(caller, ownerUserId);

/**
 * Configuring is for the owner, with the scope where the token has scopes at all, and for administrators.
 * @param recentAuthSeconds how long ago the user may have proved who they are; null: any time
 * @throws DbrError Forbidden
 */
export function demandConfigure(
  caller: Caller,
  ownerUserId: string,
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
export function demandSign(caller: Caller, ownerUserId: string): void {
  if (!maySign(caller, ownerUserId)) throw forbidden(`The token lacks the scope ${SIGN_SCOPE}.`);
}

/** The share is the owner's to give. @throws DbrError Forbidden */
export function demandOwner(caller: Caller, ownerUserId: string): void {
  if (!isOwner(caller, ownerUserId)) throw forbidden('Only the owner of the account may supply the share.');
}

const forbidden = (details: string): DbrError => dbrError('Forbidden', { details });
