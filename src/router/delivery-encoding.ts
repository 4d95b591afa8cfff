/**
 * Encodes pages of deliveries (https://protobuf.dev/programming-guides/encoding/). Deliveries are most of what the router
 * sends: their exact size is computed first, and each byte is written once.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  DeliverySchema,
  EnvelopeSchema,
  SubscribeMailboxResponseSchema,
  SubscribeMessagesResponseSchema,
} from '../../generated/proto/router/v1/router_pb.js';

type Delivery = MessageInitShape<typeof DeliverySchema>;
type Envelope = MessageInitShape<typeof EnvelopeSchema>;
type MailboxPage = MessageInitShape<typeof SubscribeMailboxResponseSchema>;
type MessagesPage = MessageInitShape<typeof SubscribeMessagesResponseSchema>;
type SentAt = NonNullable<Envelope['sentAt']>;

/** The bytes, and the place of the next one. */
interface Target {
  readonly bytes: Buffer;
  at: number;
}

const NO_BYTES = new Uint8Array();
const NO_TEXTS: readonly string[] = [];

/** The bytes of a `SubscribeMessagesResponse`. */
export const encodeMessagesPage = ({ deliveries = [], closedWith = 0 }: MessagesPage): Buffer =>
  encodePage({ sessionId: '', deliveries, closedWith, deliveriesField: 1, closedWithField: 2 });

/** The bytes of a `SubscribeMailboxResponse`. */
export const encodeMailboxPage = ({ sessionId = '', deliveries = [], closedWith = 0 }: MailboxPage): Buffer =>
  encodePage({ sessionId, deliveries, closedWith, deliveriesField: 2, closedWithField: 3 });

interface Page {
  /** Field 1, if it is not empty. */
  readonly sessionId: string;
  readonly deliveries: readonly Delivery[];
  readonly closedWith: number;
  readonly deliveriesField: number;
  readonly closedWithField: number;
}

function encodePage({ sessionId, deliveries, closedWith, deliveriesField, closedWithField }: Page): Buffer {
  const envelopes = deliveries.map(({ envelope = {} }) => envelopeSize(envelope));
  const sizes = deliveries.map((delivery, index) => deliverySize(delivery, envelopes[index] ?? 0));
  const size = sizes.reduce((sum, one) => sum + lengthAndTag(one), 0);
  const target: Target = {
    bytes: Buffer.allocUnsafe(textSize(sessionId) + size + numberSize(closedWith)),
    at: 0,
  };
  putText(target, 1, sessionId);
  deliveries.forEach(({ sequence = 0n, envelope = {}, redeliveryCount = 0 }, index) => {
    putLength(target, deliveriesField, sizes[index] ?? 0);
    putNumber(target, 1, Number(sequence));
    putLength(target, 2, envelopes[index] ?? 0);
    putEnvelope(target, envelope);
    putNumber(target, 3, redeliveryCount);
  });
  putNumber(target, closedWithField, closedWith);
  return target.bytes;
}

const deliverySize = ({ sequence = 0n, redeliveryCount = 0 }: Delivery, envelope: number): number =>
  numberSize(Number(sequence)) + lengthAndTag(envelope) + numberSize(redeliveryCount);

function envelopeSize(envelope: Envelope): number {
  const { sessionId = '', messageId = '', fromPartyId = '', toPartyIds = NO_TEXTS, round = 0 } = envelope;
  const { senderSequence = 0n, payload = NO_BYTES, signature = NO_BYTES, sentAt } = envelope;
  let size = textSize(sessionId) + textSize(messageId) + textSize(fromPartyId);
  for (const partyId of toPartyIds) size += lengthAndTag(Buffer.byteLength(partyId));
  size += numberSize(round) + numberSize(Number(senderSequence)) + bytesSize(payload) + bytesSize(signature);
  return sentAt === undefined ? size : size + lengthAndTag(timeSize(sentAt));
}

function putEnvelope(target: Target, envelope: Envelope): void {
  const { sessionId = '', messageId = '', fromPartyId = '', toPartyIds = NO_TEXTS, round = 0 } = envelope;
  const { senderSequence = 0n, payload = NO_BYTES, signature = NO_BYTES, sentAt } = envelope;
  putText(target, 1, sessionId);
  putText(target, 2, messageId);
  putText(target, 3, fromPartyId);
  for (const partyId of toPartyIds) {
    putLength(target, 4, Buffer.byteLength(partyId));
    target.at += target.bytes.write(partyId, target.at);
  }
  putNumber(target, 5, round);
  putNumber(target, 6, Number(senderSequence));
  putBytes(target, 7, payload);
  putBytes(target, 8, signature);
  if (sentAt === undefined) return;
  putLength(target, 9, timeSize(sentAt));
  putNumber(target, 1, Number(sentAt.seconds ?? 0n));
  putNumber(target, 2, sentAt.nanos ?? 0);
}

const timeSize = ({ seconds = 0n, nanos = 0 }: SentAt): number =>
  numberSize(Number(seconds)) + numberSize(nanos);

/** The tag of each field takes one byte, since its number is below 16. Fields with the default value are not sent. */
const numberSize = (value: number): number => (value === 0 ? 0 : 1 + varintSize(value));
const lengthAndTag = (length: number): number => 1 + varintSize(length) + length;
const bytesSize = ({ length }: Uint8Array): number => (length === 0 ? 0 : lengthAndTag(length));
const textSize = (text: string): number => (text === '' ? 0 : lengthAndTag(Buffer.byteLength(text)));

/** @param value not negative */
function varintSize(value: number): number {
  let size = 1;
  for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) size += 1;
  return size;
}

function putVarint(target: Target, value: number): void {
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) target.bytes[target.at++] = (left % 0x80) + 0x80;
  target.bytes[target.at++] = left;
}

const [VARINT, LENGTH_DELIMITED] = [0, 2] as const;

function putNumber(target: Target, field: number, value: number): void {
  if (value === 0) return;
  target.bytes[target.at++] = (field << 3) + VARINT;
  putVarint(target, value);
}

function putLength(target: Target, field: number, length: number): void {
  target.bytes[target.at++] = (field << 3) + LENGTH_DELIMITED;
  putVarint(target, length);
}

function putBytes(target: Target, field: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  putLength(target, field, bytes.length);
  target.bytes.set(bytes, target.at);
  target.at += bytes.length;
}

function putText(target: Target, field: number, text: string): void {
  if (text === '') return;
  putLength(target, field, Buffer.byteLength(text));
  target.at += target.bytes.write(text, target.at);
}
