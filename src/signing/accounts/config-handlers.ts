/** The operations on the signing configuration of an account (contract, area B). */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { SigningConfig } from '../../../generated/types.js';
import { PRIVATE } from '../../operations/cache-control.js';
import type { RequestContext } from '../../contract/principal.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { actorOf } from '../access.js';
import { volatileTag } from '../versions.js';
import { readableAccount } from './account-handlers.js';
import type { Account } from './account-store.js';
import { changeConfig, type ConfigParts, type ConfigRequest } from './config-service.js';
import { effectiveShares, readinessProblems } from './signing-parties.js';

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
