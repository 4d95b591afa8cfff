/** Rules for accounts: the shares must fit the parties and the threshold. Every problem is reported at once. */
import type { AccountChange, AccountRequest } from '../../../generated/types.js';
import type { Problem } from '../../errors/dbr-error.js';
import type { PartyStanding } from '../parties/party-store.js';
import { isPoint } from '../curve-point.js';
import type { KeyType } from '../types.js';
import type { Account } from './account-store.js';

/**
 * Lists every problem of a new account.
 * @param standings the named parties that the tenant has
 */
export function accountProblems(
  request: AccountRequest,
  standings: ReadonlyMap<string, PartyStanding>,
): readonly Problem[] {
  const { shares, threshold, keyType, publicKey } = request;
  const problems: Problem[] = [];
  shares.forEach((_share, index) => {
    problems.push(...shareProblems(request, index, standings));
  });
  const signing = shares.filter(({ shareType }) => shareType !== 'backup').length;
  if (signing < threshold)
    problems.push(problem('/shares', 'below_threshold', `${String(threshold)} shares must sign together`));
  if (shares.filter(({ shareType }) => shareType === 'delegate').length > 1)
    problems.push(problem('/shares', 'many_delegates', 'at most one party may be the delegate'));
  // With a threshold of 1 the delegate could sign alone.
  if (shares.some(({ shareType }) => shareType === 'delegate') && threshold < 2)
    problems.push(
      problem('/threshold', 'delegate_alone', 'must be at least 2 where a delegate holds a share'),
    );
  if (publicKey !== undefined && !isPoint(keyType, Buffer.from(publicKey, 'hex')))
    problems.push(publicKeyProblem(keyType));
  return problems;
}

function shareProblems(
  { shares }: AccountRequest,
  index: number,
  standings: ReadonlyMap<string, PartyStanding>,
): readonly Problem[] {
  const share = shares[index];
  if (share === undefined) return [];
  const problems: Problem[] = [];
  const add = (member: string, code: string, message: string): void => {
    problems.push(problem(`/shares/${String(index)}/${member}`, code, message));
  };
  const earlier = shares.slice(0, index);
  if (earlier.some(({ partyId }) => partyId === share.partyId))
    add('partyId', 'duplicate_party', 'the party holds another share');
  if (earlier.some(({ shareIndex }) => shareIndex === share.shareIndex))
    add('shareIndex', 'duplicate_index', 'another share has this index');
  const standing = standings.get(share.partyId);
  if (standing === undefined) {
    add('partyId', 'unknown_party', 'there is no such party');
    return problems;
  }
  if (standing.status !== 'active') add('partyId', 'party_not_active', `the party is ${standing.status}`);
  if ((share.shareType === 'delegate') !== (standing.role === 'delegate'))
    add('shareType', 'other_role', 'a delegate holds a delegate share, and no other party does');
  return problems;
}

/** Lists every problem of a change. */
export function changeProblems(account: Account, change: AccountChange): readonly Problem[] {
  const { keyType, publicKey: known, status: before } = account;
  const { publicKey, status } = change;
  const problems: Problem[] = [];
  if (before === 'archived') problems.push(problem('', 'archived', 'an archived account cannot be changed'));
  if (publicKey !== undefined && known !== null && publicKey !== known)
    problems.push(problem('/publicKey', 'key_known', 'the public key of an account cannot be changed'));
  if (publicKey !== undefined && !isPoint(keyType, Buffer.from(publicKey, 'hex')))
    problems.push(publicKeyProblem(keyType));
  if (status === 'active' && (publicKey ?? known) === null)
    problems.push(problem('/status', 'key_unknown', 'an account without public key cannot be active'));
  if (status === 'pending' && (publicKey ?? known) !== null)
    problems.push(problem('/status', 'key_known', 'an account with a public key is no longer pending'));
  return problems;
}

const problem = (path: string, code: string, message: string): Problem => ({ path, code, message });

const publicKeyProblem = (keyType: KeyType): Problem =>
  problem(
    '/publicKey',
    'key',
    keyType === 'ed25519'
      ? 'must be a point of prime order in 32 bytes (RFC 8032)'
      : 'must be a point of the curve in 33 or 65 bytes (SEC 1)',
  );
