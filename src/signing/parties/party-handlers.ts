/** The operations on parties; the mount has checked their scope `parties:admin`. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { Party } from '../../../generated/types.js';
import { dbrError } from '../../errors/dbr-error.js';
import { isPartyId, PARTY_ID, type PartyId } from '../../base/identifiers.js';
import { PRIVATE, conditionalResponse, jsonResponse } from '../../operations/responses.js';
import type { RequestContext } from '../../contract/principal.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { actorOf, type Actor } from '../access.js';
import { audit } from '../audit.js';
import type { SigningContext } from '../context.js';
import { queryInTenant, inTenant } from '../transaction.js';
import { volatileTag } from '../versions.js';
import { findProposal, listKeys, proposalJson, revokeKey } from './party-keys.js';
import { findParty, listParties, lockParty, type PartyRecord } from './party-store.js';
import { confirmKeys, registerParty, requireParty, reviseParty } from './revise-party.js';

export function createPartyHandlers(context: SigningContext, keyDelaySeconds: number) {
  const parts = { context, keyDelaySeconds };
  return {
    async listParties({ query }, request) {
      const { limit, cursor, status = null, role = null } = query;
      const [after = null] = cursor === undefined ? [] : decodeCursor(cursor, [PARTY_ID]);
      const rows = await queryInTenant(context.pool, actorOf(request).tenantId, (transaction) =>
        listParties(transaction, { status, role, after, limit: limit + 1 }),
      );
      const { items, ...rest } = pageOf(rows, limit, ({ partyId }) => [partyId]);
      return jsonResponse(PRIVATE, { items: items.map(partyJson), ...rest });
    },
    async createParty({ body }, request) {
      requireStorableBody(body);
      const party = await registerParty(context, actorOf(request), body);
      const headers = { ...headersOf(party), Location: `/api/v1/parties/${party.partyId}` };
      return { ...jsonResponse(headers, partyJson(party)), status: 201 };
    },
    async getParty({ path, headers }, request) {
      const { tenantId } = actorOf(request);
      const partyId = requirePartyId(path.id);
      const party = requireParty(
        await queryInTenant(context.pool, tenantId, (transaction) => findParty(transaction, partyId)),
      );
      return conditionalResponse(headers['if-none-match'], headersOf(party), partyJson(party));
    },
    async updateParty({ path, headers, body }, request) {
      requireStorableBody(body);
      const actor = actorOf(request);
      const revised = await reviseParty(parts, actor, requirePartyId(path.id), headers['if-match'], body);
      if (revised.kind === 'changed') return jsonResponse(headersOf(revised.party), partyJson(revised.party));
      const keys = { items: revised.keys, proposal: proposalJson(revised.proposal) };
      return { ...jsonResponse(PRIVATE, keys), status: 202 };
    },
    async listPartyKeys({ path }, request) {
      const partyId = requirePartyId(path.id);
      const { party, items, proposal } = await queryInTenant(
        context.pool,
        actorOf(request).tenantId,
        async (transaction) => ({
          party: await findParty(transaction, partyId),
          items: await listKeys(transaction, partyId),
          proposal: await findProposal(transaction, partyId, keyDelaySeconds),
        }),
      );
      requireParty(party);
      return jsonResponse(PRIVATE, { items, proposal: proposal && proposalJson(proposal) });
    },
    async confirmPartyKeys({ path, body }, request) {
      const party = await confirmKeys(parts, actorOf(request), requirePartyId(path.id), body.proposalId);
      return jsonResponse(headersOf(party), partyJson(party));
    },
    async revokePartyKey({ path }, request) {
      await revokeKeyOf(context, actorOf(request), requirePartyId(path.id), path.sha256);
      return { status: 204 };
    },
  } satisfies Partial<SigningHandlers<RequestContext>>;
}

/** @throws DbrError PartyNotFound, PartyKeyNotFound, PartyKeyCurrent */
async function revokeKeyOf(
  { pool }: SigningContext,
  actor: Actor,
  partyId: PartyId,
  sha256: string,
): Promise<void> {
  if (!SHA256.test(sha256)) throw dbrError('PartyKeyNotFound');
  await inTenant(pool, actor.tenantId, async (transaction) => {
    requireParty(await lockParty(transaction, partyId));
    if (!(await revokeKey(transaction, partyId, Buffer.from(sha256, 'hex')))) return;
    await audit(transaction, actor, {
      action: 'party.revoke-key',
      subject: `party:${partyId}`,
      before: { sha256 },
      after: null,
    });
  });
}

const SHA256 = /^[0-9a-f]{64}$/;

/** @throws DbrError PartyNotFound for text that cannot name a party */
function requirePartyId(text: string): PartyId {
  if (!isPartyId(text)) throw dbrError('PartyNotFound');
  return text;
}

const headersOf = ({ version, lastSeenAt, online }: PartyRecord) => ({
  ...PRIVATE,
  ETag: volatileTag(version, lastSeenAt === null ? null : [lastSeenAt, online]),
});

const partyJson = (party: PartyRecord): Party => ({
  partyId: party.partyId,
  name: party.name,
  role: party.role,
  status: party.status,
  identityPublicKey: party.identityPublicKey.toString('hex'),
  certificateSha256: party.certificateSha256?.toString('hex') ?? null,
  online: party.online,
  lastSeenAt: party.lastSeenAt,
  createdAt: party.createdAt,
  version: party.version,
});
