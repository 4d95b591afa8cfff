/** The operations on accounts. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { Account as AccountJson } from '../../../generated/types.js';
import type { Principal, RequestContext } from '../../contract/principal.js';
import { dbrError } from '../../errors/dbr-error.js';
import { PRIVATE } from '../../operations/cache-control.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { CANONICAL_UUID } from '../../base/identifiers.js';
import { actorOf, mayRead, readsAll } from '../access.js';
import type { SigningContext } from '../context.js';
import { queryInTenant } from '../transaction.js';
import { versionTag } from '../versions.js';
import { changeAccount, requireAccountId, setUpAccount } from './account-service.js';
import { findAccount, listAccounts, type Account } from './account-store.js';

type AccountHandlers = Pick<
  SigningHandlers<RequestContext>,
  'listAccounts' | 'createAccount' | 'getAccount' | 'updateAccount'
>;

export function createAccountHandlers(context: SigningContext): AccountHandlers {
  const { database } = context;
  return {
    async listAccounts({ query }, { principal, remoteAddress }) {
      const { tenantId, userId } = actorOf(principal, remoteAddress);
      const { limit, cursor, status = null } = query;
      const [before = null] = cursor === undefined ? [] : decodeCursor(cursor, [CANONICAL_UUID]);
      const ownerUserId = readsAll(principal) ? null : userId;
      const rows = await queryInTenant(database, tenantId, (transaction) =>
        listAccounts(transaction, { ownerUserId, status, before, limit: limit + 1 }),
      );
      const { items, ...rest } = pageOf(rows, limit, ({ accountId }) => [accountId]);
      const body = { items: items.map(accountJson), ...rest };
      return { status: 200, type: 'application/json', headers: PRIVATE, body };
    },
    async createAccount({ body }, { principal, remoteAddress }) {
      requireStorableBody(body);
      const account = await setUpAccount(context, actorOf(principal, remoteAddress), body);
      const headers = { ...headersOf(account), Location: `/api/v1/accounts/${account.accountId}` };
      return { status: 201, type: 'application/json', headers, body: accountJson(account) };
    },
    async getAccount({ path, headers: sent }, { principal, remoteAddress }) {
      const account = await readableAccount(context, principal, remoteAddress, path.id);
      const headers = headersOf(account);
      if (matchesEntityTag(sent['if-none-match'], headers.ETag)) return { status: 304, headers };
      return { status: 200, type: 'application/json', headers, body: accountJson(account) };
    },
    async updateAccount({ path, headers: sent, body }, { principal, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(principal, remoteAddress);
      const account = await changeAccount(context, actor, requireAccountId(path.id), sent['if-match'], body);
      return {
        status: 200,
        type: 'application/json',
        headers: headersOf(account),
        body: accountJson(account),
      };
    },
  };
}

/** @throws DbrError AccountNotFound if there is no such account or the principal may not read it */
export async function readableAccount(
  { database }: SigningContext,
  principal: Principal,
  remoteAddress: string,
  pathId: string,
): Promise<Account> {
  const { tenantId } = actorOf(principal, remoteAddress);
  const accountId = requireAccountId(pathId);
  const account = await queryInTenant(database, tenantId, (transaction) =>
    findAccount(transaction, accountId),
  );
  if (account === null || !mayRead(principal, account.ownerUserId)) throw dbrError('AccountNotFound');
  return account;
}

const headersOf = ({ version }: Account) => ({ ...PRIVATE, ETag: versionTag(version) });

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
