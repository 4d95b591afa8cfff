import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { randomUUID, sign } from 'node:crypto';
import { createAuthority } from '../../../examples/parties/certificates.js';
import { deal } from '../../../examples/parties/demonstration/dealer.js';
import { startSigning } from '../../../examples/parties/frost.js';
import { connectParty, openParty, type Party } from '../../../examples/parties/party.js';
import { ProtocolFault } from '../../../examples/parties/protocol-fault.js';
import {
  commitmentMessage,
  echoOf,
  readMessage,
  shareMessage,
} from '../../../examples/parties/round-messages.js';
import { envelopeStatement } from '../../../examples/parties/signed-bytes.js';
import {
  EnvelopeSchema,
  SessionSchema,
  type Envelope,
  type Session,
} from '../../../generated/proto/router/v1/router_pb.js';

const HOLDERS = [
  { partyId: 'a', shareIndex: 1, role: 'server' },
  { partyId: 'b', shareIndex: 2, role: 'server' },
  { partyId: 'c', shareIndex: 3, role: 'server' },
] as const;

describe('messages of the two rounds', () => {
  const session = create(SessionSchema, {
    sessionId: randomUUID(),
    participants: [
      { partyId: 'a', shareIndex: 1 },
      { partyId: 'b', shareIndex: 2 },
    ],
  });
  let a: Party, b: Party, c: Party;
  before(async () => {
    const { parties } = await deal(createAuthority('authority'), 2, HOLDERS);
    const opened = await Promise.all(
      parties.map(({ file }) => {
        const complete = { ...file, router: 'localhost:1', policy: null };
        return openParty(complete, connectParty(complete));
      }),
    );
    const [first, second, third] = opened;
    if (first === undefined || second === undefined || third === undefined) throw new Error('too few');
    [a, b, c] = [first, second, third];
  });
  after(() => {
    for (const { router } of [a, b, c]) router.close();
  });

  /** The message as the router delivers it. */
  function envelope(sender: Party, more: Partial<MessageInitShape<typeof EnvelopeSchema>>): Envelope {
    const content = {
      sessionId: session.sessionId,
      messageId: randomUUID(),
      fromPartyId: sender.partyId,
      toPartyIds: [],
      round: 1,
      senderSequence: 1n,
      payload: commitmentOf(sender),
      ...more,
    };
    const signature = sign(null, envelopeStatement(content), sender.identityKey);
    return create(EnvelopeSchema, { ...content, signature });
  }

  function commitmentOf({ share, publicPackage }: Party): Uint8Array {
    if (share.kind !== 'held') throw new Error('no share');
    return startSigning(publicPackage, share.secret, session.participants, new Uint8Array(32)).commitment;
  }

  async function refusal(reader: Party, of: Session, read: Envelope): Promise<readonly unknown[]> {
    try {
      await readMessage(reader, of, read);
    } catch (error) {
      if (error instanceof ProtocolFault) return [error.message, error.culprits];
      throw error;
    }
    return ['read', []];
  }

  it('are read as they were sent', async () => {
    const commitment = commitmentOf(a);
    const first = envelope(a, { ...commitmentMessage(commitment), toPartyIds: [] });
    expect(await readMessage(b, session, first)).to.deep.equal({
      round: 'commitment',
      from: 'a',
      commitment,
    });
    const echo = Buffer.alloc(32, 1);
    const signatureShare = Buffer.alloc(32, 2);
    const { round, payload } = await shareMessage(a, session.sessionId, 'b', echo, signatureShare);
    const message = await readMessage(b, session, envelope(a, { round, payload, toPartyIds: ['b'] }));
    if (message.round !== 'share') throw new Error(message.round);
    expect([Buffer.from(message.echo), Buffer.from(message.signatureShare)]).to.deep.equal([
      echo,
      signatureShare,
    ]);
    expect(Buffer.from(payload).includes(signatureShare), 'in the clear').to.equal(false);
  });

  it('are refused without blame if they are unsigned or signed by another party', async () => {
    const good = envelope(a, {});
    const unsigned = ['a message that a did not sign', []];
    expect(await refusal(b, session, good)).to.deep.equal(['read', []]);
    for (const changed of [
      { signature: new Uint8Array() },
      { signature: new Uint8Array(64) },
      { signature: envelope(c, { messageId: good.messageId }).signature },
      { messageId: randomUUID() },
      { round: 2 },
      { senderSequence: 2n },
      { toPartyIds: ['b'] },
      { payload: commitmentOf(a) },
    ])
      expect(await refusal(b, session, { ...good, ...changed })).to.deep.equal(unsigned);
    const elsewhere = envelope(a, { sessionId: randomUUID() });
    expect(await refusal(b, session, elsewhere)).to.deep.equal(unsigned);
  });

  it('are refused without blame if the router brings them to another recipient', async () => {
    const share = envelope(a, { round: 2, toPartyIds: ['c'], payload: Buffer.alloc(96) });
    expect(await refusal(b, session, share)).to.deep.equal(['a message of a for another recipient', []]);
  });

  it('are refused from holders who take no part, and from oneself', async () => {
    expect(await refusal(b, session, envelope(c, {}))).to.deep.equal([
      'a message of c, who takes no part',
      [],
    ]);
    expect(await refusal(b, session, envelope(b, {}))).to.deep.equal([
      'a message of b, who takes no part',
      [],
    ]);
  });

  it('cannot be opened by others, in other sessions, or under another sender', async () => {
    const malformed = ['a sent what is no message of the protocol', ['a']];
    for (const [sender, sessionId, to] of [
      [a, session.sessionId, 'c'],
      [a, randomUUID(), 'b'],
      [c, session.sessionId, 'b'],
    ] as const) {
      const { payload } = await shareMessage(sender, sessionId, to, Buffer.alloc(32), Buffer.alloc(32));
      const sent = envelope(a, { round: 2, toPartyIds: ['b'], payload });
      expect(await refusal(b, session, sent)).to.deep.equal(malformed);
    }
  });

  it('have equal echoes for equal commitments in any order', () => {
    const [one, two] = [commitmentOf(a), commitmentOf(b)];
    const signers = [...session.participants];
    const echo = echoOf(
      signers,
      new Map([
        ['a', one],
        ['b', two],
      ]),
    );
    const again = echoOf(
      signers.toReversed(),
      new Map([
        ['b', two],
        ['a', one],
      ]),
    );
    expect(again).to.deep.equal(echo);
    expect(
      echoOf(
        signers,
        new Map([
          ['a', two],
          ['b', one],
        ]),
      ),
    ).to.not.deep.equal(echo);
  });
});
