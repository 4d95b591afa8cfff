/** Rights in area B: owners act without a scope, other users need a scope of their token. */
import type { Principal, RequestContext } from '../contract/principal.js';
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import type { AccountId, UserId } from '../base/identifiers.js';
import { requireStorablePrincipal } from '../operations/storable-text.js';

const ADMIN_SCOPE = 'tenant:admin';
const READ_SCOPE = 'accounts:read';
const CONFIGURE_SCOPE = 'signing-config:write';
const SIGN_SCOPE = 'sign:create';
const APPROVE_SCOPE = 'sign:approve';

/** The principal with its address, for the audit log. */
export interface Actor extends Principal {
  readonly remoteAddress: string;
}

/** @throws DbrError AuthInvalid for names that the database cannot store */
export const actorOf = ({
  principal,
  remoteAddress,
}: Pick<RequestContext, 'principal' | 'remoteAddress'>): Actor => ({
  ...requireStorablePrincipal(principal),
  remoteAddress,
});

const has = ({ scopes }: Principal, scope: string): boolean => scopes?.has(scope) === true;

const isAdmin = (principal: Principal): boolean => has(principal, ADMIN_SCOPE);

/** Whether the principal reads the accounts, configurations and sessions of the whole tenant. */
export const readsAll = (principal: Principal): boolean => has(principal, READ_SCOPE) || isAdmin(principal);

export const isOwner = ({ userId }: Principal, ownerUserId: UserId): boolean => userId === ownerUserId;

export const mayRead = (principal: Principal, ownerUserId: UserId): boolean =>
  isOwner(principal, ownerUserId) || readsAll(principal);

/** An account and its owner, on which rights depend. */
interface OwnedAccount {
  readonly accountId: AccountId;
  readonly ownerUserId: UserId;
}

/** Whether the principal creates and cancels sessions of the account. The scope followed by `:` and an account is for it alone. */
const maySign = (principal: Principal, { accountId, ownerUserId }: OwnedAccount): boolean =>
  isOwner(principal, ownerUserId) ||
  has(principal, SIGN_SCOPE) ||
  has(principal, `${SIGN_SCOPE}:${accountId}`) ||
  isAdmin(principal);

/** Whether the principal sees the sessions of the account because it approves their requests. */
export const mayApprove = (principal: Principal, accountId: AccountId): boolean =>
  has(principal, APPROVE_SCOPE) || has(principal, `${APPROVE_SCOPE}:${accountId}`);

/** Whether the principal learns that an account exists: it may be read or signed for. */
export const knowsOf = (principal: Principal, account: OwnedAccount): boolean =>
  mayRead(principal, account.ownerUserId) || maySign(principal, account);

/**
 * Checks the right to change a signing configuration: administrators have it, and the owner, who needs the scope if the token
 * has claim `scope`.
 * @param recentAuthSeconds longest time since the user authenticated (claim `auth_time`), in seconds; null for no limit
 * @param now milliseconds since the epoch
 * @throws DbrError Forbidden
 */
export function requireConfigure(
  principal: Principal,
  ownerUserId: UserId,
  recentAuthSeconds: number | null,
  now: number,
): void {
  if (!isAdmin(principal)) {
    if (!isOwner(principal, ownerUserId)) throw forbidden('Only the owner of the account may do this.');
    if (principal.scopes !== null && !principal.scopes.has(CONFIGURE_SCOPE))
      throw forbidden(`The token lacks the scope ${CONFIGURE_SCOPE}.`);
  }
  if (recentAuthSeconds === null) return;
  const since = principal.authenticatedAt === null ? Infinity : now - principal.authenticatedAt;
  if (since > recentAuthSeconds * 1000)
    throw forbidden(`The user must have authenticated within ${String(recentAuthSeconds)} seconds.`);
}

/** @throws DbrError Forbidden */
export function requireSign(principal: Principal, account: OwnedAccount): void {
  if (!maySign(principal, account)) throw forbidden(`The token lacks the scope ${SIGN_SCOPE}.`);
}

/** Only the owner supplies the share. @throws DbrError Forbidden */
export function requireOwner(principal: Principal, ownerUserId: UserId): void {
  if (!isOwner(principal, ownerUserId))
    throw forbidden('Only the owner of the account may supply the share.');
}

const forbidden = (details: string): DbrError => dbrError('Forbidden', { details });
