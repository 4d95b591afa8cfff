/** Operations on accounts. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { Account as AccountJson, AccountChange, AccountRequest } from '../../../generated/types.js';
import { dbrError, type Problem } from '../../errors/dbr-error.js';
import type { RequestContext } from '../../operations/context.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { actorOf, mayRead, readsAll, type Actor } from '../access.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import {
  findAccount,
  findAccountToChange,
  insertAccount,
  listAccounts,
  updateAccount,
  type Account,
  type AccountStatus,
} from './account-store.js';
import { accountProblems, changeProblems } from './account-rules.js';
import { audit } from '../audit.js';
import { denySessions, type SigningContext } from '../context.js';
import type { ChangedSession } from '../sessions/session-changes.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { partyStandings } from '../parties/party-store.js';
import { PRIVATE } from '../../operations/cache-control.js';
import { openSessionsOfAccount } from '../sessions/session-rows.js';
import { inTenant } from '../transaction.js';
import { CANONICAL_UUID, parseUuid, uuidV7 } from '../../operations/uuid.js';
import { demandVersion, versionTag } from '../versions.js';

type AccountHandlers = Pick<
  SigningHandlers<RequestContext>,
  'listAccounts' | 'createAccount' | 'getAccount' | 'updateAccount'
>;

export function createAccountHandlers(context: SigningContext): AccountHandlers {
  const { database } = context;
  return {
    async listAccounts({ query }, { caller, remoteAddress }) {
      const { tenantId, userId } = actorOf(caller, remoteAddress);
      const { limit, cursor, status = null } = query;
      const [before = null] = cursor === undefined ? [] : decodeCursor(cursor, [CANONICAL_UUID]);
      const ownerUserId = readsAll(caller) ? null : userId;
      const rows = await inTenant(database, tenantId, (transaction) =>
        listAccounts(transaction, { ownerUserId, status, before, limit: limit + 1 }),
      );
      const { items, ...rest } = pageOf(rows, limit, ({ accountId }) => [accountId]);
      const body = { items: items.map(accountJson), ...rest };
      return { status: 200, type: 'application/json', headers: PRIVATE, body };
    },
    async createAccount({ body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const account = await setUpAccount(context, actorOf(caller, remoteAddress), body);
      const headers = {
        ...PRIVATE,
        Location: `/api/v1/accounts/${account.accountId}`,
        ETag: versionTag(account.version),
      };
      return { status: 201, type: 'application/json', headers, body: accountJson(account) };
    },
    async getAccount({ path, headers: asked }, { caller, remoteAddress }) {
      const { tenantId } = actorOf(caller, remoteAddress);
      const accountId = accountIdOf(path.id);
      const account = await inTenant(database, tenantId, (transaction) =>
        findAccount(transaction, accountId),
      );
      if (account === null || !mayRead(caller, account.ownerUserId)) throw dbrError('AccountNotFound');
      const headers = { ...PRIVATE, ETag: versionTag(account.version) };
      if (matchesEntityTag(asked['if-none-match'], headers.ETag)) return { status: 304, headers };
      return { status: 200, type: 'application/json', headers, body: accountJson(account) };
    },
    async updateAccount({ path, headers: asked, body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(caller, remoteAddress);
      const { account, denied } = await changeAccount(
        context,
        actor,
        accountIdOf(path.id),
        asked['if-match'],
        body,
      );
      context.written(denied);
      const headers = { ...PRIVATE, ETag: versionTag(account.version) };
      return { status: 200, type: 'application/json', headers, body: accountJson(account) };
    },
  };
}

/** @throws DbrError AccountNotFound for a text that identifies nothing */
export function accountIdOf(text: string): string {
  const accountId = parseUuid(text);
  if (accountId === null) throw dbrError('AccountNotFound');
  return accountId;
}

const setUpAccount = (context: SigningContext, actor: Actor, body: AccountRequest): Promise<Account> =>
  inTenant(context.database, actor.tenantId, async (transaction) => {
    const standings = await partyStandings(
      transaction,
      body.shares.map(({ partyId }) => partyId),
    );
    demandNone(accountProblems(body, standings));
    const accountId = uuidV7();
    await insertAccount(transaction, {
      accountId,
      tenantId: actor.tenantId,
      ownerUserId: body.ownerUserId ?? actor.userId,
      name: body.name,
      keyType: body.keyType,
      publicKey: body.publicKey === undefined ? null : Buffer.from(body.publicKey, 'hex'),
      threshold: body.threshold,
      shares: body.shares,
    });
    const account = demandAccount(await findAccount(transaction, accountId));
    const subject = `account:${accountId}`;
    await audit(transaction, actor, {
      action: 'account.create',
      subject,
      before: null,
      after: auditView(account),
    });
    return account;
  });

const changeAccount = (
  context: SigningContext,
  actor: Actor,
  accountId: string,
  ifMatch: string | undefined,
  body: AccountChange,
): Promise<{ readonly account: Account; readonly denied: readonly ChangedSession[] }> =>
  inTenant(context.database, actor.tenantId, async (transaction) => {
    const before = demandAccount(await findAccountToChange(transaction, accountId));
    demandVersion(ifMatch, before.version);
    demandNone(changeProblems(before, body));
    const publicKey = body.publicKey ?? before.publicKey;
    await updateAccount(transaction, accountId, {
      name: body.name ?? before.name,
      publicKey: publicKey === null ? null : Buffer.from(publicKey, 'hex'),
      status: statusAfter(before, body),
    });
    const after = demandAccount(await findAccount(transaction, accountId));
    const open = after.status === 'active' ? [] : await openSessionsOfAccount(transaction, accountId);
    const denied = await denySessions(context, transaction, open);
    const subject = `account:${accountId}`;
    await audit(transaction, actor, {
      action: 'account.update',
      subject,
      before: auditView(before),
      after: auditView(after),
    });
    return { account: after, denied };
  });

/** The account is pending for want of a public key alone, so the key makes it active. */
function statusAfter({ status }: Account, { status: asked, publicKey }: AccountChange): AccountStatus {
  return asked ?? (status === 'pending' && publicKey !== undefined ? 'active' : status);
}

function demandAccount(account: Account | null): Account {
  if (account === null) throw dbrError('AccountNotFound');
  return account;
}

function demandNone(problems: readonly Problem[]): void {
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

const accountJson = (account: Account): AccountJson => ({
  accountId: account.accountId,
  tenantId: account.tenantId,
  ownerUserId: account.ownerUserId,
  name: account.name,
  keyType: account.keyType,
  publicKey: account.publicKey,
  threshold: account.threshold,
  status: account.status,
  shares: account.shares.map(({ partyId, shareIndex, shareType, status }) => ({
    partyId,
    shareIndex,
    shareType,
    status,
  })),
  signingParties: account.signingParties,
  version: account.version,
  createdAt: account.createdAt,
  updatedAt: account.updatedAt,
});
