import { expect } from 'chai';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { certificateProof, consentSignature } from '../../../examples/parties/party-proofs.js';
import { verifyParty } from '../../../src/signing/parties/identity-key.js';
import type { PartyEncryptionKey } from '../../../src/signing/router-port.js';
import { partyBody } from '../../support/contract/signing-bodies.js';
import {
  createSigningFixture,
  rawKey,
  signedKey,
  type SigningFixture,
  type TestParty,
} from '../../support/signing/signing-fixture.js';

const KEY: Omit<PartyEncryptionKey, 'signature'> = {
  keyId: 'k1',
  suite: 'HPKE-X25519-SHA256-AES256GCM',
  publicKey: rawKey(generateKeyPairSync('x25519').publicKey),
  oneTime: true,
  notAfter: null,
};

describe('a party whose keys are replaced', function () {
  this.timeout(60_000);
  let fixture: SigningFixture;
  let count = 0;
  before(async () => {
    fixture = await createSigningFixture();
  });
  after(() => fixture.drop());

  /** Replaces both keys with the consent of the one in force. */
  async function rotate(party: TestParty, formerKeysSeconds: number): Promise<TestParty> {
    const { partyId, identityPublicKey } = party.identity;
    const keys = generateKeyPairSync('ed25519');
    const next = partyBody(partyId, 'delegate', 'acme', keys);
    const proven = { tenantId: 'acme', partyId, identityKey: next.identityPublicKey };
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    const certificate = certificateProof(pem.toString(), proven);
    const certificateSha256 = createHash('sha256').update(certificate.publicKey, 'hex').digest();
    const currentPem = party.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const body = {
      ...{ identityPublicKey: next.identityPublicKey, identitySignature: next.identitySignature },
      ...{ certificate, formerKeysSeconds },
      currentSignature: consentSignature(currentPem, {
        ...{ ...proven, currentKey: identityPublicKey.toString('hex'), formerKeysSeconds },
        certificateSha256: certificateSha256.toString('hex'),
      }),
    };
    const request = { path: { id: partyId }, query: {}, headers: {}, body };
    expect((await fixture.signing.handlers.updateParty(request, fixture.context())).status).to.equal(200);
    const identity = await fixture.signing.parties.byCertificate(certificateSha256);
    if (identity === null) throw new Error('the party is not found by its certificate');
    return { identity, privateKey: keys.privateKey };
  }

  const newParty = () => fixture.createParty(`node-${String(count++)}`, 'delegate');
  const statement = Buffer.from('a statement');
  const signedBy = ({ privateKey }: TestParty): Buffer => sign(null, statement, privateKey);
  const refusal = (party: TestParty) =>
    fixture.signing.parties.refuseChanged(party.identity).then(
      () => null,
      (error: unknown) => String(error),
    );
  const byCertificateOf = ({ identity }: TestParty) =>
    fixture.signing.parties.byCertificate(identity.certificateSha256 ?? Buffer.alloc(0));

  it('is known by both certificates, and signs with both keys, for the time of the change alone', async () => {
    const former = await newParty();
    const current = await rotate(former, 60);
    expect(current.identity.formerIdentityKey).to.deep.equal(former.identity.identityPublicKey);
    const found = await byCertificateOf(former);
    expect(found).to.deep.include({
      partyId: former.identity.partyId,
      identityPublicKey: current.identity.identityPublicKey,
    });
    for (const party of [former, current]) {
      expect(await refusal(party)).to.equal(null);
      expect(await verifyParty(current.identity, statement, signedBy(party))).to.equal(true);
    }
    const stranger = await newParty();
    expect(await verifyParty(current.identity, statement, signedBy(stranger))).to.equal(false);

    await fixture.database.superuser.none(
      `update dbr_signing.parties set former_until = now() - interval '1 second' where party_id = $1`,
      [former.identity.partyId],
    );
    expect(await byCertificateOf(former)).to.equal(null);
    expect(await refusal(former)).to.equal('PartyRefused: refused: party-unknown');
    expect(await refusal(current)).to.equal(null);
    expect((await byCertificateOf(current))?.formerIdentityKey).to.equal(null);
  });

  it('has two pairs of keys at most: the next change ends the first', async () => {
    const first = await newParty();
    const second = await rotate(first, 60);
    const third = await rotate(second, 60);
    expect(await refusal(first)).to.equal('PartyRefused: refused: party-unknown');
    expect(await byCertificateOf(first)).to.equal(null);
    expect(await refusal(second)).to.equal(null);
    const last = await rotate(third, 0);
    expect(last.identity.formerIdentityKey).to.equal(null);
    for (const party of [second, third])
      expect(await refusal(party)).to.equal('PartyRefused: refused: party-unknown');
    const rows = await fixture.database.superuser.any<{ readonly ended: boolean | null }>(
      `select accepted_until <= now() as ended from dbr_signing.party_keys where party_id = $1 order by since, kind`,
      [first.identity.partyId],
    );
    expect(rows.map(({ ended }) => ended)).to.deep.equal([
      ...Array.from({ length: 6 }, () => true),
      null,
      null,
    ]);
  });

  it('offers encryption keys that its key in force has signed, and no others', async () => {
    const former = await newParty();
    const offer = (by: TestParty, as: TestParty) =>
      fixture.signing.parties.heartbeat(as.identity, 'i', [signedKey(by, KEY)]).then(
        ({ oneTimeKeysLeft }) => oneTimeKeysLeft,
        (error: unknown) => String(error),
      );
    expect(await offer(former, former)).to.equal(1);
    const current = await rotate(former, 60);
    expect(await offer(former, former)).to.equal('PartyRefused: refused: party-unknown');
    expect(await offer(former, current)).to.match(
      /^InvalidPartyKey: .*is not signed by the party's identity key$/,
    );
    expect(await offer(current, current)).to.equal(1);
  });

  it('is proven to contradict itself under the key that has signed', async () => {
    const former = await newParty();
    const account = await fixture.createAccount([former, await fixture.createParty('server', 'server')]);
    const current = await rotate(former, 60);
    const one = { statement, signature: signedBy(former) };
    const two = {
      statement: Buffer.from('another'),
      signature: sign(null, Buffer.from('another'), former.privateKey),
    };
    await fixture.database.superuser.none(
      `insert into dbr_signing.signing_sessions
         (session_id, tenant_id, account_id, created_by, party_source, threshold, protocol, message_digest, request_sha256, ready_by, expires_at)
       values ('0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23', 'acme', $1, 'ann', 'configured', 1, 'ed25519', sha256(''), sha256(''),
         now() + interval '1 hour', now() + interval '1 hour')`,
      [account.accountId],
    );
    await fixture.database.superuser.none(
      `insert into dbr_signing.session_participants (session_id, tenant_id, party_id, share_index, share_type)
       values ('0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23', 'acme', $1, 1, 'delegate')`,
      [former.identity.partyId],
    );
    await fixture.signing.sessions.equivocation(
      ...([current.identity, '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23', one, two] as const),
    );
    const { key } = await fixture.database.superuser.one<{ readonly key: Buffer }>(
      `select identity_public_key as key from dbr_signing.equivocations where party_id = $1`,
      [former.identity.partyId],
    );
    expect(key).to.deep.equal(former.identity.identityPublicKey);
  });
});
