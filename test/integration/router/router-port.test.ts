import { credentials, loadPackageDefinition, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { expect } from 'chai';
import { protoPath } from 'grpc-health-check';
import { openRouterPort, type RouterPort } from '../../../src/router/router-port.js';

interface HealthClient {
  check(
    request: { service: string },
    done: (error: ServiceError | null, answer?: { status: string }) => void,
  ): void;
  close(): void;
}

function healthClient(port: number): HealthClient {
  const definition = loadPackageDefinition(loadSync(protoPath, { enums: String })) as unknown as {
    grpc: { health: { v1: { Health: new (address: string, credentials: unknown) => HealthClient } } };
  };
  return new definition.grpc.health.v1.Health(`127.0.0.1:${port}`, credentials.createInsecure());
}

const check = (client: HealthClient, service: string): Promise<string> =>
  new Promise((resolve, reject) =>
    client.check({ service }, (error, answer) =>
      error === null ? resolve(answer?.status ?? '') : reject(error),
    ),
  );

describe('the router port', () => {
  let port: RouterPort;
  let client: HealthClient;

  before(async () => {
    port = await openRouterPort({ host: '127.0.0.1', port: 0, reflection: true });
    client = healthClient(port.port);
  });
  after(async () => {
    client.close();
    await port.stop(1000);
  });

  it('says that it serves', async () => {
    expect(await check(client, '')).to.equal('SERVING');
  });

  it('says when a port is taken', async () => {
    const second = await openRouterPort({ host: '127.0.0.1', port: port.port, reflection: false }).catch(
      (error: unknown) => error,
    );
    expect(second).to.be.instanceOf(Error);
  });
});
