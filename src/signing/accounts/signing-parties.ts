/**
 * Who signs (contract, area B): the configured parties exactly, else all active ones. Nobody is ever put in another's
 * place, and a list that cannot sign is refused with all its problems at once.
 */
import type { Problem } from '../../errors/dbr-error.js';
import { dbrError } from '../../errors/dbr-error.js';
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
 * Everything that keeps `signingParties` from signing for the account.
 * @param known the parties that the tenant has, among those named, with their status
 */
export function configProblems(
  { shares, threshold }: Account,
  signingParties: readonly string[],
  known: ReadonlyMap<string, string>,
): readonly Problem[] {
  if (signingParties.length === 0) return [wholeProblem('empty', 'at least one party must be named')];
  if (signingParties.length > MAX_PARTIES)
    return [wholeProblem('too_many', `at most ${String(MAX_PARTIES)} parties may be named`)];
  const problems = signingParties.flatMap((partyId, index) => {
    if (signingParties.indexOf(partyId) < index)
      return [problem(index, 'duplicate_party', 'the party is named before')];
    const status = known.get(partyId);
    if (status === undefined) return [problem(index, 'unknown_party', 'there is no such party')];
    const inactive =
      status === 'active' ? [] : [problem(index, 'party_not_active', `the party is ${status}`)];
    const holds = shares.some((share) => share.partyId === partyId && maySign(share));
    if (holds) return inactive;
    return [
      ...inactive,
      problem(index, 'party_has_no_share', 'the party holds no share of the account that signs'),
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

/** The shares that the configuration names, in its order; without one, those of all active parties but the delegate. */
export function effectiveShares({ shares, signingParties }: Account): readonly AccountShare[] {
  if (signingParties === null)
    return shares.filter((share) => isActive(share) && share.shareType !== 'delegate');
  return signingParties.flatMap((partyId) => shares.find((share) => share.partyId === partyId) ?? []);
}

/** The delegate that could take part; without a configuration it does so only where the user supplies a share. */
export const activeDelegate = ({ shares }: Account): AccountShare | null =>
  shares.find((share) => share.shareType === 'delegate' && isActive(share)) ?? null;

export interface ReadinessProblem {
  readonly code: 'party_not_active' | 'party_has_no_share' | 'below_threshold' | 'account_not_active';
  /** null: it is about the account. */
  readonly partyId: string | null;
  readonly message: string;
}

/** What keeps a session from being created now; nothing when one can be. */
export function readinessProblems(account: Account): readonly ReadinessProblem[] {
  const problems: ReadinessProblem[] = [];
  const { status, signingParties, threshold } = account;
  if (status !== 'active')
    problems.push({ code: 'account_not_active', partyId: null, message: `The account is ${status}.` });
  const shares = effectiveShares(account);
  for (const { partyId, partyStatus, status: shareStatus } of shares) {
    if (partyStatus !== 'active')
      problems.push({ code: 'party_not_active', partyId, message: `The party is ${partyStatus}.` });
    if (shareStatus !== 'active')
      problems.push({ code: 'party_has_no_share', partyId, message: 'The share of the party is retired.' });
  }
  // With the user's share the delegate signs as well.
  const withDelegate = signingParties === null && activeDelegate(account) !== null ? 1 : 0;
  const count = shares.length + withDelegate;
  if (count < threshold) {
    const message = `${String(count)} of ${String(threshold)} are active.`;
    problems.push({ code: 'below_threshold', partyId: null, message });
  }
  return problems;
}

/** The parties of a new session, as they are at this moment. */
export interface ChosenParties {
  readonly partySource: 'configured' | 'all_active';
  readonly shares: readonly AccountShare[];
  /** The delegate among them; its user must supply a share. */
  readonly delegate: AccountShare | null;
}

/**
 * Chooses who takes part in a new session.
 * @param withShare the request carries the user's share for the delegate
 * @throws DbrError AccountNotActive, SigningPartyUnavailable, NotEnoughActiveParties, DelegateShareUnexpected
 */
export function chooseParties(account: Account, withShare: boolean): ChosenParties {
  if (account.status !== 'active') throw dbrError('AccountNotActive');
  const configured = account.signingParties !== null;
  const shares = configured ? chooseConfigured(account) : chooseAllActive(account, withShare);
  const delegate = shares.find(({ shareType }) => shareType === 'delegate') ?? null;
  if (withShare && delegate === null) throw dbrError('DelegateShareUnexpected');
  if (shares.length < account.threshold)
    throw dbrError('NotEnoughActiveParties', { active: shares.length, threshold: account.threshold });
  return { partySource: configured ? 'configured' : 'all_active', shares, delegate };
}

function chooseConfigured(account: Account): readonly AccountShare[] {
  const shares = effectiveShares(account);
  const away = shares.filter((share) => !isActive(share)).map(({ partyId }) => partyId);
  if (away.length > 0)
    throw dbrError('SigningPartyUnavailable', { details: `Not available: ${away.join(', ')}.` });
  return shares;
}

function chooseAllActive(account: Account, withShare: boolean): readonly AccountShare[] {
  const delegate = withShare ? activeDelegate(account) : null;
  return delegate === null ? effectiveShares(account) : [...effectiveShares(account), delegate];
}
