/** A client of router.v1 over simulated connections: HTTP/2 of Node.js, with the frames of gRPC written and read here. */
import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2';
import { Duplex } from 'node:stream';
import { RouterService } from '../../generated/proto/router/v1/router_pb.js';
import type { End, Network } from './network.js';
import type { Random } from './random.js';

/** A method of the router. */
export interface Rpc<Input extends DescMessage, Output extends DescMessage> {
  readonly name: string;
  readonly input: Input;
  readonly output: Output;
}

/** The status of a call (https://grpc.io/docs/guides/status-codes/); null if it was lost with its connection. */
export type Status = number | null;

export interface Ended {
  readonly status: Status;
  readonly details: string;
  /** The call was not begun (RFC 9113 §8.7). */
  readonly isRefused: boolean;
}

export interface Reply<Output extends DescMessage> extends Ended {
  /** Null unless the status is 0. */
  readonly message: MessageShape<Output> | null;
}

export interface Subscription {
  readonly ended: Promise<Ended>;
  /** Reads no more until it is called with true. */
  setReading(isReading: boolean): void;
  cancel(): void;
}

export interface PartyConnection {
  readonly end: End;
  readonly isOpen: boolean;
  call<Input extends DescMessage, Output extends DescMessage>(
    method: Rpc<Input, Output>,
    request: MessageInitShape<Input>,
  ): Promise<Reply<Output>>;
  subscribe<Input extends DescMessage, Output extends DescMessage>(
    method: Rpc<Input, Output>,
    request: MessageInitShape<Input>,
    onMessage: (message: MessageShape<Output>) => void,
  ): Subscription;
  close(): void;
}

/** A simulated connection as a stream of Node.js. */
function duplexOf(
  network: Network,
  port: number,
  random: Random,
): { readonly end: End; readonly duplex: Duplex } {
  const duplex = new Duplex({
    allowHalfOpen: false,
    read: () => end.setReading(true),
    write(chunk: Buffer, _encoding, done) {
      end.write(chunk, done);
    },
    final(done) {
      end.end();
      done();
    },
    destroy(error, done) {
      end.reset();
      done(error);
    },
  });
  const end = network.open(port, random, {
    data(chunk) {
      if (!duplex.push(Buffer.from(chunk))) end.setReading(false);
      return chunk.length;
    },
    end: () => void duplex.push(null),
    reset: () => void duplex.destroy(),
  });
  return { end, duplex };
}

const HEAD_BYTES = 5;

/** Reads messages with their length (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). */
function createReader(onMessage: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let bytes = Buffer.alloc(0);
  return (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + bytes.readUInt32BE(1);
      if (bytes.length < end) return;
      onMessage(bytes.subarray(HEAD_BYTES, end));
      bytes = bytes.subarray(end);
    }
  };
}

function framed(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

interface Begun {
  readonly stream: ClientHttp2Stream;
  /** Resolves when the call has a status, or is lost. */
  readonly ended: Promise<Ended>;
}

function begin(
  session: ClientHttp2Session,
  name: string,
  token: string,
  request: Uint8Array,
  onMessage: (bytes: Buffer) => void,
): Begun {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${RouterService.typeName}/${name}`,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    authorization: `Bearer ${token}`,
  });
  let status: Status = null;
  let details = '';
  const take = (headers: IncomingHttpHeaders): void => {
    if (headers['grpc-status'] === undefined) return;
    status = Number(headers['grpc-status']);
    details = decodeURIComponent(String(headers['grpc-message'] ?? ''));
  };
  stream.on('error', () => undefined);
  stream.on('response', take);
  stream.on('trailers', take);
  stream.on('data', createReader(onMessage));
  stream.end(framed(request));
  return {
    stream,
    ended: new Promise((resolve) =>
      stream.once('close', () =>
        resolve({ status, details, isRefused: stream.rstCode === constants.NGHTTP2_REFUSED_STREAM }),
      ),
    ),
  };
}

const CLOSED: Ended = { status: null, details: 'the connection is closed', isRefused: true };

export function openParty(network: Network, port: number, random: Random, token: string): PartyConnection {
  const { end, duplex } = duplexOf(network, port, random);
  const session = connect('http://simulation', { createConnection: () => duplex });
  session.on('error', () => undefined);
  const isOpen = (): boolean => !session.destroyed && !session.closed;
  return {
    end,
    get isOpen() {
      return isOpen();
    },
    async call({ name, input, output }, request) {
      if (!isOpen()) return { ...CLOSED, message: null };
      let received: Buffer | null = null;
      const bytes = toBinary(input, create(input, request));
      const { ended } = begin(session, name, token, bytes, (message) => (received = message));
      const end = await ended;
      const isWhole = end.status === 0 && received !== null;
      return { ...end, message: isWhole ? fromBinary(output, received ?? EMPTY) : null };
    },
    subscribe({ name, input, output }, request, onMessage) {
      if (!isOpen())
        return { ended: Promise.resolve(CLOSED), setReading: () => undefined, cancel: () => undefined };
      const bytes = toBinary(input, create(input, request));
      const { stream, ended } = begin(session, name, token, bytes, (message) =>
        onMessage(fromBinary(output, message)),
      );
      return {
        ended,
        setReading: (isReading) => void (isReading ? stream.resume() : stream.pause()),
        cancel: () => stream.close(constants.NGHTTP2_CANCEL),
      };
    },
    close: () => session.destroy(),
  };
}

const EMPTY = Buffer.alloc(0);
