import { credentials, Client, type ClientDuplexStream, type MethodDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { expect } from 'chai';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { hostRouter, type RouterHost } from '../../support/router/router-host.js';

const PROTOS = join(dirname(createRequire(import.meta.url).resolve('@grpc/reflection')), '..', 'proto');

interface Reply {
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Buffer[] };
  readonly errorResponse?: { readonly errorCode: number };
}

type Method = MethodDefinition<object, Reply>;

/** The method of one version, from the protocol that the library publishes. */
function methodOf(version: string): Method {
  const name = `grpc.reflection.${version}.ServerReflection`;
  const loaded = loadSync(join(PROTOS, 'grpc', 'reflection', version, 'reflection.proto'));
  const service = loaded[name] as unknown as Readonly<Record<string, Method>>;
  const method = service['ServerReflectionInfo'];
  if (method === undefined) throw new Error(`${name} has no method`);
  return method;
}

describe('the reflection of the router', function () {
  this.timeout(20_000);
  let fixture: RouterFixture;
  let host: RouterHost;
  let client: Client;
  before(async () => {
    fixture = await createRouterFixture();
    host = await hostRouter(fixture);
    client = new Client(`127.0.0.1:${String(host.router.port)}`, credentials.createInsecure());
  });
  after(async () => {
    client.close();
    await host.stop();
    await fixture.drop();
  });

  const open = ({ path, requestSerialize, responseDeserialize }: Method): ClientDuplexStream<object, Reply> =>
    client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);

  /** Sends the requests at once, and returns the responses in their order. */
  async function ask(version: string, ...requests: readonly object[]): Promise<readonly Reply[]> {
    const stream = open(methodOf(version));
    for (const request of requests) stream.write(request);
    stream.end();
    const replies: Reply[] = [];
    for await (const reply of stream) replies.push(reply as Reply);
    return replies;
  }

  for (const version of ['v1', 'v1alpha']) {
    it(`lists the services and finds their files, as ${version}`, async () => {
      const [services, file, missing] = await ask(
        version,
        { listServices: '' },
        { fileContainingSymbol: 'router.v1.RouterService' },
        { fileContainingSymbol: 'router.v1.Missing' },
      );
      expect(services?.listServicesResponse?.service.map(({ name }) => name)).to.include(
        'router.v1.RouterService',
      );
      const [descriptor] = file?.fileDescriptorResponse?.fileDescriptorProto ?? [];
      expect(descriptor?.toString('latin1')).to.include('SubscribeMailbox');
      expect(missing?.errorResponse?.errorCode).to.equal(5);
    });
  }

  it('refuses a request that cannot be decoded, and serves the next', async () => {
    const method = methodOf('v1');
    const stream = open({ ...method, requestSerialize: () => Buffer.from([0xff]) });
    const failed = once(stream, 'error');
    stream.on('data', () => undefined);
    stream.write({});
    stream.end();
    const [error] = (await failed) as [{ readonly code: number }];
    expect(error.code).to.equal(13);
    expect(await ask('v1', { listServices: '' })).to.have.length(1);
  });
});
