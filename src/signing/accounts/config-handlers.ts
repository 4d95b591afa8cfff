/** The operations on the signing configuration of an account (contract, area B). */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { SigningConfig } from '../../../generated/types.js';
import { PRIVATE, conditionalResponse, jsonResponse } from '../../operations/responses.js';
import type { RequestContext } from '../../contract/principal.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { actorOf, knowsOf, requireConfigure, type Actor } from '../access.js';
import { volatileTag, requireVersion } from '../versions.js';
import { readableAccount, requireAccountId } from './account-handlers.js';
import { type Account, findAccount, lockAccount, replaceSigningParties } from './account-store.js';
import { effectiveShares, readinessProblems, configProblems, sameParties } from './signing-parties.js';
import { dbrError } from '../../errors/dbr-error.js';
import { requireRateOnce, type RateLimiter } from '../../operations/limits.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { audit } from '../audit.js';
import { type SigningContext, actorText, shortName } from '../context.js';
import { partyStandings } from '../parties/party-store.js';
import { inTenant } from '../transaction.js';

export const createConfigHandlers = (parts: ConfigParts) =>
  ({
    async getSigningConfig({ path, headers }, context) {
      const account = await readableAccount(parts.context, actorOf(context), path.id);
      return conditionalResponse(headers['if-none-match'], headersOf(account), configJson(account));
    },
    async createSigningConfig({ path, headers: sent, body }, context) {
      requireStorableBody(body);
      const change = { kind: 'create', signingParties: body.signingParties } as const;
      const account = await changeConfig(parts, actorOf(context), path.id, sent['if-match'], change);
      const Location = `/accounts/${account.accountId}/signing-config`;
      return { ...jsonResponse({ ...headersOf(account), Location }, configJson(account)), status: 201 };
    },
    async updateSigningConfig({ path, headers, body }, context) {
      requireStorableBody(body);
      const change = { kind: 'update', signingParties: body.signingParties } as const;
      const account = await changeConfig(parts, actorOf(context), path.id, headers['if-match'], change);
      return jsonResponse(headersOf(account), configJson(account));
    },
    async clearSigningConfig({ path, headers }, context) {
      await changeConfig(parts, actorOf(context), path.id, headers['if-match'], CLEAR);
      return { status: 204 };
    },
  }) satisfies Partial<SigningHandlers<RequestContext>>;

const headersOf = (account: Account) => ({ ...PRIVATE, ETag: configTag(account) });

/** The volatile members are the state of the account and of its parties, unless all are active and none is online. */
function configTag({ configVersion, status, tenantFrozen, shares }: Account): string {
  const standing = shares
    .filter((share) => share.online || share.partyStatus !== 'active' || share.status !== 'active')
    .map((share) => [share.partyId, share.partyStatus, share.status, share.online]);
  const isOrdinary = status === 'active' && !tenantFrozen && standing.length === 0;
  return volatileTag(configVersion, isOrdinary ? null : [tenantFrozen ? 'frozen' : status, standing]);
}

function configJson(account: Account): SigningConfig {
  const problems = readinessProblems(account);
  return {
    accountId: account.accountId,
    configured: account.signingParties !== null,
    signingParties: account.signingParties,
    effectiveParties: effectiveShares(account).map(
      ({ partyId, shareIndex, shareType, partyStatus, online }) => ({
        partyId,
        shareIndex,
        shareType,
        status: partyStatus,
        online,
      }),
    ),
    threshold: account.threshold,
    ready: problems.length === 0,
    problems,
    version: account.configVersion,
    updatedAt: account.configUpdatedAt,
    updatedBy: account.configUpdatedBy,
  };
}

// Changes of an account's signing configuration (contract, area B): the rules and the transaction.

interface ConfigParts {
  readonly context: SigningContext;
  /** One bucket for each account. */
  readonly configLimiter: RateLimiter;
  /** Longest time since the authentication of a user who changes the configuration, in seconds; null for no limit. */
  readonly recentAuthSeconds: number | null;
}

type Change =
  | { readonly kind: 'create' | 'update'; readonly signingParties: readonly string[] }
  | { readonly kind: 'clear' };

const CLEAR = { kind: 'clear' } as const;

/**
 * Changes the configuration under the lock of the account. Open sessions keep their own list of parties.
 * @param pathId identifier of the account, as in the path
 * @throws DbrError AccountNotFound, Forbidden, RateLimited, VersionMismatch, SigningConfigExists, SigningConfigNotSet,
 *   SigningConfigInvalid with every problem
 */
async function changeConfig(
  { context, configLimiter, recentAuthSeconds }: ConfigParts,
  actor: Actor,
  pathId: string,
  ifMatch: string | undefined,
  change: Change,
): Promise<Account> {
  const accountId = requireAccountId(pathId);
  const admit = requireRateOnce(configLimiter, [actor.tenantId, accountId]);
  const account = await inTenant(context.pool, actor.tenantId, async (transaction) => {
    const before = await lockAccount(transaction, accountId);
    if (before === null || !knowsOf(actor, before)) throw dbrError('AccountNotFound');
    requireConfigure(actor, before.ownerUserId, recentAuthSeconds, Date.now());
    await admit();
    requireState(before, change);
    requireVersion(ifMatch, before.configVersion);
    const signingParties = await partiesAfter(transaction, before, change);
    if (isSame(before.signingParties, signingParties)) return before;
    return await replaceConfig(context, transaction, actor, before, signingParties);
  });
  context.notifications?.wake();
  return account;
}

/** @throws DbrError SigningConfigExists, SigningConfigNotSet */
function requireState({ signingParties }: Account, { kind }: Change): void {
  if (kind === 'create' && signingParties !== null) throw dbrError('SigningConfigExists');
  if (kind === 'update' && signingParties === null) throw dbrError('SigningConfigNotSet');
}

/** The signing parties after the change; null for none. @throws DbrError SigningConfigInvalid with every problem */
async function partiesAfter(
  transaction: DatabaseTask,
  account: Account,
  change: Change,
): Promise<readonly string[] | null> {
  if (change.kind === 'clear') return null;
  const { signingParties } = change;
  const problems = configProblems(account, signingParties, await partyStandings(transaction, signingParties));
  if (problems.length > 0) throw dbrError('SigningConfigInvalid', {}, { problems });
  return signingParties;
}

const isSame = (before: readonly string[] | null, after: readonly string[] | null): boolean =>
  before === null || after === null ? before === after : sameParties(before, after);

/** Replaces the configuration and notifies the owner, as part of the transaction. */
async function replaceConfig(
  context: SigningContext,
  transaction: DatabaseTask,
  actor: Actor,
  before: Account,
  signingParties: readonly string[] | null,
): Promise<Account> {
  await replaceSigningParties(transaction, before, signingParties ?? [], actor.userId);
  await audit(transaction, actor, {
    action: actionOf(before.signingParties, signingParties),
    subject: `account:${before.accountId}`,
    before: { signingParties: before.signingParties },
    after: { signingParties },
  });
  await context.notifications?.publish(transaction, {
    tenantId: actor.tenantId,
    userIds: [before.ownerUserId],
    type: 'signing.config.changed',
    title: `Signing parties changed: ${shortName(before.name)}`,
    category: 'signing',
    severity: 'warning',
    body: null,
    data: JSON.stringify({ accountId: before.accountId, signingParties }),
    actor: actorText(actor.userId),
    actionUrl: `/accounts/${before.accountId}/signing-config`,
    groupKey: before.accountId,
    dedupeKey: null,
    expiresAt: null,
  });
  const after = await findAccount(transaction, before.accountId);
  if (after === null) throw dbrError('AccountNotFound');
  return after;
}

function actionOf(before: readonly string[] | null, after: readonly string[] | null): string {
  if (after === null) return 'signing-config.clear';
  return before === null ? 'signing-config.create' : 'signing-config.update';
}
