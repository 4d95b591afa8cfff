/** The published test vectors of signed statements, for the service, the example parties and a client in another language. */
import { consentText } from '../../../examples/parties/party-proofs.js';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  ceremonyPlanStatement as examplePlan,
  ceremonyStatement as exampleCeremony,
  encryptionKeyStatement as exampleKey,
  envelopeStatement as exampleEnvelope,
  shareAssociatedData as exampleShare,
} from '../../../examples/parties/signed-bytes.js';
import { parseAccountId, parseSessionId, partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import { headStatement } from '../../../src/signing/audit/audit-head.js';
import { envelopeStatement } from '../../../src/mailbox/mailbox-store.js';
import { encryptionKeyStatement } from '../../../src/signing/parties/encryption-key-store.js';
import { consentStatement, partyStatement } from '../../../src/signing/parties/key-proof.js';
import type { ChainPosition } from '../../../src/signing/audit/audit-chain.js';
import type { Holding } from '../../../src/signing/router-port.js';
import { certificateStatement, planStatement } from '../../../src/signing/sessions/ceremony.js';
import { shareAssociatedData } from '../../../src/signing/shares/delegate-share.js';
import type { EncryptionSuite } from '../../../src/signing/types.js';
import { root } from '../../support/openapi/published-contract.js';

interface EnvelopeFields {
  readonly sessionId: string;
  readonly messageId: string;
  readonly fromPartyId: string;
  readonly toPartyIds: readonly string[];
  readonly round: number;
  readonly senderSequence: string;
  readonly payload: string;
}

interface KeyFields {
  readonly keyId: string;
  readonly suite: EncryptionSuite;
  readonly publicKey: string;
  readonly oneTime: boolean;
  readonly notAfter: string | null;
}

interface ShareFields {
  readonly tenantId: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly delegatePartyId: string;
  readonly recipientKeyId: string;
  readonly messageDigest: string;
  readonly hasMessage?: boolean;
  readonly derivationPath: readonly number[];
  readonly expiresAt: string;
}

interface PartyFields {
  readonly tenantId: string;
  readonly partyId: string;
  readonly identityPublicKey: string;
}

interface KeysFields extends PartyFields {
  readonly currentKey: string;
  readonly certificateSha256: string | null;
  readonly formerKeysSeconds: number;
}

interface HoldingFields {
  readonly threshold: number;
  readonly holders: readonly {
    readonly partyId: string;
    readonly shareIndex: number;
    readonly identityPublicKey: string;
  }[];
}

interface PlanFields {
  readonly kind: 'keygen' | 'reshare';
  readonly tenantId: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly before: HoldingFields | null;
  readonly after: HoldingFields;
}

interface CeremonyFields {
  readonly planSha256: string;
  readonly publicKey: string;
  readonly transcriptSha256: string;
}

type Vector = {
  readonly name: string;
  readonly statement: string;
  readonly sha256: string;
  readonly key?: string;
  readonly signature?: string;
} & (
  | { readonly kind: 'envelope'; readonly fields: EnvelopeFields }
  | { readonly kind: 'encryption-key'; readonly fields: KeyFields }
  | { readonly kind: 'share-associated-data'; readonly fields: ShareFields }
  | { readonly kind: 'ceremony-plan'; readonly fields: PlanFields }
  | { readonly kind: 'ceremony'; readonly fields: CeremonyFields }
  | { readonly kind: 'party-identity' | 'party-certificate'; readonly fields: PartyFields }
  | { readonly kind: 'audit-head'; readonly fields: ChainPosition }
  | { readonly kind: 'party-keys'; readonly fields: KeysFields }
);

interface PublishedVectors {
  readonly keys: Readonly<
    Record<string, { readonly algorithm: string; readonly subjectPublicKeyInfo: string }>
  >;
  readonly vectors: readonly Vector[];
}

const FILE = join(root, 'proto/router/v1/statements.json');
const published = JSON.parse(readFileSync(FILE, 'utf8')) as PublishedVectors;
const fail = (text: string): never => {
  throw new Error(`not an identifier: ${text}`);
};

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** The statement by each implementation of this repository. */
function statementsOf(vector: Vector): readonly Buffer[] {
  switch (vector.kind) {
    case 'envelope': {
      const { fields } = vector;
      const payload = bytes(fields.payload);
      return [
        envelopeStatement({
          ...fields,
          toPartyIds: fields.toPartyIds.map(partyIdOf),
          senderSequence: Number(fields.senderSequence),
          payload,
        }),
        exampleEnvelope({ ...fields, senderSequence: BigInt(fields.senderSequence), payload }),
      ];
    }
    case 'encryption-key': {
      const { fields } = vector;
      const notAfter = fields.notAfter === null ? null : new Date(fields.notAfter);
      const key = { ...fields, publicKey: bytes(fields.publicKey), notAfter };
      return [encryptionKeyStatement(key), exampleKey(key)];
    }
    case 'share-associated-data': {
      const { fields } = vector;
      const [messageDigest, expiresAt] = [bytes(fields.messageDigest), new Date(fields.expiresAt)];
      return [
        shareAssociatedData({
          ...fields,
          tenantId: tenantIdOf(fields.tenantId),
          accountId: parseAccountId(fields.accountId) ?? fail(fields.accountId),
          sessionId: parseSessionId(fields.sessionId) ?? fail(fields.sessionId),
          delegatePartyId: partyIdOf(fields.delegatePartyId),
          messageDigest,
          expiresAt,
        }),
        exampleShare({ ...fields, messageDigest, expiresAt }),
      ];
    }
    case 'party-keys': {
      const { fields } = vector;
      const { tenantId, partyId, identityPublicKey: identityKey } = fields;
      return [
        consentStatement({
          tenantId: tenantIdOf(tenantId),
          partyId: partyIdOf(partyId),
          identityPublicKey: bytes(identityKey),
          currentKey: bytes(fields.currentKey),
          certificateSha256: fields.certificateSha256 === null ? null : bytes(fields.certificateSha256),
          formerSeconds: fields.formerKeysSeconds,
        }),
        Buffer.from(consentText({ ...fields, identityKey })),
      ];
    }
    case 'audit-head':
      return [Buffer.from(headStatement(vector.fields))];
    case 'ceremony-plan':
      return planStatements(vector.fields);
    case 'ceremony': {
      const { planSha256, publicKey, transcriptSha256 } = vector.fields;
      const [plan, key, transcript] = [bytes(planSha256), bytes(publicKey), bytes(transcriptSha256)];
      return [
        certificateStatement(plan, { publicKey: key, transcriptSha256: transcript }),
        exampleCeremony(plan, key, transcript),
      ];
    }
    case 'party-identity':
    case 'party-certificate': {
      const { tenantId, partyId, identityPublicKey } = vector.fields;
      return [
        partyStatement(vector.kind === 'party-identity' ? 'identity' : 'certificate', {
          tenantId: tenantIdOf(tenantId),
          partyId: partyIdOf(partyId),
          identityPublicKey: bytes(identityPublicKey),
        }),
      ];
    }
  }
}

function planStatements(fields: PlanFields): readonly Buffer[] {
  const { kind, before, after } = fields;
  const stored = ({ threshold, holders }: HoldingFields): Holding => ({
    threshold,
    holders: holders.map((holder) => ({
      ...holder,
      partyId: partyIdOf(holder.partyId),
      shareType: 'server' as const,
    })),
  });
  const example = ({ threshold, holders }: HoldingFields) => ({
    threshold,
    holders: holders.map((holder) => ({ ...holder, identityPublicKey: bytes(holder.identityPublicKey) })),
  });
  const session = {
    tenantId: tenantIdOf(fields.tenantId),
    accountId: parseAccountId(fields.accountId) ?? fail(fields.accountId),
    sessionId: parseSessionId(fields.sessionId) ?? fail(fields.sessionId),
  };
  return [
    planStatement(session, { kind, before: before === null ? null : stored(before), after: stored(after) }),
    examplePlan(kind, fields, before === null ? null : example(before), example(after)),
  ];
}

describe('the published vectors of signed statements', () => {
  for (const vector of published.vectors)
    it(vector.name, () => {
      for (const statement of statementsOf(vector)) {
        expect(statement.toString('hex')).to.equal(vector.statement);
        expect(createHash('sha256').update(statement).digest('hex')).to.equal(vector.sha256);
      }
      if (vector.key === undefined || vector.signature === undefined) return;
      const { algorithm, subjectPublicKeyInfo = '' } = published.keys[vector.key] ?? {};
      const key = createPublicKey({ key: bytes(subjectPublicKeyInfo), format: 'der', type: 'spki' });
      const hash = algorithm === 'ed25519' ? null : 'sha256';
      expect(verify(hash, bytes(vector.statement), key, bytes(vector.signature))).to.equal(true);
    });
});
