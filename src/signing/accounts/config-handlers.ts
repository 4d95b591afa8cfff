/** The signing configuration of an account (contract, area B): set, changed, cleared and shown. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { SigningConfig } from '../../../generated/types.js';
import type { Caller } from '../../auth/caller.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { RequestContext } from '../../operations/context.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { requireRate, type RateLimiter } from '../../operations/rate-limit.js';
import type { DatabaseTask } from '../../postgres/database.js';
import { accountIdOf } from './account-handlers.js';
import { findAccount, findAccountToChange, replaceSigningParties, type Account } from './account-store.js';
import { actorOf, demandConfigure, knowsOf, mayRead, type Actor } from '../access.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { notifyOfConfig } from '../owner-notifications.js';
import { configProblems, effectiveShares, readinessProblems, sameParties } from './signing-parties.js';
import { partyStandings } from '../parties/party-store.js';
import { PRIVATE } from '../../operations/cache-control.js';
import { inTenant } from '../transaction.js';
import { demandVersion, passingTag } from '../versions.js';

type ConfigHandlers = Pick<
  SigningHandlers<RequestContext>,
  'getSigningConfig' | 'createSigningConfig' | 'updateSigningConfig' | 'clearSigningConfig'
>;

export interface ConfigHandlerParts {
  readonly context: SigningContext;
  /** By account. */
  readonly configLimiter: RateLimiter;
  /** Longest time since the authentication of a user who changes the configuration, in seconds; null for no limit. */
  readonly recentAuthSeconds: number | null;
}

export function createConfigHandlers({
  context,
  configLimiter,
  recentAuthSeconds,
}: ConfigHandlerParts): ConfigHandlers {
  /** What changes a configuration: the account under its lock, and a caller who may. */
  async function change(
    caller: Caller,
    actor: Actor,
    pathId: string,
    work: (transaction: DatabaseTask, account: Account) => Promise<readonly string[] | null>,
  ): Promise<Account> {
    const accountId = accountIdOf(pathId);
    return await inTenant(context.database, actor.tenantId, async (transaction) => {
      const account = await findAccountToChange(transaction, accountId);
      if (account === null || !knowsOf(caller, account.ownerUserId)) throw dbrError('AccountNotFound');
      demandConfigure(caller, account.ownerUserId, recentAuthSeconds, Date.now());
      requireRate(configLimiter, [actor.tenantId, accountId]);
      const signingParties = await work(transaction, account);
      if (isSame(account.signingParties, signingParties)) return account;
      return await replace(context, transaction, actor, account, signingParties);
    });
  }

  const told = (account: Account): Account => {
    context.notifications?.wake();
    return account;
  };

  return {
    async getSigningConfig({ path, headers: asked }, { caller, remoteAddress }) {
      const { tenantId } = actorOf(caller, remoteAddress);
      const accountId = accountIdOf(path.id);
      const account = await inTenant(context.database, tenantId, (transaction) =>
        findAccount(transaction, accountId),
      );
      if (account === null || !mayRead(caller, account.ownerUserId)) throw dbrError('AccountNotFound');
      const headers = { ...PRIVATE, ETag: configTag(account) };
      if (matchesEntityTag(asked['if-none-match'], headers.ETag)) return { status: 304, headers };
      return { status: 200, type: 'application/json', headers, body: configJson(account) };
    },
    async createSigningConfig({ path, headers: asked, body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(caller, remoteAddress);
      const account = await change(caller, actor, path.id, async (transaction, before) => {
        if (before.signingParties !== null) throw dbrError('SigningConfigExists');
        demandVersion(asked['if-match'], before.configVersion);
        return await demandValid(transaction, before, body.signingParties);
      });
      const headers = {
        ...PRIVATE,
        Location: `/accounts/${account.accountId}/signing-config`,
        ETag: configTag(account),
      };
      return { status: 201, type: 'application/json', headers, body: configJson(told(account)) };
    },
    async updateSigningConfig({ path, headers: asked, body }, { caller, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(caller, remoteAddress);
      const account = await change(caller, actor, path.id, async (transaction, before) => {
        if (before.signingParties === null) throw dbrError('SigningConfigNotSet');
        demandVersion(asked['if-match'], before.configVersion);
        return await demandValid(transaction, before, body.signingParties);
      });
      const headers = { ...PRIVATE, ETag: configTag(account) };
      return { status: 200, type: 'application/json', headers, body: configJson(told(account)) };
    },
    async clearSigningConfig({ path, headers: asked }, { caller, remoteAddress }) {
      const actor = actorOf(caller, remoteAddress);
      told(
        await change(caller, actor, path.id, (_transaction, before) => {
          demandVersion(asked['if-match'], before.configVersion);
          return Promise.resolve(null);
        }),
      );
      return { status: 204 };
    },
  };
}

const isSame = (before: readonly string[] | null, after: readonly string[] | null): boolean =>
  before === null || after === null ? before === after : sameParties(before, after);

/** @throws DbrError SigningConfigInvalid with every problem */
async function demandValid(
  transaction: DatabaseTask,
  account: Account,
  signingParties: readonly string[],
): Promise<readonly string[]> {
  const standings = await partyStandings(transaction, signingParties);
  const statuses = new Map([...standings].map(([partyId, { status }]) => [partyId, status]));
  const problems = configProblems(account, signingParties, statuses);
  if (problems.length > 0) throw dbrError('SigningConfigInvalid', {}, { problems });
  return signingParties;
}

/** Only later sessions are concerned: each session has a list of its own. */
async function replace(
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

/** Beside the version: which of the parties that hold a share are online or not active, and an account that is not. */
export function configTag({ configVersion, status, shares }: Account): string {
  const standing = shares
    .filter((share) => share.online || share.partyStatus !== 'active' || share.status !== 'active')
    .map((share) => [share.partyId, share.partyStatus, share.status, share.online]);
  const isOrdinary = status === 'active' && standing.length === 0;
  return passingTag(configVersion, isOrdinary ? null : [status, standing]);
}

export function configJson(account: Account): SigningConfig {
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
