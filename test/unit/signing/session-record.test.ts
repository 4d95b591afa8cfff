import { expect } from 'chai';
import { partyIdOf, tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import {
  partySession,
  sessionJson,
  viewOf,
  type SessionRecord,
} from '../../../src/signing/sessions/session-record.js';
import { accountIdOf, sessionIdOf } from '../../support/identifiers.js';

const participant = { shareIndex: 1, shareType: 'server', joinedAt: null, partyStatus: 'active' } as const;
const CREATED = '2026-03-01T09:30:00.000Z';
const RECORD: SessionRecord = {
  sessionId: sessionIdOf('018f0000-0000-7000-8000-000000000002'),
  tenantId: tenantIdOf('acme'),
  accountId: accountIdOf('018f0000-0000-7000-8000-000000000001'),
  accountName: 'savings',
  ownerUserId: userIdOf('ann'),
  createdBy: userIdOf('bob'),
  state: 'in_progress',
  effectiveState: 'in_progress',
  stateVersion: 3,
  eventSequence: 4,
  partySource: 'all_active',
  threshold: 2,
  participants: [
    { ...participant, partyId: partyIdOf('a'), joinedAt: CREATED, reportedSignature: 'aa' },
    { ...participant, partyId: partyIdOf('b'), reportedSignature: null },
  ],
  protocol: 'ed25519',
  keyType: 'ed25519',
  messageDigest: Buffer.alloc(32, 1),
  hasMessage: false,
  publicKey: Buffer.of(2),
  derivationPath: [0, 1],
  metadata: { order: 7 },
  requestSha256: Buffer.alloc(32),
  request: null,
  replaces: null,
  replacedBy: null,
  requestSignatures: null,
  share: null,
  ceremony: null,
  chainCode: null,
  signature: Buffer.of(3),
  recoveryId: null,
  failureReason: 'party_aborted',
  failureDetail: 'no',
  culpritPartyIds: [partyIdOf('b')],
  createdAt: CREATED,
  readyBy: '2026-03-01T09:31:00.000Z',
  expiresAt: '2026-03-01T09:35:00.000Z',
  deadline: '2026-03-01T09:34:00.000Z',
  endedAt: null,
  now: '2026-03-01T09:32:00.000Z',
  position: CREATED,
};
const SHARE = {
  delegatePartyId: partyIdOf('d'),
  recipientKeyId: 'k',
  suite: 'HPKE-X25519-SHA256-AES256GCM',
  ciphertextSha256: '04'.repeat(32),
  suppliedAt: CREATED,
} as const;

describe('a stored session', () => {
  it('says since when it waited for its missing parties, if it has expired', () => {
    const since = (more: Partial<SessionRecord>) => sessionJson({ ...RECORD, ...more }).missingSince;
    const expired = { state: 'expired', effectiveState: 'expired' } as const;
    expect(since({})).to.equal(undefined);
    expect(since(expired)).to.equal(CREATED);
    const joinedAt = '2026-03-01T09:30:07.000Z';
    const participants = RECORD.participants.map((one) => ({ ...one, joinedAt }));
    expect(since({ ...expired, participants })).to.equal(joinedAt);
    expect(partySession({ ...RECORD, ...expired, participants }).missingSince).to.equal(joinedAt);
    const reported = participants.map((one) => ({ ...one, reportedSignature: 'aa' }));
    expect(since({ ...expired, participants: reported })).to.equal(undefined);
  });

  it('is seen by the state machine with its times in milliseconds', () => {
    expect(viewOf(RECORD)).to.deep.equal({
      state: 'in_progress',
      participants: [
        { partyId: 'a', joined: true, reportedSignature: 'aa' },
        { partyId: 'b', joined: false, reportedSignature: null },
      ],
      threshold: 2,
      shareNeeded: false,
      shareSupplied: false,
      shareUndeliveredUntil: null,
      readyBy: Date.UTC(2026, 2, 1, 9, 31),
      expiresAt: Date.UTC(2026, 2, 1, 9, 35),
      certified: null,
      signature: '03',
    });
  });

  it('needs a share for a delegate, until it is supplied and delivered', () => {
    const delegate = { ...participant, partyId: partyIdOf('d'), reportedSignature: null };
    const participants = [...RECORD.participants, { ...delegate, shareType: 'delegate' as const }];
    const seen = (share: SessionRecord['share']) => {
      const { shareNeeded, shareSupplied, shareUndeliveredUntil, signature } = viewOf({
        ...RECORD,
        ...{ participants, share, signature: null },
      });
      return [shareNeeded, shareSupplied, shareUndeliveredUntil, signature];
    };
    expect(seen(null)).to.deep.equal([true, false, null, null]);
    expect(seen({ ...SHARE, undeliveredUntil: null, isErased: false })).to.deep.equal([
      true,
      true,
      null,
      null,
    ]);
    expect(seen({ ...SHARE, undeliveredUntil: '2026-03-01T09:33:00.000Z', isErased: false })).to.deep.equal([
      ...[true, true, Date.UTC(2026, 2, 1, 9, 33), null],
    ]);
  });

  it('is shown to users with its bytes as hexadecimal digits', () => {
    expect(sessionJson(RECORD)).to.deep.equal({
      sessionId: '018f0000-0000-7000-8000-000000000002',
      tenantId: 'acme',
      accountId: '018f0000-0000-7000-8000-000000000001',
      createdBy: 'bob',
      state: 'in_progress',
      stateVersion: 3,
      partySource: 'all_active',
      threshold: 2,
      participants: [
        { partyId: 'a', shareIndex: 1, shareType: 'server', joinedAt: CREATED },
        { partyId: 'b', shareIndex: 1, shareType: 'server', joinedAt: null },
      ],
      protocol: 'ed25519',
      messageDigest: '01'.repeat(32),
      derivationPath: [0, 1],
      publicKey: '02',
      delegateUserShare: null,
      signature: '03',
      failureReason: 'party_aborted',
      failureDetail: 'no',
      culpritPartyIds: ['b'],
      missingParties: [],
      metadata: { order: 7 },
      createdAt: CREATED,
      readyBy: '2026-03-01T09:31:00.000Z',
      expiresAt: '2026-03-01T09:35:00.000Z',
      endedAt: null,
    });
    const { publicKey, signature } = sessionJson({ ...RECORD, publicKey: null, signature: null });
    expect([publicKey, signature]).to.deep.equal([null, null]);
  });

  it('is shown to users with the receipt of a share, without its expiry', () => {
    const share = { ...SHARE, undeliveredUntil: '2026-03-01T09:33:00.000Z', isErased: false };
    expect(sessionJson({ ...RECORD, share }).delegateUserShare).to.deep.equal(SHARE);
  });

  it('is shown as ended at its deadline if it is overdue', () => {
    const overdue = { ...RECORD, effectiveState: 'expired' } as const;
    const { state, stateVersion, endedAt } = sessionJson(overdue);
    expect([state, stateVersion, endedAt]).to.deep.equal(['expired', 4, '2026-03-01T09:34:00.000Z']);
    const stored = sessionJson({ ...RECORD, state: 'expired', effectiveState: 'expired', endedAt: CREATED });
    expect([stored.stateVersion, stored.endedAt]).to.deep.equal([3, CREATED]);
  });

  it('shows its parties a result only in a final state', () => {
    const shown = (state?: SessionRecord['state']) => {
      const seen = partySession(RECORD, state);
      return [seen.state, seen.signature, seen.failureReason];
    };
    expect(shown()).to.deep.equal(['in_progress', null, null]);
    expect(shown('awaiting_parties')).to.deep.equal(['awaiting_parties', null, null]);
    for (const state of ['completed', 'failed', 'expired', 'cancelled'] as const)
      expect(shown(state)).to.deep.equal([state, Buffer.of(3), 'party_aborted']);
  });
});
