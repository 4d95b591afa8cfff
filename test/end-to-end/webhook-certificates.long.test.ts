import { expect } from 'chai';
import { SignJWT } from 'jose';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewWebhook, WebhookMessage } from '../../generated/types.js';
import { createAuthority, type Certified } from '../../examples/parties/certificates.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../support/notifications/notifications-database.js';
import { serveDbr, type ServingProcess } from '../support/service/built-service.js';
import { untilReady } from '../support/service/service.js';
import { until } from '../support/until.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const HOST = '127.0.0.1';

interface Receiver {
  readonly url: string;
  /** What has arrived: bodies behind TLS, and bytes without TLS. */
  readonly received: readonly string[];
  close(): Promise<void>;
}

async function listen(server: Server, received: readonly string[]): Promise<Receiver> {
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return {
    url: `https://${HOST}:${String((server.address() as AddressInfo).port)}/hook`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function startTlsReceiver({ certificate, key }: Certified): Promise<Receiver> {
  const received: string[] = [];
  const server = createHttpsServer({ cert: certificate, key }, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push(body);
      response.writeHead(204, { Connection: 'close' }).end();
    });
  });
  return listen(server, received);
}

/** Answers in plain HTTP whatever it is sent. */
function startPlainReceiver(): Promise<Receiver> {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.push(chunk.toString('latin1'));
      socket.end('HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n');
    });
  });
  return listen(server, received);
}

describe('webhooks of receivers with certificates', function () {
  this.timeout(60_000);
  const authority = createAuthority('authority of the operator');
  let folder: string;
  let database: NotificationsDatabase;
  let service: ServingProcess;
  let token: string;
  let receiver: Receiver;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-webhooks-'));
    await writeFile(join(folder, 'authority.pem'), authority.certificate);
    database = await createNotificationsDatabase();
    service = await serveDbr({
      DBR_AREAS: 'notifications',
      DBR_DB_URI: database.serviceUri,
      DBR_SERVICE_JWT_SECRET: SECRET,
      DBR_WEBHOOKS_ALLOWED_NETWORKS: `${HOST}/32`,
      DBR_WEBHOOKS_ATTEMPTS: '1',
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    });
    await untilReady(service);
    token = await new SignJWT({
      tenantId: 'acme',
      sub: 'admin',
      scope: 'notifications:write notifications:webhooks',
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('2h')
      .sign(new TextEncoder().encode(SECRET));
  });
  after(async () => {
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  afterEach(() => receiver.close());

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${service.url}/api/v1/notifications${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status, path).to.be.oneOf([200, 201, 204]);
    return response.status === 204 ? null : response.json();
  }

  /** Sends one message to the receiver. Returns the message after its only attempt. */
  async function attempt(): Promise<WebhookMessage> {
    const { webhookId } = (await call('POST', '/webhooks', { url: receiver.url })) as NewWebhook;
    await call('POST', '', { userIds: ['ann'], type: 'report.ready', title: 'a secret title' });
    const messages = async (): Promise<readonly WebhookMessage[]> =>
      ((await call('GET', `/webhooks/${webhookId}/messages`)) as { items: readonly WebhookMessage[] }).items;
    await until(async () => (await messages()).some(({ state }) => state !== 'waiting'));
    const [message] = await messages();
    await call('DELETE', `/webhooks/${webhookId}`);
    if (message === undefined) throw new Error('the message is gone');
    return message;
  }

  it('are sent to one whose authority NODE_EXTRA_CA_CERTS names', async () => {
    receiver = await startTlsReceiver(authority.issue(HOST));
    expect(await attempt()).to.include({ state: 'sent', status: 204, error: null });
    expect(receiver.received).to.have.length(1);
    expect(receiver.received[0]).to.contain('a secret title');
  });

  const REFUSED: readonly (readonly [string, () => Certified])[] = [
    ['expired', () => authority.issue(HOST, -1000)],
    ['of another address', () => authority.issue('127.0.0.2')],
    ['of a name', () => authority.issue('localhost')],
    ['of an unknown authority', () => createAuthority('authority of the operator').issue(HOST)],
  ];
  for (const [what, certificate] of REFUSED)
    it(`send nothing to one whose certificate is ${what}`, async () => {
      receiver = await startTlsReceiver(certificate());
      expect(await attempt()).to.include({ state: 'dead', status: null, error: 'certificate-refused' });
      expect(receiver.received).to.deep.equal([]);
    });

  it('send nothing to one that answers in plain HTTP on a port of TLS', async () => {
    receiver = await startPlainReceiver();
    expect(await attempt()).to.include({ state: 'dead', status: null, error: 'connection-failed' });
    // A handshake of TLS (RFC 8446 §5.1), and nothing of the message.
    expect(receiver.received.map((bytes) => bytes.charCodeAt(0))).to.deep.equal([22]);
    expect(receiver.received.join('')).not.to.contain('secret title').and.not.to.contain('POST');
  });
});
