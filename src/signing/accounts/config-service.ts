/** Changes of an account's signing configuration (contract, area B): the rules and the transaction. */
import type { Principal } from '../../contract/principal.js';
import { dbrError } from '../../errors/dbr-error.js';
import { requireRate, type RateLimiter } from '../../operations/rate-limit.js';
import type { DatabaseTask } from '../../postgres/database.js';
import { knowsOf, requireConfigure, type Actor } from '../access.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { notifyOfConfig } from './config-notification.js';
import { partyStandings } from '../parties/party-store.js';
import { inTenant } from '../transaction.js';
import { requireVersion } from '../versions.js';
import { requireAccountId } from './account-service.js';
import { findAccount, lockAccount, replaceSigningParties, type Account } from './account-store.js';
import { configProblems, sameParties } from './signing-parties.js';

export interface ConfigParts {
  readonly context: SigningContext;
  /** One bucket for each account. */
  readonly configLimiter: RateLimiter;
  /** Longest time since the authentication of a user who changes the configuration, in seconds; null for no limit. */
  readonly recentAuthSeconds: number | null;
}

/** A request to change a configuration. */
export interface ConfigRequest {
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
export async function changeConfig(
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
