import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import {
  SessionState,
  SubscribeMailboxResponseSchema,
  SubscribeMessagesResponseSchema,
  type DeliverySchema,
} from '../../../generated/proto/router/v1/router_pb.js';
import { encodeMailboxPage, encodeMessagesPage } from '../../../src/router/delivery-encoding.js';

const pick = <Value>(values: readonly Value[]): Value => {
  const value = values[randomInt(values.length)];
  if (value === undefined) throw new Error('nothing to pick');
  return value;
};
const number = (): number => pick([0, 1, 127, 128, 16_383, 16_384, 2 ** 31 - 1, randomInt(2 ** 31)]);
const long = (): bigint => pick([0n, 1n, 127n, 128n, 2n ** 32n, BigInt(Number.MAX_SAFE_INTEGER)]);
const text = (): string => pick(['', 'node-a', randomUUID(), 'é€𐍈', 'x'.repeat(randomInt(300))]);
const bytes = (): Uint8Array => randomBytes(pick([0, 1, 64, 127, 128, 2048, 20_000]));

const delivery = (): MessageInitShape<typeof DeliverySchema> => ({
  sequence: long(),
  redeliveryCount: number(),
  envelope: {
    ...{ sessionId: text(), messageId: text(), fromPartyId: text() },
    toPartyIds: Array.from({ length: randomInt(4) }, text),
    ...{ round: number(), senderSequence: long(), payload: bytes(), signature: bytes() },
    ...pick([{}, { sentAt: { seconds: long(), nanos: randomInt(1_000_000_000) } }]),
  },
});

describe('the encoding of deliveries', () => {
  it('is that of the protobuf runtime', () => {
    for (let count = 0; count < 500; count += 1) {
      const page = {
        ...pick([{}, { deliveries: Array.from({ length: randomInt(4) }, delivery) }]),
        ...pick([{}, { closedWith: SessionState.COMPLETED }]),
      };
      expect(encodeMessagesPage(page).toString('hex')).to.equal(
        hex(toBinary(SubscribeMessagesResponseSchema, create(SubscribeMessagesResponseSchema, page))),
      );
      const ofSession = { ...page, sessionId: text() };
      expect(encodeMailboxPage(ofSession).toString('hex')).to.equal(
        hex(toBinary(SubscribeMailboxResponseSchema, create(SubscribeMailboxResponseSchema, ofSession))),
      );
    }
  });
});

const hex = (found: Uint8Array): string => Buffer.from(found).toString('hex');
