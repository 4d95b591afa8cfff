/** Set-up and change of accounts: the rules and the transactions of the operations on accounts. */
import type { AccountChange, AccountRequest } from '../../../generated/types.js';
import { dbrError, type Problem } from '../../errors/dbr-error.js';
import { newAccountId, parseAccountId, userIdOf, type AccountId } from '../../base/identifiers.js';
import type { Actor } from '../access.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { partyStandings } from '../parties/party-store.js';
import { inTenant } from '../transaction.js';
import { requireVersion } from '../versions.js';
import { accountProblems, changeProblems } from './account-rules.js';
import {
  findAccount,
  insertAccount,
  lockAccount,
  updateAccount,
  type Account,
  type AccountStatus,
} from './account-store.js';

/**
 * Sets up an account with its shares.
 * @throws DbrError AccountInvalid with every problem
 */
export const setUpAccount = (context: SigningContext, actor: Actor, body: AccountRequest): Promise<Account> =>
  inTenant(context.database, actor.tenantId, async (transaction) => {
    const names = body.shares.map(({ partyId }) => partyId);
    requireNone(accountProblems(body, await partyStandings(transaction, names)));
    const accountId = newAccountId();
    await insertAccount(transaction, {
      accountId,
      tenantId: actor.tenantId,
      ownerUserId: body.ownerUserId === undefined ? actor.userId : userIdOf(body.ownerUserId),
      name: body.name,
      keyType: body.keyType,
      publicKey: body.publicKey === undefined ? null : Buffer.from(body.publicKey, 'hex'),
      threshold: body.threshold,
      shares: body.shares,
    });
    const account = requireAccount(await findAccount(transaction, accountId));
    await audit(transaction, actor, {
      action: 'account.create',
      subject: `account:${accountId}`,
      before: null,
      after: auditView(account),
    });
    return account;
  });

/**
 * Changes an account. The open sessions of an account that is not active afterwards end.
 * @param ifMatch the header `If-Match`
 * @throws DbrError AccountNotFound, VersionMismatch, AccountInvalid with every problem
 */
export async function changeAccount(
  context: SigningContext,
  actor: Actor,
  accountId: AccountId,
  ifMatch: string | undefined,
  body: AccountChange,
): Promise<Account> {
  const { account, ended } = await inTenant(context.database, actor.tenantId, async (transaction) => {
    const before = requireAccount(await lockAccount(transaction, accountId));
    requireVersion(ifMatch, before.version);
    requireNone(changeProblems(before, body));
    const publicKey = body.publicKey ?? before.publicKey;
    await updateAccount(transaction, accountId, {
      name: body.name ?? before.name,
      publicKey: publicKey === null ? null : Buffer.from(publicKey, 'hex'),
      status: statusAfter(before, body),
    });
    const after = requireAccount(await findAccount(transaction, accountId));
    const ended = after.status === 'active' ? [] : await context.endSessionsOfAccount(transaction, accountId);
    await audit(transaction, actor, {
      action: 'account.update',
      subject: `account:${accountId}`,
      before: auditView(before),
      after: auditView(after),
    });
    return { account: after, ended };
  });
  context.written(ended);
  return account;
}

/** An account is pending only because it has no public key, so a public key activates it. */
function statusAfter({ status }: Account, change: AccountChange): AccountStatus {
  return change.status ?? (status === 'pending' && change.publicKey !== undefined ? 'active' : status);
}

/** @throws DbrError AccountNotFound for text that is not the identifier of an account */
export function requireAccountId(text: string): AccountId {
  const accountId = parseAccountId(text);
  if (accountId === null) throw dbrError('AccountNotFound');
  return accountId;
}

function requireAccount(account: Account | null): Account {
  if (account === null) throw dbrError('AccountNotFound');
  return account;
}

function requireNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw dbrError('AccountInvalid', {}, { problems });
}

const auditView = ({
  name,
  ownerUserId,
  keyType,
  publicKey,
  threshold,
  status,
  shares,
}: Account): object => ({
  name,
  ownerUserId,
  keyType,
  publicKey,
  threshold,
  status,
  shares: shares.map(({ partyId, shareIndex, shareType }) => ({ partyId, shareIndex, shareType })),
});
