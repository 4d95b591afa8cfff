/** A client of the router: a connection that shows who calls, and a typed call for each method. */
import { create, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import {
  Client,
  credentials,
  Metadata,
  type CallOptions,
  type ChannelCredentials,
  type ClientOptions,
} from '@grpc/grpc-js';
import { SignJWT } from 'jose';
import type { KeyObject } from 'node:crypto';
import { RouterService } from '../../generated/proto/router/v1/router_pb.js';
import { serviceDefinition } from '../../src/router/typed-service.js';

type Call<Method extends GenServiceMethods[string]> = Method['methodKind'] extends 'unary'
  ? (
      request: MessageInitShape<Method['input']>,
      options?: CallOptions,
    ) => Promise<MessageShape<Method['output']>>
  : (
      request: MessageInitShape<Method['input']>,
      options?: { readonly signal?: AbortSignal },
    ) => AsyncIterable<MessageShape<Method['output']>>;

type Calls<Service> =
  Service extends GenService<infer Methods extends GenServiceMethods>
    ? { readonly [Name in keyof Methods]: Call<Methods[Name]> }
    : never;

export interface RouterClient extends Calls<typeof RouterService> {
  readonly channel: Client;
  close(): void;
}

export interface ClientCredentials {
  readonly channel: ChannelCredentials;
  /** What each call carries, such as a token. */
  readonly metadata: () => Promise<Metadata>;
}

/** The party's certificate, as production wants it. All in PEM. */
export const certificateCredentials = (files: {
  readonly authority: Buffer;
  readonly certificate: Buffer;
  readonly key: Buffer;
}): ClientCredentials => ({
  channel: credentials.createSsl(files.authority, files.key, files.certificate),
  metadata: () => Promise.resolve(new Metadata()),
});

const TOKEN_SECONDS = 300;

/** For development: a short-lived token that the party's identity key signs. */
export const tokenCredentials = (
  tenantId: string,
  partyId: string,
  identityKey: KeyObject,
): ClientCredentials => ({
  channel: credentials.createInsecure(),
  async metadata() {
    const token = await new SignJWT({ tenantId })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setSubject(partyId)
      .setAudience('router.v1')
      .setExpirationTime(`${String(TOKEN_SECONDS)}s`)
      .sign(identityKey);
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    return metadata;
  },
});

/** @param address `host:port` */
export function connectRouter(
  address: string,
  who: ClientCredentials,
  options: ClientOptions = {},
): RouterClient {
  const channel = new Client(address, who.channel, options);
  const definition = serviceDefinition(RouterService);

  const unary =
    <Name extends keyof typeof RouterService.method>(name: Name) =>
    async (
      request: MessageInitShape<(typeof RouterService.method)[Name]['input']>,
      callOptions: CallOptions = {},
    ): Promise<MessageShape<(typeof RouterService.method)[Name]['output']>> => {
      const { path, requestSerialize, responseDeserialize } = methodOf(name);
      const metadata = await who.metadata();
      const message = create(RouterService.method[name].input, request);
      return await new Promise((resolve, reject) => {
        channel.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          message,
          metadata,
          callOptions,
          (error, response) => {
            if (error !== null) reject(error);
            else resolve(response as MessageShape<(typeof RouterService.method)[Name]['output']>);
          },
        );
      });
    };

  const stream = <Name extends keyof typeof RouterService.method>(name: Name) =>
    async function* (
      request: MessageInitShape<(typeof RouterService.method)[Name]['input']>,
      { signal }: { readonly signal?: AbortSignal } = {},
    ): AsyncGenerator<MessageShape<(typeof RouterService.method)[Name]['output']>> {
      const { path, requestSerialize, responseDeserialize } = methodOf(name);
      const message = create(RouterService.method[name].input, request);
      const metadata = await who.metadata();
      const call = channel.makeServerStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        message,
        metadata,
      );
      const cancel = (): void => call.cancel();
      if (signal?.aborted === true) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        for await (const item of call)
          yield item as MessageShape<(typeof RouterService.method)[Name]['output']>;
      } finally {
        signal?.removeEventListener('abort', cancel);
        cancel();
      }
    };

  function methodOf(name: keyof typeof RouterService.method) {
    const method = definition[name];
    if (method === undefined) throw new Error(`router.v1 has no ${name}`);
    return method;
  }

  return {
    channel,
    registerParty: unary('registerParty'),
    heartbeat: unary('heartbeat'),
    subscribeSessionEvents: stream('subscribeSessionEvents'),
    joinSession: unary('joinSession'),
    sendMessages: unary('sendMessages'),
    subscribeMessages: stream('subscribeMessages'),
    subscribeMailbox: stream('subscribeMailbox'),
    ackMessages: unary('ackMessages'),
    reportResult: unary('reportResult'),
    close: () => channel.close(),
  };
}
