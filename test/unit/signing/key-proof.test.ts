import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import { resolve } from '../../../codegen/document.js';
import { certificateProof, identitySignature } from '../../../examples/parties/party-proofs.js';
import type { PartyRequest } from '../../../generated/types.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import {
  requireCertificateProof,
  requireIdentityProof,
  partyStatement,
  type PartyStatement,
} from '../../../src/signing/parties/key-proof.js';
import { examplesOf, publishedContract, root } from '../../support/openapi/published-contract.js';

const STATEMENT: PartyStatement = {
  tenantId: tenantIdOf('acme'),
  partyId: partyIdOf('node-a'),
  identityPublicKey: Buffer.alloc(32, 7),
};

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

const refusalOf = (publicKey: Buffer, signature: Buffer, statement = STATEMENT): string =>
  refusal(() => requireCertificateProof({ publicKey, signature }, statement));

const identityRefusal = (signature: Buffer | null, statement: PartyStatement): string =>
  refusal(() => requireIdentityProof(signature, statement));

function refusal(prove: () => unknown): string {
  try {
    prove();
  } catch (error) {
    if (!(error instanceof DbrError)) throw error;
    expect([error.status, error.code]).to.deep.equal([422, 'DBR520']);
    return (error.problems ?? []).map(({ path, code }) => `${path} ${code}`).join();
  }
  return 'taken';
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const KEYS = {
  Ed25519: () => generateKeyPairSync('ed25519'),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  'RSA 2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const;

describe('the proof that a party holds its keys', () => {
  it('signs a text whose first line names its purpose and version', () => {
    for (const key of ['certificate', 'identity'] as const)
      expect(partyStatement(key, STATEMENT).toString()).to.equal(
        `dbr-party-${key}-v1\nnode-a\n${'07'.repeat(32)}\nacme`,
      );
  });

  for (const [name, generate] of Object.entries(KEYS)) {
    it(`is accepted from ${name} for this tenant, party and identity key alone`, () => {
      const { publicKey, privateKey } = generate();
      const identityKey = STATEMENT.identityPublicKey.toString('hex');
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const made = certificateProof(key, { tenantId: 'acme', partyId: 'node-a', identityKey });
      const [spki, signature] = [Buffer.from(made.publicKey, 'hex'), Buffer.from(made.signature, 'hex')];
      expect(requireCertificateProof({ publicKey: spki, signature }, STATEMENT)).to.deep.equal(
        createHash('sha256').update(spkiOf(publicKey)).digest(),
      );
      for (const other of [
        { ...STATEMENT, tenantId: tenantIdOf('other') },
        { ...STATEMENT, tenantId: tenantIdOf('acme\n') },
        { ...STATEMENT, partyId: partyIdOf('node-b') },
        { ...STATEMENT, identityPublicKey: Buffer.alloc(32, 8) },
      ])
        expect(refusalOf(spki, signature, other)).to.equal('/certificate/signature signature');
      const stranger = spkiOf(generate().publicKey);
      expect(refusalOf(stranger, signature)).to.equal('/certificate/signature signature');
      expect(refusalOf(spki, Buffer.alloc(64))).to.equal('/certificate/signature signature');
    }).timeout(120_000);
  }

  it('of the identity key is accepted for this tenant and party alone', () => {
    for (const generate of Object.values(KEYS)) {
      const { publicKey, privateKey } = generate();
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const identityPublicKey = spkiOf(publicKey);
      const statement = { ...STATEMENT, identityPublicKey };
      const identityKey = identityPublicKey.toString('hex');
      const made = identitySignature(pem, { tenantId: 'acme', partyId: 'node-a', identityKey });
      const signature = Buffer.from(made, 'hex');
      expect(identityRefusal(signature, statement)).to.equal('taken');
      for (const other of [
        { ...statement, tenantId: tenantIdOf('other') },
        { ...statement, partyId: partyIdOf('node-b') },
      ])
        expect(identityRefusal(signature, other)).to.equal('/identitySignature signature');
      expect(identityRefusal(null, statement)).to.equal('/identitySignature required');
      // A signature by the same key for another purpose.
      const asCertificate = certificateProof(pem, { tenantId: 'acme', partyId: 'node-a', identityKey });
      expect(identityRefusal(Buffer.from(asCertificate.signature, 'hex'), statement)).to.equal(
        '/identitySignature signature',
      );
    }
  }).timeout(120_000);

  it('is refused from keys that anyone can sign for, whatever the signature', () => {
    const neutral = Buffer.from(`01${'00'.repeat(63)}`, 'hex');
    const weak = Buffer.from(`01${'00'.repeat(31)}`, 'hex');
    const inDer = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), weak]);
    for (const identityPublicKey of [weak, inDer])
      expect(identityRefusal(neutral, { ...STATEMENT, identityPublicKey })).to.equal(
        '/identityPublicKey key',
      );
    expect(refusalOf(inDer, neutral)).to.equal('/certificate/publicKey key');
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { n = '' } = publicKey.export({ format: 'jwk' });
    const identical = createPublicKey({ key: { kty: 'RSA', n, e: 'AQ' }, format: 'jwk' });
    expect(refusalOf(spkiOf(identical), Buffer.alloc(256))).to.equal('/certificate/publicKey key');
  });

  it('is refused from a point that is compressed, the same key in another form', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const full = spkiOf(publicKey);
    const y = full.at(-1) ?? 0;
    // SubjectPublicKeyInfo of RFC 5480 with 34 bytes of BIT STRING in place of 66.
    const compressed = Buffer.concat([
      Buffer.from('3039', 'hex'),
      full.subarray(2, 23),
      Buffer.from(['03', '22', '00', y % 2 === 0 ? '02' : '03'].join(''), 'hex'),
      full.subarray(27, 59),
    ]);
    expect(createPublicKey({ key: compressed, format: 'der', type: 'spki' }).equals(publicKey)).to.equal(
      true,
    );
    const signature = sign('sha256', partyStatement('certificate', STATEMENT), privateKey);
    expect(refusalOf(full, signature)).to.equal('taken');
    expect(refusalOf(compressed, signature)).to.equal('/certificate/publicKey key');
  });

  it('is refused from other kinds of keys, and from another encoding of a key', () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const koblitz = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    for (const { publicKey, privateKey } of [weak, koblitz]) {
      const signature = sign('sha256', partyStatement('certificate', STATEMENT), privateKey);
      expect(refusalOf(spkiOf(publicKey), signature)).to.equal('/certificate/publicKey key');
    }
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const signature = sign(null, partyStatement('certificate', STATEMENT), privateKey);
    expect(refusalOf(Buffer.concat([spkiOf(publicKey), Buffer.alloc(1)]), signature)).to.equal(
      '/certificate/publicKey key',
    );
    expect(refusalOf(Buffer.alloc(44), signature)).to.equal('/certificate/publicKey key');
  });

  it('stands in the document as an example that verifies', async () => {
    const { document } = await publishedContract();
    const body = resolve(document, { $ref: '#/components/requestBodies/PartyRequest' }, 'body');
    const [[, [example]] = ['', []]] = examplesOf(document, body, 'body');
    const request = example as unknown as PartyRequest;
    const { partyId, identityPublicKey, identitySignature: signature, certificate } = request;
    const proof = {
      publicKey: Buffer.from(certificate?.publicKey ?? '', 'hex'),
      signature: Buffer.from(certificate?.signature ?? '', 'hex'),
    };
    const statement = {
      tenantId: tenantIdOf('acme'),
      partyId: partyIdOf(partyId),
      identityPublicKey: Buffer.from(identityPublicKey, 'hex'),
    };
    expect(requireCertificateProof(proof, statement)).to.have.length(32);
    expect(identityRefusal(Buffer.from(signature, 'hex'), statement)).to.equal('taken');
  });

  describe('made by the lines of the manual', () => {
    let folder: string;
    before(function () {
      if (!hasOpenssl()) this.skip();
    });
    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dbr-proof-'))));
    afterEach(() => rmSync(folder, { recursive: true }));

    const openssl = (...args: readonly string[]): void => {
      execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    };
    for (const [name, options] of [
      ['Ed25519', ['-algorithm', 'ED25519']],
      ['P-256', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']],
      ['RSA', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']],
    ] as const) {
      it(`is accepted: ${name}`, () => {
        openssl('genpkey', '-algorithm', 'ED25519', '-out', 'identity.key');
        openssl('genpkey', ...options, '-out', 'party.key');
        openssl('req', '-x509', '-new', '-key', 'party.key', '-subj', '/CN=node-a', '-out', 'party.pem');
        const manual = readFileSync(join(root, 'docs/signing/overview.md'), 'utf8');
        const lines = /key-proof\.test\.ts[^`]*```sh\n(.*?)```/s.exec(manual)?.[1] ?? '';
        const shown = execFileSync(
          'bash',
          ['-euc', `${lines}\necho $IDENTITY $PUBLIC_KEY $SIGNATURE $IDENTITY_SIGNATURE`],
          {
            cwd: folder,
            encoding: 'utf8',
            env: { ...process.env, PARTY: 'node-a', TENANT: 'acme tenant\nof two lines' },
          },
        );
        const [identity = '', publicKey = '', signature = '', own = ''] = shown.trim().split(' ');
        expect(identity).to.match(/^[0-9a-f]{64}$/);
        const proof = {
          publicKey: Buffer.from(publicKey, 'hex'),
          signature: Buffer.from(signature, 'hex'),
        };
        const statement = {
          tenantId: tenantIdOf('acme tenant\nof two lines'),
          partyId: partyIdOf('node-a'),
          identityPublicKey: Buffer.from(identity, 'hex'),
        };
        expect(requireCertificateProof(proof, statement)).to.have.length(32);
        expect(identityRefusal(Buffer.from(own, 'hex'), statement)).to.equal('taken');
        expect(
          refusalOf(proof.publicKey, proof.signature, { ...statement, tenantId: tenantIdOf('squatter') }),
        ).to.equal('/certificate/signature signature');
      }).timeout(120_000);
    }
  });
});
