/**
 * What entries of the audit log attest without holding it: signed requests, certificates of ceremonies, and contradictions of
 * parties. The bodies come from elsewhere: sessions as the service answers them, and the rows of `dbr_signing.equivocations`.
 */
import { verify } from 'node:crypto';
import {
  isObject,
  jsonIn,
  type JsonObject,
  lengthPrefixed,
  listOf,
  objectOf,
  readIdentityKey,
  sha256Text,
  signsRequest,
  textOf,
  unsigned32,
} from '../../../src/face.js';

/** Bodies of entries, by session. */
export interface Evidence {
  readonly sessions: Map<string, JsonObject>;
  readonly contradictions: Map<string, readonly JsonObject[]>;
}

/** Keys and plans of the entries before. */
export interface Attested {
  /** The request keys of accounts. */
  readonly requestKeys: Map<string, readonly unknown[]>;
  /** All identity keys of parties. */
  readonly identityKeys: Map<string, ReadonlySet<string>>;
  /** The entries of ceremonies, by session. */
  readonly plans: Map<string, JsonObject>;
  readonly counts: { requests: number; certificates: number; contradictions: number; missing: number };
}

export const noEvidence = (): Evidence => ({ sessions: new Map(), contradictions: new Map() });

export const nothingAttested = (): Attested => ({
  requestKeys: new Map(),
  identityKeys: new Map(),
  plans: new Map(),
  counts: { requests: 0, certificates: 0, contradictions: 0, missing: 0 },
});

/** Keeps the line if it is evidence. Returns false for another one. */
export function takeEvidence(evidence: Evidence, line: string): boolean {
  const value = jsonIn(line);
  if (!isObject(value) || typeof value['sessionId'] !== 'string') return false;
  const { sessionId } = value;
  if (typeof value['state'] === 'string') evidence.sessions.set(sessionId, value);
  else if (typeof value['firstStatement'] === 'string')
    evidence.contradictions.set(sessionId, [...(evidence.contradictions.get(sessionId) ?? []), value]);
  else return false;
  return true;
}

/**
 * Verifies what the entry attests. What the export or the evidence lacks for that is counted as missing, and is not a fault.
 * @param line of an entry whose place in the chain is verified
 * @returns the faults, without the name of the entry
 */
export function verifyEvidence(line: string, evidence: Evidence, attested: Attested): readonly string[] {
  const entry = objectOf(jsonIn(line));
  const after = objectOf(entry['after']);
  const [kind = '', id = ''] = textOf(entry['subject']).split(/:(.*)/s);
  const session = evidence.sessions.get(id);
  switch (entry['action']) {
    case 'account.create':
    case 'account.update':
      attested.requestKeys.set(id, listOf(after['requestKeys']));
      return [];
    case 'party.create':
    case 'party.update':
      attested.identityKeys.set(
        id,
        new Set([
          ...(attested.identityKeys.get(id) ?? []),
          text(objectOf(entry['before']), 'identityPublicKey'),
          text(after, 'identityPublicKey'),
        ]),
      );
      return [];
    case 'session.create':
      return verifyRequest(entry, after, session, attested);
    case 'ceremony.create': {
      attested.plans.set(id, after);
      const plan = planSha256(text(entry, 'tenantId'), id, after);
      const faults = plan === after['planSha256'] ? [] : ['names another hash than that of its plan'];
      return [...faults, ...verifyRequest(entry, after, session, attested)];
    }
    case 'session.approve':
      return verifySignatures([text(after, 'keyId')], session, attested);
    case 'account.keygen':
    case 'account.reshare':
      return verifyCertificate(after, evidence, attested);
    case 'session.equivocation':
      return kind === 'session' ? verifyContradiction(entry, id, evidence, attested) : [];
    default:
      return [];
  }
}

const text = (object: JsonObject, member: string): string => textOf(object[member]);
const bytes = (object: JsonObject, member: string): Buffer => Buffer.from(text(object, member), 'hex');
const missing = ({ counts }: Attested): readonly string[] => {
  counts.missing += 1;
  return [];
};

function verifyRequest(
  { tenantId }: JsonObject,
  after: JsonObject,
  session: JsonObject | undefined,
  attested: Attested,
): readonly string[] {
  if (after['requestSha256'] === undefined) return [];
  const request = objectOf(session?.['request']);
  if (session === undefined || request['content'] === undefined) return missing(attested);
  const content = Buffer.from(text(request, 'content'), 'base64url');
  if (sha256Text(content, 'hex') !== after['requestSha256'])
    return ['has the hash of another request than its session'];
  return [
    ...differences(objectOf(jsonIn(content.toString())), session, after, tenantId),
    ...verifySignatures(listOf(after['requestKeyIds']), session, attested),
  ];
}

/** Where the content has the form of the manual: what it names differently than the entry. */
function differences(
  content: JsonObject,
  session: JsonObject,
  { threshold, participants }: JsonObject,
  tenantId: unknown,
): readonly string[] {
  if (content['type'] !== 'dbr-signing-request-v1') return [];
  const parties = content['parties'];
  const names = (list: unknown): string => JSON.stringify(listOf(list).toSorted());
  const differs = [
    ['another tenant', content['tenantId'] !== tenantId],
    ['another account', content['accountId'] !== session['accountId']],
    ['another threshold', threshold !== undefined && content['threshold'] !== threshold],
    [
      'other parties',
      participants !== undefined && parties !== null && names(parties) !== names(participants),
    ],
  ] as const;
  return differs.flatMap(([name, isOther]) => (isOther ? [`has a request for ${name}`] : []));
}

/** Verifies the signatures of these keys over the request of the session. */
function verifySignatures(
  keyIds: readonly unknown[],
  session: JsonObject | undefined,
  attested: Attested,
): readonly string[] {
  const request = objectOf(session?.['request']);
  const keys = attested.requestKeys.get(text(session ?? {}, 'accountId'));
  if (request['content'] === undefined || keys === undefined) return missing(attested);
  const content = Buffer.from(text(request, 'content'), 'base64url');
  const named = (list: readonly unknown[], keyId: unknown): JsonObject | undefined =>
    list.map(objectOf).find((one) => one['keyId'] === keyId);
  const faults = keyIds.flatMap((keyId) => {
    const key = named(keys, keyId);
    const signature = named(listOf(request['signatures']), keyId);
    if (key === undefined) return [`names key ${String(keyId)}, which the account does not have`];
    if (signature === undefined) return [`names key ${String(keyId)}, which has not signed the request`];
    return isSigned(key, content, signature) ? [] : [`has a request that key ${String(keyId)} did not sign`];
  });
  if (faults.length === 0) attested.counts.requests += keyIds.length;
  return faults;
}

function isSigned(key: JsonObject, content: Buffer, signature: JsonObject): boolean {
  const algorithm = key['algorithm'] === 'ed25519' ? 'ed25519' : 'ecdsa-p256';
  if (key['algorithm'] !== algorithm || signature['algorithm'] !== algorithm) return false;
  const keyId = text(key, 'keyId');
  const registered = { keyId, algorithm, publicKey: text(key, 'publicKey') } as const;
  try {
    return signsRequest(registered, content, { keyId, algorithm, signature: text(signature, 'signature') });
  } catch {
    return false;
  }
}

function planSha256(tenantId: string, sessionId: string, plan: JsonObject): string {
  const parts = ['dbr-ceremony-plan-v1', text(plan, 'kind'), tenantId, text(plan, 'accountId'), sessionId];
  return sha256Text(
    lengthPrefixed([...parts, holdingBytes(plan['before']), holdingBytes(plan['after'])]),
    'hex',
  );
}

function holdingBytes(holding: unknown): Uint8Array {
  if (!isObject(holding)) return Buffer.alloc(0);
  const number = (value: unknown): Buffer => unsigned32(Number.isSafeInteger(value) ? Number(value) : 0);
  return lengthPrefixed([
    number(holding['threshold']),
    ...holdersOf(holding).flatMap((holder) => [
      text(holder, 'partyId'),
      number(holder['shareIndex']),
      bytes(holder, 'identityPublicKey'),
    ]),
  ]);
}

const holdersOf = (holding: unknown): readonly JsonObject[] =>
  listOf(objectOf(holding)['holders']).map(objectOf);

/** Every participant of the ceremony must have signed its result. */
function verifyCertificate(after: JsonObject, { sessions }: Evidence, attested: Attested): readonly string[] {
  const sessionId = text(after, 'sessionId');
  const plan = attested.plans.get(sessionId);
  const ceremony = objectOf(sessions.get(sessionId)?.['ceremony']);
  if (plan === undefined || ceremony['certificate'] === undefined) return missing(attested);
  if (ceremony['publicKey'] !== after['publicKey']) return ['has a certificate of another key'];
  const statement = lengthPrefixed([
    'dbr-ceremony-v1',
    bytes(plan, 'planSha256'),
    bytes(after, 'publicKey'),
    bytes(ceremony, 'transcriptSha256'),
  ]);
  const signatures = listOf(ceremony['certificate']).map(objectOf);
  const faults = [...holdersOf(plan['before']), ...holdersOf(plan['after'])].flatMap((holder) => {
    const partyId = text(holder, 'partyId');
    const signature = signatures.find((one) => one['partyId'] === partyId) ?? {};
    return isBy(bytes(holder, 'identityPublicKey'), statement, bytes(signature, 'signature'))
      ? []
      : [`has a certificate that party ${partyId} did not sign`];
  });
  if (faults.length === 0) attested.counts.certificates += 1;
  return [...new Set(faults)];
}

function isBy(key: Buffer, statement: Buffer, signature: Buffer): boolean {
  const identity = readIdentityKey(key);
  try {
    const algorithm = identity?.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    return identity !== null && verify(algorithm, statement, identity, signature);
  } catch {
    return false;
  }
}

/** Two statements of one party that cannot both be honest. */
function verifyContradiction(
  { actor, before, after }: JsonObject,
  sessionId: string,
  { contradictions }: Evidence,
  attested: Attested,
): readonly string[] {
  const stored = contradictions.get(sessionId);
  if (stored === undefined) return missing(attested);
  const hash = (object: JsonObject, member: string): string => sha256Text(bytes(object, member), 'hex');
  const proof = stored.find(
    (one) =>
      hash(one, 'firstStatement') === objectOf(before)['sha256'] &&
      hash(one, 'secondStatement') === objectOf(after)['sha256'],
  );
  if (proof === undefined) return ['has the hashes of other statements than the evidence'];
  const partyId = textOf(actor).replace(/^party:/, '');
  const known = attested.identityKeys.get(partyId);
  const key = text(proof, 'identityPublicKey');
  if (known !== undefined && !known.has(key)) return [`is proved by a key that party ${partyId} never had`];
  for (const one of ['first', 'second'] as const)
    if (
      !isBy(
        bytes(proof, 'identityPublicKey'),
        bytes(proof, `${one}Statement`),
        bytes(proof, `${one}Signature`),
      )
    )
      return [`has a statement that party ${partyId} did not sign`];
  if (!contradict(bytes(proof, 'firstStatement'), bytes(proof, 'secondStatement'), sessionId, partyId))
    return ['has statements that do not contradict each other'];
  attested.counts.contradictions += 1;
  return [];
}

/** Both are envelopes of this sender and session, with one number or one identifier. */
function contradict(first: Buffer, second: Buffer, sessionId: string, partyId: string): boolean {
  const [one, other] = [partsOf(first), partsOf(second)];
  const isOurs = ([kind, session, , sender]: readonly string[]): boolean =>
    kind === hexOf('router.v1 Envelope') && session === hexOf(sessionId) && sender === hexOf(partyId);
  const sharesPlace = (one[2] ?? '') === other[2] || (one[6] ?? '') === other[6];
  return isOurs(one) && isOurs(other) && sharesPlace && !first.equals(second);
}

const hexOf = (plain: string): string => Buffer.from(plain).toString('hex');

/** Parts that are each preceded by their length, in hexadecimal. */
function partsOf(statement: Buffer): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at + 4 <= statement.length;) {
    const end = at + 4 + statement.readUInt32BE(at);
    parts.push(statement.subarray(at + 4, end).toString('hex'));
    at = end;
  }
  return parts;
}
