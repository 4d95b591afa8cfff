/** What a creator asks for, as the bytes that owners and approvers sign (docs/signing/requests.md). */
import { createHash } from 'node:crypto';

export interface RequestContent {
  readonly type: typeof REQUEST_TYPE;
  readonly tenantId: string;
  readonly accountId: string;
  /** For people. */
  readonly operation: string;
  readonly protocol: string;
  readonly derivationPath: readonly number[];
  /** The digest that the session signs, in hexadecimal like the other binary members. A request has either this or the next one. */
  readonly messageDigest?: string;
  /** Of the message that the session signs. */
  readonly messageSha256?: string;
  readonly threshold: number;
  /** Exactly the parties that sign; null for any. */
  readonly parties: readonly string[] | null;
  /** Of the canonical JSON of the metadata. */
  readonly metadataSha256: string;
  /** RFC 3339 in UTC, in milliseconds. */
  readonly expiresAt: string;
  readonly nonce: string;
}

export const REQUEST_TYPE = 'dbr-signing-request-v1';

/** JSON without blanks, with sorted members (RFC 8785): a value has one text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

export const metadataSha256 = (metadata: unknown): string =>
  createHash('sha256').update(canonicalJson(metadata)).digest('hex');

/** The bytes to sign. */
export const requestBytes = (content: RequestContent): Buffer => Buffer.from(canonicalJson(content));

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isListOf = <Item>(value: unknown, is: (item: unknown) => item is Item): value is readonly Item[] =>
  Array.isArray(value) && value.every(is);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NONCE = /^[0-9a-f]{32,128}$/;

/** Null for bytes that are not a request in its canonical form, with exactly these members. */
export function readRequest(bytes: Uint8Array): RequestContent | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    // Equal texts: neither a member that is named twice nor another spelling has a second meaning.
    return isRequest(value) && canonicalJson(value) === text ? value : null;
  } catch {
    return null;
  }
}

const MEMBERS = 12;

function isRequest(value: unknown): value is RequestContent {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== MEMBERS) return false;
  const { type, tenantId, accountId, operation, protocol, ...rest }: Partial<Record<string, unknown>> = {
    ...value,
  };
  const { derivationPath, messageDigest, messageSha256, threshold, parties, expiresAt, nonce } = rest;
  return (
    type === REQUEST_TYPE &&
    [tenantId, accountId, operation, protocol, rest['metadataSha256']].every(isText) &&
    isText(messageDigest) !== isText(messageSha256) &&
    isListOf(derivationPath, isCount) &&
    isCount(threshold) &&
    (parties === null || isListOf(parties, isText)) &&
    isText(expiresAt) &&
    TIME.test(expiresAt) &&
    isText(nonce) &&
    NONCE.test(nonce)
  );
}
