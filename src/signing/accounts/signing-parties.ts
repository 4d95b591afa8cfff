/**
 * The rule that chooses the parties of a session (contract, area B): exactly the configured parties, or all active parties
 * without a configuration. No party replaces another, and a list that cannot sign is refused with every problem at once.
 */
import type { Problem } from '../../errors/dbr-error.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { PartyId } from '../../base/identifiers.js';
import type { PartyStanding } from '../parties/party-store.js';
import type { PartySource } from '../types.js';
import type { Account, AccountShare } from './account-store.js';

const MAX_PARTIES = 64;

const maySign = ({ status, shareType }: AccountShare): boolean =>
  status === 'active' && shareType !== 'backup';
const isActive = (share: AccountShare): boolean => maySign(share) && share.partyStatus === 'active';

const problem = (index: number, code: string, message: string): Problem => ({
  path: `/signingParties/${String(index)}`,
  code,
  message,
});
const wholeProblem = (code: string, message: string): Problem => ({ path: '/signingParties', code, message });

/**
 * Lists every problem of `signingParties` as the configuration of the account.
 * @param standings the named parties that the tenant has
 */
export function configProblems(
  { shares, threshold }: Account,
  signingParties: readonly string[],
  standings: ReadonlyMap<string, PartyStanding>,
): readonly Problem[] {
  if (signingParties.length === 0) return [wholeProblem('empty', 'at least one party must be named')];
  if (signingParties.length > MAX_PARTIES)
    return [wholeProblem('too_many', `at most ${String(MAX_PARTIES)} parties may be named`)];
  const problems = signingParties.flatMap((partyId, index) => {
    if (signingParties.indexOf(partyId) < index)
      return [problem(index, 'duplicate_party', 'the party is named twice')];
    const status = standings.get(partyId)?.status;
    if (status === undefined) return [problem(index, 'unknown_party', 'there is no such party')];
    const inactive =
      status === 'active' ? [] : [problem(index, 'party_not_active', `the party is ${status}`)];
    const holds = shares.some((share) => share.partyId === partyId && maySign(share));
    if (holds) return inactive;
    return [
      ...inactive,
      problem(index, 'party_has_no_share', 'the party holds no signing share of the account'),
    ];
  });
  const distinct = new Set(signingParties).size;
  if (distinct >= threshold) return problems;
  const few = `${String(threshold)} parties must sign together`;
  return [...problems, wholeProblem('below_threshold', few)];
}

/** Whether two lists name the same parties; their order has no meaning. */
export function sameParties(one: readonly string[], other: readonly string[]): boolean {
  const named = new Set(one);
  return named.size === new Set(other).size && other.every((partyId) => named.has(partyId));
}

/** The shares of the configured parties, in their order; without a configuration, those of all active parties except the delegate. */
export function effectiveShares({ shares, signingParties }: Account): readonly AccountShare[] {
  if (signingParties === null)
    return shares.filter((share) => isActive(share) && share.shareType !== 'delegate');
  return signingParties.flatMap((partyId) => shares.find((share) => share.partyId === partyId) ?? []);
}

/** The share of the active delegate. Without a configuration it takes part only if the user supplies a share. */
export const activeDelegate = ({ shares }: Account): AccountShare | null =>
  shares.find((share) => share.shareType === 'delegate' && isActive(share)) ?? null;

interface ReadinessProblem {
  readonly code: 'party_not_active' | 'party_has_no_share' | 'below_threshold' | 'account_not_active';
  /** null for a problem of the account. */
  readonly partyId: PartyId | null;
  readonly message: string;
}

/** Lists what prevents a new session now. */
export function readinessProblems(account: Account): readonly ReadinessProblem[] {
  const problems: ReadinessProblem[] = [];
  const { status, tenantFrozen, signingParties, threshold } = account;
  if (status !== 'active')
    problems.push({ code: 'account_not_active', partyId: null, message: `The account is ${status}.` });
  if (tenantFrozen)
    problems.push({ code: 'account_not_active', partyId: null, message: 'The tenant is frozen.' });
  const shares = effectiveShares(account);
  for (const { partyId, partyStatus, status: shareStatus } of shares) {
    if (partyStatus !== 'active')
      problems.push({ code: 'party_not_active', partyId, message: `The party is ${partyStatus}.` });
    if (shareStatus !== 'active')
      problems.push({ code: 'party_has_no_share', partyId, message: 'The share of the party is retired.' });
  }
  // If the user supplies a share, the delegate signs too.
  const withDelegate = signingParties === null && activeDelegate(account) !== null ? 1 : 0;
  const count = shares.length + withDelegate;
  if (count < threshold) {
    const message = `${String(count)} of ${String(threshold)} are active.`;
    problems.push({ code: 'below_threshold', partyId: null, message });
  }
  return problems;
}

/** The parties of a new session. */
export interface ChosenParties {
  readonly partySource: PartySource;
  readonly shares: readonly AccountShare[];
  /** The delegate among the shares, for which the user must supply a share; null if it does not take part. */
  readonly delegate: AccountShare | null;
}

/**
 * Chooses the parties of a new session.
 * @param withShare whether the request has the user's share for the delegate
 * @param named the parties that the request names; null for those of the account
 * @throws DbrError AccountNotActive, SigningPartyUnavailable, NotEnoughActiveParties, DelegateShareUnexpected, SessionPartiesInvalid
 */
export function chooseParties(
  account: Account,
  withShare: boolean,
  named: readonly string[] | null = null,
): ChosenParties {
  if (account.status !== 'active' || account.tenantFrozen) throw dbrError('AccountNotActive');
  const configured = account.signingParties !== null;
  const shares =
    named !== null
      ? chooseNamed(account, named)
      : configured
        ? chooseConfigured(account)
        : chooseAllActive(account, withShare);
  const delegate = shares.find(({ shareType }) => shareType === 'delegate') ?? null;
  if (withShare && delegate === null) throw dbrError('DelegateShareUnexpected');
  if (shares.length < account.threshold)
    throw dbrError('NotEnoughActiveParties', { active: shares.length, threshold: account.threshold });
  const partySource = named !== null ? 'requested' : configured ? 'configured' : 'all_active';
  return { partySource, shares, delegate };
}

/** The named ones among the parties that may sign for the account. A delegate is named like any other party. */
function chooseNamed(account: Account, named: readonly string[]): readonly AccountShare[] {
  const { namedParties, signingParties, threshold } = account;
  const invalid = (problems: readonly Problem[]): Error =>
    dbrError('SessionPartiesInvalid', {}, { problems });
  const whole = (code: string, message: string): Problem => ({ path: '/parties', code, message });
  if (namedParties === 'refused')
    throw invalid([whole('not_allowed', 'the account does not allow sessions to name their parties')]);
  const eligible = signingParties === null ? account.shares.filter(maySign) : effectiveShares(account);
  const problems = named.flatMap((partyId, index) => {
    const path = `/parties/${String(index)}`;
    if (named.indexOf(partyId) < index)
      return [{ path, code: 'duplicate_party', message: 'the party is named twice' }];
    if (eligible.some((share) => share.partyId === partyId)) return [];
    return [{ path, code: 'party_not_eligible', message: 'the party does not sign for the account' }];
  });
  if (new Set(named).size < threshold)
    problems.push(whole('below_threshold', `${String(threshold)} parties must sign together`));
  if (problems.length > 0) throw invalid(problems);
  return requireActive(eligible.filter(({ partyId }) => named.includes(partyId)));
}

const chooseConfigured = (account: Account): readonly AccountShare[] =>
  requireActive(effectiveShares(account));

/** No party replaces another. @throws DbrError SigningPartyUnavailable */
function requireActive(shares: readonly AccountShare[]): readonly AccountShare[] {
  const inactive = shares.filter((share) => !isActive(share)).map(({ partyId }) => partyId);
  if (inactive.length > 0)
    throw dbrError('SigningPartyUnavailable', { details: `Not available: ${inactive.join(', ')}.` });
  return shares;
}

function chooseAllActive(account: Account, withShare: boolean): readonly AccountShare[] {
  const delegate = withShare ? activeDelegate(account) : null;
  return delegate === null ? effectiveShares(account) : [...effectiveShares(account), delegate];
}
