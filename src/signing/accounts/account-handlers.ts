/** The operations on accounts. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { Account as AccountJson, AccountChange, AccountRequest } from '../../../generated/types.js';
import type { RequestContext } from '../../contract/principal.js';
import { dbrError, type Problem } from '../../errors/dbr-error.js';
import { PRIVATE, conditionalResponse, jsonResponse } from '../../operations/responses.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import {
  CANONICAL_UUID,
  newAccountId,
  parseAccountId,
  userIdOf,
  type AccountId,
} from '../../base/identifiers.js';
import { lruCache } from '../../base/lru-cache.js';
import { actorOf, mayRead, readsAll, type Actor } from '../access.js';
import type { SigningContext } from '../context.js';
import { queryInTenant, inTenant } from '../transaction.js';
import { versionTag, requireVersion } from '../versions.js';
import {
  findAccount,
  listAccounts,
  type Account,
  insertAccount,
  lockAccount,
  updateAccount,
  type AccountStatus,
} from './account-store.js';
import { audit } from '../audit.js';
import { partyStandings, type PartyStanding } from '../parties/party-store.js';
import { isPoint } from '../curve-point.js';
import { requestKeyProblems } from './request-keys.js';
import type { KeyType } from '../types.js';

export const createAccountHandlers = (context: SigningContext) =>
  ({
    async listAccounts({ query }, request) {
      const actor = actorOf(request);
      const { limit, cursor, status = null } = query;
      const [before = null] = cursor === undefined ? [] : decodeCursor(cursor, [CANONICAL_UUID]);
      const ownerUserId = readsAll(actor) ? null : actor.userId;
      const rows = await queryInTenant(context.pool, actor.tenantId, (transaction) =>
        listAccounts(transaction, { ownerUserId, status, before, limit: limit + 1 }),
      );
      const { items, ...rest } = pageOf(rows, limit, ({ accountId }) => [accountId]);
      return jsonResponse(PRIVATE, { items: items.map(accountJson), ...rest });
    },
    async createAccount({ body }, request) {
      requireStorableBody(body);
      const account = await setUpAccount(context, actorOf(request), body);
      const headers = { ...headersOf(account), Location: `/api/v1/accounts/${account.accountId}` };
      return { ...jsonResponse(headers, accountJson(account)), status: 201 };
    },
    async getAccount({ path, headers }, request) {
      const account = await readableAccount(context, actorOf(request), path.id);
      return conditionalResponse(headers['if-none-match'], headersOf(account), accountJson(account));
    },
    async updateAccount({ path, headers, body }, request) {
      requireStorableBody(body);
      const actor = actorOf(request);
      const accountId = requireAccountId(path.id);
      const account = await changeAccount(context, actor, accountId, headers['if-match'], body);
      return jsonResponse(headersOf(account), accountJson(account));
    },
  }) satisfies Partial<SigningHandlers<RequestContext>>;

/** @throws DbrError AccountNotFound if there is no such account or the principal may not read it */
export async function readableAccount(
  { pool }: SigningContext,
  actor: Actor,
  pathId: string,
): Promise<Account> {
  const accountId = requireAccountId(pathId);
  const account = await queryInTenant(pool, actor.tenantId, (transaction) =>
    findAccount(transaction, accountId),
  );
  if (account === null || !mayRead(actor, account.ownerUserId)) throw dbrError('AccountNotFound');
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
  ...optionalMembers(account),
  version: account.version,
  createdAt: account.createdAt,
  updatedAt: account.updatedAt,
});

/** The members that an account has only if they were set. */
const optionalMembers = ({ requests, requestKeys, namedParties, chainCode }: Account) => ({
  ...(requests === 'optional' ? {} : { requests }),
  ...(requestKeys.length === 0 ? {} : { requestKeys }),
  ...(namedParties === 'refused' ? {} : { namedParties }),
  ...(chainCode === null ? {} : { chainCode }),
});

// Set-up and change of accounts: the rules and the transactions of the operations on accounts.

/**
 * Sets up an account with its shares.
 * @throws DbrError AccountInvalid with every problem
 */
const setUpAccount = (context: SigningContext, actor: Actor, body: AccountRequest): Promise<Account> =>
  inTenant(context.pool, actor.tenantId, async (transaction) => {
    const names = body.shares.map(({ partyId }) => partyId);
    requireNone(accountProblems(body, await partyStandings(transaction, names)));
    const accountId = newAccountId();
    const ownerUserId = body.ownerUserId === undefined ? actor.userId : userIdOf(body.ownerUserId);
    await insertAccount(transaction, accountId, actor.tenantId, ownerUserId, body);
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
 * Changes an account. The open sessions of an account that is not active afterwards, or was pending before, end.
 * @param ifMatch the header `If-Match`
 * @throws DbrError AccountNotFound, VersionMismatch, AccountInvalid with every problem
 */
async function changeAccount(
  context: SigningContext,
  actor: Actor,
  accountId: AccountId,
  ifMatch: string | undefined,
  body: AccountChange,
): Promise<Account> {
  const { account, ended } = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    const before = requireAccount(await lockAccount(transaction, accountId));
    requireVersion(ifMatch, before.version);
    requireNone(changeProblems(before, body));
    await updateAccount(transaction, {
      ...before,
      name: body.name ?? before.name,
      publicKey: body.publicKey ?? before.publicKey,
      chainCode: body.chainCode ?? before.chainCode,
      status: statusAfter(before, body),
      requests: body.requests ?? before.requests,
      requestKeys: body.requestKeys ?? before.requestKeys,
      namedParties: body.namedParties ?? before.namedParties,
    });
    const after = requireAccount(await findAccount(transaction, accountId));
    // Parties that make a key for a pending account would make another one.
    const goesOn = after.status === 'active' && before.status !== 'pending';
    const ended = goesOn ? [] : await context.endSessionsOfAccount(transaction, accountId);
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

/** Stored keys that were found sound: the check takes milliseconds for Ed25519, and sessions of one account repeat it. */
const soundKeys = lruCache<true>({ maxEntries: 10_000, maxBytes: 4_194_304, bytesOf: () => 0 });

/**
 * Requires of a stored key what `accountProblems` requires of a new one: the key may be older than that rule.
 * @throws DbrError AccountInvalid
 */
export function requireSoundKey({ keyType, publicKey }: Account): void {
  if (publicKey === null) return;
  const name = `${keyType} ${publicKey}`;
  if (soundKeys.get(name) === true) return;
  requireNone(publicKeyProblems(keyType, publicKey));
  soundKeys.set(name, true);
}

function requireNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw dbrError('AccountInvalid', {}, { problems });
}

const auditView = (account: Account): object => {
  const { name, ownerUserId, keyType, publicKey, threshold, status } = account;
  const shares = account.shares.map(({ partyId, shareIndex, shareType }) => ({
    partyId,
    shareIndex,
    shareType,
  }));
  return { name, ownerUserId, keyType, publicKey, threshold, status, shares, ...optionalMembers(account) };
};

// Rules for accounts: the shares must fit the parties and the threshold. Every problem is reported at once.

/**
 * Lists every problem of a new account.
 * @param standings the named parties that the tenant has
 */
function accountProblems(
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
  problems.push(...publicKeyProblems(keyType, publicKey), ...requestKeyProblems(request.requestKeys ?? []));
  problems.push(...chainCodeProblems(keyType, request.chainCode));
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
function changeProblems(account: Account, change: AccountChange): readonly Problem[] {
  const { keyType, publicKey: known, status: before } = account;
  const { publicKey, status } = change;
  const problems: Problem[] = [];
  if (before === 'archived') problems.push(problem('', 'archived', 'an archived account cannot be changed'));
  if (publicKey !== undefined && known !== null && publicKey !== known)
    problems.push(problem('/publicKey', 'key_known', 'the public key of an account cannot be changed'));
  problems.push(...publicKeyProblems(keyType, publicKey), ...requestKeyProblems(change.requestKeys ?? []));
  problems.push(...chainCodeProblems(keyType, change.chainCode));
  if (change.chainCode !== undefined && account.chainCode !== null && change.chainCode !== account.chainCode)
    problems.push(
      problem('/chainCode', 'chain_code_known', 'the chain code of an account cannot be changed'),
    );
  if (status === 'active' && (publicKey ?? known) === null)
    problems.push(problem('/status', 'key_unknown', 'an account without public key cannot be active'));
  if (status === 'pending' && (publicKey ?? known) !== null)
    problems.push(problem('/status', 'key_known', 'an account with a public key is no longer pending'));
  return problems;
}

const problem = (path: string, code: string, message: string): Problem => ({ path, code, message });

/** Another kind of key has no public derivation that its schemes agree on. */
const chainCodeProblems = (keyType: KeyType, chainCode: string | undefined): readonly Problem[] =>
  chainCode === undefined || keyType === 'secp256k1'
    ? []
    : [problem('/chainCode', 'no_derivation', `no child keys are derived from a key of type ${keyType}`)];

function publicKeyProblems(keyType: KeyType, publicKey: string | undefined): readonly Problem[] {
  if (publicKey === undefined || isPoint(keyType, Buffer.from(publicKey, 'hex'))) return [];
  const message =
    keyType === 'ed25519'
      ? 'must be a point of prime order in 32 bytes (RFC 8032)'
      : 'must be a point of the curve in 33 or 65 bytes (SEC 1)';
  return [problem('/publicKey', 'key', message)];
}
