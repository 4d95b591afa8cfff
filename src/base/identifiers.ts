/**
 * Identifiers that must not be mixed up: text of one kind is not assignable to another kind, and each kind is
 * assignable to `string`. Rows of the database are typed with them; only these functions turn text from outside into
 * an identifier.
 */
import { randomBytes } from 'node:crypto';

declare const kind: unique symbol;
type Identifier<Kind extends string> = string & { readonly [kind]: Kind };

/** Claim `tenantId` of a token: any text. */
export type TenantId = Identifier<'tenant'>;
/** Claim `sub` of a token: any text. */
export type UserId = Identifier<'user'>;
/** Name of a party within its tenant (schema `PartyId` of the contract). */
export type PartyId = Identifier<'party'>;
/** UUID of an account, in lower case. */
export type AccountId = Identifier<'account'>;
/** UUID of a signing session, in lower case. */
export type SessionId = Identifier<'session'>;

const isTenantId = (text: string): text is TenantId => typeof text === 'string';
const isUserId = (text: string): text is UserId => typeof text === 'string';
const isAccountId = (text: string): text is AccountId => CANONICAL_UUID.test(text);
const isSessionId = (text: string): text is SessionId => CANONICAL_UUID.test(text);

/** The form of a party's identifier. */
export const PARTY_ID = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export const tenantIdOf = (text: string): TenantId => checked(text, isTenantId);
export const userIdOf = (text: string): UserId => checked(text, isUserId);

export const isPartyId = (text: string): text is PartyId => PARTY_ID.test(text);

/** @throws TypeError for text that is not a party identifier; the validators of the contract refuse such text earlier */
export const partyIdOf = (text: string): PartyId => checked(text, isPartyId);

export const newAccountId = (): AccountId => checked(uuidV7(), isAccountId);

/** Returns the identifier of a new signing session. */
export const newSessionId = (): SessionId => checked(uuidV7(), isSessionId);

/** Lower-cases the UUID. Returns null for text that is not a UUID. */
export const parseAccountId = (text: string): AccountId | null => parsed(text, isAccountId);

/** Lower-cases the UUID. Returns null for text that is not a UUID. */
export const parseSessionId = (text: string): SessionId | null => parsed(text, isSessionId);

function checked<Id extends string>(text: string, is: (text: string) => text is Id): Id {
  if (is(text)) return text;
  throw new TypeError('text of another form than that of the identifier');
}

function parsed<Id extends string>(text: string, is: (text: string) => text is Id): Id | null {
  const lower = text.toLowerCase();
  return is(lower) ? lower : null;
}

// UUIDs (RFC 9562): the form of every identifier that the service makes.

/** A new UUID of version 7 (RFC 9562 §5.7): 48 bits of time, then 74 random bits. @param now milliseconds since the epoch */
export function uuidV7(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A UUID in its canonical form, lower case (RFC 9562 §4). */
export const CANONICAL_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads a UUID in either case. Returns its canonical form, or null for other text. */
export function parseUuid(text: string): string | null {
  const canonical = text.toLowerCase();
  return CANONICAL_UUID.test(canonical) ? canonical : null;
}
