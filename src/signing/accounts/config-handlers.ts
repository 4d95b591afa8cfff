/** The operations on the signing configuration of an account (contract, area B). */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { SigningConfig } from '../../../generated/types.js';
import { PRIVATE, matchesEntityTag } from '../../operations/responses.js';
import type { RequestContext, Principal } from '../../contract/principal.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { actorOf, knowsOf, requireConfigure, type Actor } from '../access.js';
import { volatileTag, requireVersion } from '../versions.js';
import { readableAccount, requireAccountId } from './account-handlers.js';
import { type Account, findAccount, lockAccount, replaceSigningParties } from './account-store.js';
import { effectiveShares, readinessProblems, configProblems, sameParties } from './signing-parties.js';
import { dbrError } from '../../errors/dbr-error.js';
import { requireRate, type RateLimiter } from '../../operations/limits.js';
import type { DatabaseTask } from '../../postgres/database.js';
import { audit } from '../audit.js';
import { type SigningContext, actorText, sendNotification, shortName } from '../context.js';
import { partyStandings } from '../parties/party-store.js';
import { inTenant } from '../transaction.js';
import type { NotificationPort } from '../router-port.js';

type ConfigHandlers = Pick<
  SigningHandlers<RequestContext>,
  'getSigningConfig' | 'createSigningConfig' | 'updateSigningConfig' | 'clearSigningConfig'
>;

export function createConfigHandlers(parts: ConfigParts): ConfigHandlers {
  return {
    async getSigningConfig({ path, headers: sent }, { principal, remoteAddress }) {
      const account = await readableAccount(parts.context, principal, remoteAddress, path.id);
      const headers = headersOf(account);
      if (matchesEntityTag(sent['if-none-match'], headers.ETag)) return { status: 304, headers };
      return { status: 200, type: 'application/json', headers, body: configJson(account) };
    },
    async createSigningConfig({ path, headers: sent, body }, context) {
      requireStorableBody(body);
      const { signingParties } = body;
      const request = requestOf(context, path.id, sent['if-match']);
      const account = await changeConfig(parts, request, { kind: 'create', signingParties });
      const Location = `/accounts/${account.accountId}/signing-config`;
      const headers = { ...headersOf(account), Location };
      return { status: 201, type: 'application/json', headers, body: configJson(account) };
    },
    async updateSigningConfig({ path, headers: sent, body }, context) {
      requireStorableBody(body);
      const { signingParties } = body;
      const request = requestOf(context, path.id, sent['if-match']);
      const account = await changeConfig(parts, request, { kind: 'update', signingParties });
      return {
        status: 200,
        type: 'application/json',
        headers: headersOf(account),
        body: configJson(account),
      };
    },
    async clearSigningConfig({ path, headers: sent }, context) {
      await changeConfig(parts, requestOf(context, path.id, sent['if-match']), { kind: 'clear' });
      return { status: 204 };
    },
  };
}

const requestOf = (
  { principal, remoteAddress }: RequestContext,
  pathId: string,
  ifMatch: string | undefined,
): ConfigRequest => ({ principal, actor: actorOf(principal, remoteAddress), pathId, ifMatch });

const headersOf = (account: Account) => ({ ...PRIVATE, ETag: configTag(account) });

/** The volatile members are the state of the account and of its parties, unless all are active and none is online. */
function configTag({ configVersion, status, shares }: Account): string {
  const standing = shares
    .filter((share) => share.online || share.partyStatus !== 'active' || share.status !== 'active')
    .map((share) => [share.partyId, share.partyStatus, share.status, share.online]);
  const isOrdinary = status === 'active' && standing.length === 0;
  return volatileTag(configVersion, isOrdinary ? null : [status, standing]);
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

/** A request to change a configuration. */
interface ConfigRequest {
  readonly principal: Principal;
  readonly actor: Actor;
  /** Identifier of the account, as in the path. */
  readonly pathId: string;
  readonly ifMatch: string | undefined;
}

type Change =
  | { readonly kind: 'create'; readonly signingParties: readonly string[] }
  | { readonly kind: 'update'; readonly signingParties: readonly string[] }
  | { readonly kind: 'clear' };

/**
 * Changes the configuration under the lock of the account. Open sessions keep their own list of parties.
 * @throws DbrError AccountNotFound, Forbidden, RateLimited, VersionMismatch, SigningConfigExists, SigningConfigNotSet,
 *   SigningConfigInvalid with every problem
 */
async function changeConfig(
  { context, configLimiter, recentAuthSeconds }: ConfigParts,
  { principal, actor, pathId, ifMatch }: ConfigRequest,
  change: Change,
): Promise<Account> {
  const accountId = requireAccountId(pathId);
  const account = await inTenant(context.database, actor.tenantId, async (transaction) => {
    const before = await lockAccount(transaction, accountId);
    if (before === null || !knowsOf(principal, before)) throw dbrError('AccountNotFound');
    requireConfigure(principal, before.ownerUserId, recentAuthSeconds, Date.now());
    await requireRate(configLimiter, [actor.tenantId, accountId]);
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
  await notifyOfConfig(context.notifications, transaction, actor, before, signingParties);
  const after = await findAccount(transaction, before.accountId);
  if (after === null) throw dbrError('AccountNotFound');
  return after;
}

function actionOf(before: readonly string[] | null, after: readonly string[] | null): string {
  if (after === null) return 'signing-config.clear';
  return before === null ? 'signing-config.create' : 'signing-config.update';
}

// The notification for the owner of an account about a change of the signing configuration.

/** Notifies the owner, as part of the transaction. */
const notifyOfConfig = (
  port: NotificationPort | null,
  transaction: DatabaseTask,
  actor: Actor,
  account: Account,
  signingParties: readonly string[] | null,
): Promise<void> =>
  sendNotification(port, transaction, {
    tenantId: actor.tenantId,
    userIds: [account.ownerUserId],
    type: 'signing.config.changed',
    title: `Signing parties changed: ${shortName(account.name)}`,
    category: 'signing',
    severity: 'warning',
    body: null,
    data: JSON.stringify({ accountId: account.accountId, signingParties }),
    actor: actorText(actor.userId),
    actionUrl: `/accounts/${account.accountId}/signing-config`,
    groupKey: account.accountId,
    dedupeKey: null,
    expiresAt: null,
  });
