/** The operations on parties; the mount has checked their scope `parties:admin`. */
import type { SigningHandlers } from '../../../generated/operations.js';
import type { Party } from '../../../generated/types.js';
import { dbrError } from '../../errors/dbr-error.js';
import { isPartyId, PARTY_ID, type PartyId } from '../../base/identifiers.js';
import { PRIVATE } from '../../operations/cache-control.js';
import type { RequestContext } from '../../contract/principal.js';
import { decodeCursor, pageOf } from '../../operations/cursor.js';
import { matchesEntityTag } from '../../operations/entity-tag.js';
import { requireStorableBody } from '../../operations/storable-text.js';
import { actorOf } from '../access.js';
import type { SigningContext } from '../context.js';
import { queryInTenant } from '../transaction.js';
import { volatileTag } from '../versions.js';
import { registerParty, requireParty, reviseParty } from './party-service.js';
import { findParty, listParties, type PartyRecord } from './party-store.js';

type PartyHandlers = Pick<
  SigningHandlers<RequestContext>,
  'listParties' | 'createParty' | 'getParty' | 'updateParty'
>;

export function createPartyHandlers(context: SigningContext): PartyHandlers {
  const { database } = context;
  return {
    async listParties({ query }, { principal, remoteAddress }) {
      const { tenantId } = actorOf(principal, remoteAddress);
      const { limit, cursor, status = null, role = null } = query;
      const [after = null] = cursor === undefined ? [] : decodeCursor(cursor, [PARTY_ID]);
      const rows = await queryInTenant(database, tenantId, (transaction) =>
        listParties(transaction, { status, role, after, limit: limit + 1 }),
      );
      const { items, ...rest } = pageOf(rows, limit, ({ partyId }) => [partyId]);
      const body = { items: items.map(partyJson), ...rest };
      return { status: 200, type: 'application/json', headers: PRIVATE, body };
    },
    async createParty({ body }, { principal, remoteAddress }) {
      requireStorableBody(body);
      const party = await registerParty(context, actorOf(principal, remoteAddress), body);
      const headers = { ...headersOf(party), Location: `/api/v1/parties/${party.partyId}` };
      return { status: 201, type: 'application/json', headers, body: partyJson(party) };
    },
    async getParty({ path, headers: sent }, { principal, remoteAddress }) {
      const { tenantId } = actorOf(principal, remoteAddress);
      const partyId = requirePartyId(path.id);
      const party = requireParty(
        await queryInTenant(database, tenantId, (transaction) => findParty(transaction, partyId)),
      );
      const headers = headersOf(party);
      if (matchesEntityTag(sent['if-none-match'], headers.ETag)) return { status: 304, headers };
      return { status: 200, type: 'application/json', headers, body: partyJson(party) };
    },
    async updateParty({ path, headers: sent, body }, { principal, remoteAddress }) {
      requireStorableBody(body);
      const actor = actorOf(principal, remoteAddress);
      const partyId = requirePartyId(path.id);
      const party = await reviseParty(context, actor, partyId, sent['if-match'], body);
      return { status: 200, type: 'application/json', headers: headersOf(party), body: partyJson(party) };
    },
  };
}

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
