import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ceremonyStatement, envelopeStatement } from '../../../../examples/parties/signed-bytes.js';
import { metadataSha256, REQUEST_TYPE, requestBytes } from '../../../../examples/parties/request-content.js';
import type { SigningSession } from '../../../../generated/types.js';
import { userIdOf } from '../../../../src/base/identifiers.js';
import { createAuditExports } from '../../../../src/signing/audit/audit-exports.js';
import {
  hashOfEntry,
  lineOfEntry,
  type KnownNames,
  type SealedEntry,
} from '../../../../src/signing/audit/audit-chain.js';
import { LOCAL_LIMITS } from '../../../../src/operations/limits.js';
import { some } from '../../../../test/support/runs.js';
import { root } from '../../../../test/support/openapi/published-contract.js';
import { requestKey, signedRequest } from '../../../../test/support/signing/request-signers.js';
import {
  createSigningFixture,
  rawKey,
  type SigningFixture,
  type TestParty,
} from '../../../../test/support/signing/signing-fixture.js';
import { verifyAudit } from '../../src/verify-audit.js';

const VERIFIER = join(root, 'examples/parties/verify_audit.py');
const DIGEST = 'ab'.repeat(32);

/** What is changed before the verification: lines of the evidence, or entries of a chain that is written again. */
interface Lie {
  readonly name: string;
  readonly evidence?: (line: string) => string;
  readonly entry?: (line: string) => string;
  /** After the number of the entry. */
  readonly found: string;
}

/** Replaces the first digit of a member in hexadecimal, of the last object that has it. */
const flipped =
  (pattern: RegExp) =>
  (line: string): string =>
    line.replace(pattern, (_all, before: string, digit: string) => `${before}${digit === '0' ? '1' : '0'}`);

const contentWith =
  (from: string, to: string) =>
  (line: string): string =>
    line.replace(/(?<="content":")[^"]*/, (text) =>
      Buffer.from(Buffer.from(text, 'base64url').toString().replace(from, to)).toString('base64url'),
    );

const LIES: readonly Lie[] = [
  {
    name: 'another content of a request',
    evidence: contentWith('pay', 'pax'),
    found: 'has the hash of another request than its session',
  },
  {
    name: 'another signature of the creator',
    evidence: flipped(/("keyId":"ada","algorithm":"ed25519","signature":")(.)/),
    found: 'has a request that key ada did not sign',
  },
  {
    name: 'another signature of an approver',
    evidence: flipped(/("keyId":"bea","algorithm":"ecdsa-p256","signature":")(.)/),
    found: 'has a request that key bea did not sign',
  },
  {
    name: 'an approval that is taken away',
    evidence: (line) => line.replace('"keyId":"bea"', '"keyId":"eve"'),
    found: 'names key bea, which has not signed the request',
  },
  {
    name: 'an approval by a key of another account',
    entry: (line) => line.replace('"after":{"keyId":"bea"}', '"after":{"keyId":"eve"}'),
    found: 'names key eve, which the account does not have',
  },
  {
    name: 'another key of the account',
    entry: flipped(/("keyId":"ada","publicKey":")(.)/),
    found: 'has a request that key ada did not sign',
  },
  {
    name: 'other parties of a session',
    entry: (line) =>
      line.includes('"requestSha256"')
        ? line.replace('"participants":["one","two"]', '"participants":["one","six"]')
        : line,
    found: 'has a request for other parties',
  },
  {
    name: 'another threshold of a session',
    entry: (line) =>
      line.includes('"requestSha256"') ? line.replace('"threshold":2', '"threshold":1') : line,
    found: 'has a request for another threshold',
  },
  {
    name: 'another holder in a plan',
    entry: (line) =>
      line.includes('"ceremony.create"') ? line.replace('"partyId":"two"', '"partyId":"six"') : line,
    found: 'names another hash than that of its plan',
  },
  {
    name: 'another transcript of a ceremony',
    evidence: flipped(/("transcriptSha256":")(.)/),
    found: 'has a certificate that party one did not sign',
  },
  {
    name: 'another signature of a certificate',
    evidence: flipped(/("certificate":.*"partyId":"two","signature":")(.)/),
    found: 'has a certificate that party two did not sign',
  },
  {
    name: 'another key of a ceremony',
    entry: (line) =>
      line.includes('"account.keygen"') ? flipped(/("after":\{"publicKey":")(.)/)(line) : line,
    found: 'has a certificate of another key',
  },
  {
    name: 'another statement of a contradiction',
    evidence: flipped(/("firstStatement": "00000012)(.)/),
    found: 'has the hashes of other statements than the evidence',
  },
  {
    name: 'another signature of a contradiction',
    evidence: flipped(/("secondSignature": ")(.)/),
    found: 'has a statement that party two did not sign',
  },
  {
    name: 'a contradiction under a key that the party never had',
    evidence: flipped(/("identityPublicKey": ")(.)/),
    found: 'is proved by a key that party two never had',
  },
  {
    name: 'a contradiction of another party',
    entry: (line) => line.replace('"actor":"party:two"', '"actor":"party:one"'),
    found: 'is proved by a key that party one never had',
  },
];

interface ExportedEntry extends SealedEntry {
  readonly hash: string;
  readonly names?: KnownNames;
}

const HAS_PROGRAMS = ['python3', 'openssl'].every((name) => spawnSync(name, ['version']).error === undefined);
/** Each starts openssl for some seconds. */
const IN_PYTHON = some(LIES, 4);
const PYTHON_FOUND =
  '4 signatures, certificates and contradictions hold; 0 without evidence\n0 entries are intact\n';

/** As the manual has it. */
const PROOFS = `
select json_build_object(
  'sessionId', session_id, 'partyId', party_id, 'identityPublicKey', encode(identity_public_key, 'hex'),
  'firstStatement', encode(first_statement, 'hex'), 'firstSignature', encode(first_signature, 'hex'),
  'secondStatement', encode(second_statement, 'hex'), 'secondSignature', encode(second_signature, 'hex')
)::jsonb::text as proof
from dbr_signing.equivocations`;

describe('the evidence of an audit log', function () {
  this.timeout(120_000);
  let fixture: SigningFixture;
  let folder: string;
  let exported: readonly string[] = [];
  let bodies: readonly SigningSession[] = [];
  let proof = '';

  before(async () => {
    fixture = await createSigningFixture();
    folder = await mkdtemp(join(tmpdir(), 'dbr-evidence-'));
    const [one, two] = [
      await fixture.createParty('one', 'server'),
      await fixture.createParty('two', 'server'),
    ];
    const [ada, bea] = [requestKey('ada'), requestKey('bea', 'ecdsa-p256')];
    const more = { requestKeys: [ada.registered, bea.registered] };
    const { accountId } = await fixture.createAccount([one, two], more);
    const signed = await signedSession(accountId, ada, bea);
    const forked = await contradiction(accountId, one, two);
    const made = await ceremony(one, two);
    bodies = await Promise.all([signed, forked, made].map(({ sessionId }) => read(sessionId)));
    const rows = await fixture.database.superuser.any<{ readonly proof: string }>(PROOFS);
    proof = rows[0]?.proof ?? '';
    exported = await exportedLines();
  });
  after(async () => {
    await fixture.drop();
    await rm(folder, { recursive: true });
  });

  async function read(id: string): Promise<SigningSession> {
    const answer = await fixture.signing.handlers.getSigningSession(
      { path: { id }, query: {}, headers: {}, body: undefined },
      fixture.context(),
    );
    return answer.body as SigningSession;
  }

  async function signedSession(
    id: string,
    ada: ReturnType<typeof requestKey>,
    bea: ReturnType<typeof requestKey>,
  ): Promise<SigningSession> {
    const content = requestBytes({
      ...{ type: REQUEST_TYPE, tenantId: 'acme', accountId: id, operation: 'pay', protocol: 'ed25519' },
      ...{ derivationPath: [], messageDigest: DIGEST, threshold: 2, parties: ['one', 'two'] },
      ...{
        metadataSha256: metadataSha256({}),
        expiresAt: '2099-01-01T00:00:00.000Z',
        nonce: 'ab'.repeat(16),
      },
    });
    const { handlers } = fixture.signing;
    const body = { messageDigest: DIGEST, request: signedRequest(content, ada) };
    const answer = await handlers.createSigningSession(
      { path: { id }, query: {}, headers: {}, body },
      fixture.context(),
    );
    const session = answer.body as SigningSession;
    await handlers.approveSigningSession(
      { path: { id: session.sessionId }, query: {}, headers: {}, body: bea.sign(content) },
      fixture.context(),
    );
    return session;
  }

  async function contradiction(id: string, one: TestParty, two: TestParty): Promise<SigningSession> {
    const session = await fixture.createSession(id);
    for (const { identity } of [one, two])
      await fixture.signing.sessions.join(identity, session.sessionId, 'x');
    const [first, second] = ['left', 'right'].map((payload) => {
      const statement = envelopeStatement({
        ...{ sessionId: session.sessionId, messageId: payload, fromPartyId: 'two', toPartyIds: [], round: 1 },
        ...{ senderSequence: 1n, payload: Buffer.from(payload) },
      });
      return { statement, signature: sign(null, statement, two.privateKey) };
    });
    if (first === undefined || second === undefined) throw new Error('no statements');
    await fixture.signing.sessions.equivocation(two.identity, session.sessionId, first, second);
    return session;
  }

  async function ceremony(...parties: readonly TestParty[]): Promise<SigningSession> {
    const { handlers, sessions: ports } = fixture.signing;
    const shares = parties.map(({ identity: { partyId } }, index) => ({
      ...{ partyId, shareIndex: index + 1, shareType: 'server' as const },
    }));
    const account = { name: 'V', ownerUserId: 'ann', keyType: 'ed25519' as const, threshold: 2, shares };
    const created = await handlers.createAccount(
      { path: {}, query: {}, headers: {}, body: account },
      fixture.context(),
    );
    const { accountId: id } = created.body as { readonly accountId: string };
    const answer = await handlers.createCeremony(
      { path: { id }, query: {}, headers: {}, body: { kind: 'keygen' } },
      fixture.context(),
    );
    const session = answer.body as SigningSession;
    const publicKey = rawKey(generateKeyPairSync('ed25519').publicKey);
    const transcriptSha256 = Buffer.alloc(32, 7);
    const statement = ceremonyStatement(
      Buffer.from(session.messageDigest, 'hex'),
      publicKey,
      transcriptSha256,
    );
    for (const { identity } of parties) await ports.join(identity, session.sessionId, 'x');
    for (const { identity, privateKey } of parties)
      await ports.reportResult(identity, session.sessionId, {
        ...{ kind: 'certificate', publicKey, transcriptSha256 },
        signature: sign(null, statement, privateKey),
      });
    return session;
  }

  async function exportedLines(): Promise<readonly string[]> {
    const exports = createAuditExports(fixture.database.pool, LOCAL_LIMITS);
    let text = '';
    const { signal } = new AbortController();
    const { tenantId } = fixture.context().principal ?? {};
    if (tenantId === undefined) throw new Error('no tenant');
    const range = { after: 0, from: null, to: null, expiresAt: null };
    for await (const piece of await exports.open({ tenantId, userId: userIdOf('aud'), ...range, signal }))
      text += piece;
    return text.split('\n').slice(0, -1);
  }

  /** Verifies by both implementations: the first line of ours, and the text of Python. */
  async function verify(
    { evidence: change = (line) => line, entry }: Partial<Lie>,
    inPython = true,
  ): Promise<{ readonly ours: readonly string[]; readonly theirs: string | null }> {
    const evidence = join(folder, 'evidence.ndjson');
    await writeFile(
      evidence,
      [...bodies.map((one) => JSON.stringify(one)), proof].map((line) => `${change(line)}\n`).join(''),
    );
    const audit = join(folder, 'audit.ndjson');
    const lines = entry === undefined ? exported : written(exported, entry);
    await writeFile(audit, lines.map((line) => `${line}\n`).join(''));
    const ours = (await verifyAudit([evidence, audit])).lines.map((line) =>
      line.replaceAll(`${folder}/`, ''),
    );
    if (!HAS_PROGRAMS || !inPython) return { ours, theirs: null };
    const python = spawnSync('python3', [VERIFIER, evidence, audit], { encoding: 'utf8' });
    return { ours, theirs: `${python.stdout}${python.stderr}`.replaceAll(`${folder}/`, '') };
  }

  /** The chain as an intruder with every right writes it again. */
  function written(lines: readonly string[], change: (line: string) => string): readonly string[] {
    let previousHash = '0'.repeat(64);
    return lines.map((line) => {
      const { hash: _hash, names = {}, ...entry } = JSON.parse(change(line)) as ExportedEntry;
      const linked = { ...entry, previousHash };
      previousHash = hashOfEntry(linked);
      return lineOfEntry({ entry: linked, hash: previousHash, names });
    });
  }

  it('holds for what the service has answered', async () => {
    const { ours, theirs } = await verify({});
    expect(ours[0]).to.equal('verified: 2 signatures of requests, 1 certificates, 1 contradictions');
    expect(ours[1]).to.match(/: the chain is intact; it ends with hash /);
    expect(theirs ?? PYTHON_FOUND).to.match(
      /^4 signatures, certificates and contradictions hold; 0 without evidence\n\d+ entries are intact\n$/,
    );
  });

  it('is counted where it is missing', async () => {
    const { ours } = await verify({ evidence: (line) => line.replace('"request":', '"other":') }, false);
    expect(ours[0]).to.equal('verified: 1 certificates, 1 contradictions; without evidence: 2');
  });

  for (const lie of LIES)
    it(`shows ${lie.name}`, async () => {
      const { ours, theirs } = await verify(lie, IN_PYTHON.includes(lie));
      const [first = ''] = ours;
      expect(first.replace(/^audit\.ndjson:\d+: entry \d+ /, '')).to.equal(lie.found);
      if (theirs !== null)
        expect(theirs.replace(/^audit\.ndjson: entry \d+ /, '')).to.equal(`${lie.found}\n`);
    });
});
