import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { createAuthority } from '../../../examples/parties/certificates.js';
import type { PartyRegistry } from '../../../src/signing/router-port.js';
import { createRouterProcesses } from '../../support/router/router-processes.js';
import { beginCall, message, openRaw, openSession } from '../../support/router/raw-http2.js';
import {
  certificateEnvironment,
  certify,
  connectWithCertificate,
  createRouterCertificates,
  type RouterCertificates,
} from '../../support/router/router-certificates.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { until } from '../../support/until.js';
import { hostRouter, refusal, type RouterHost } from '../../support/router/router-host.js';

const EXPIRED = [
  status.UNAUTHENTICATED,
  'the certificate or the token has expired: connect again with another',
];
const UNKNOWN = [status.UNAUTHENTICATED, 'no known party'];
const HEARTBEAT = '/router.v1.RouterService/Heartbeat';
const SEND = '/router.v1.RouterService/SendMessages';
const MIB = 1_048_576;

describe('a router with certificates', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let certificates: RouterCertificates;
  let host: RouterHost;
  let asked = 0;
  before(async () => {
    fixture = await createRouterFixture();
    certificates = await createRouterCertificates();
    const parties: PartyRegistry = {
      ...fixture.signing.parties,
      byCertificate(sha256) {
        asked += 1;
        return fixture.signing.parties.byCertificate(sha256);
      },
    };
    host = await hostRouter(
      { ...fixture, signing: { ...fixture.signing, parties } },
      { ...certificates.settings, 'router-dev-tokens': false },
    );
  });
  after(async () => {
    await host.stop();
    await certificates.remove();
    await fixture.drop();
  });

  const clientTls = (issued = certificates.authority.issue('stranger')) => ({
    ca: certificates.authority.certificate,
    cert: issued.certificate,
    key: issued.key,
    ALPNProtocols: ['h2'],
  });
  const shownCertificate = async (): Promise<string> => {
    const socket = connect({
      ...clientTls(),
      port: host.router.port,
      host: '127.0.0.1',
      servername: 'localhost',
    });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };

  it('knows a party by the certificate that is registered', async () => {
    const issued = certificates.authority.issue('node-a');
    await certify(fixture, fixture.parties[0], issued);
    const client = connectWithCertificate(host.router.port, certificates.authority, issued);
    expect((await client.heartbeat({ instanceId: 'i' })).draining).to.equal(false);
    client.close();
  });

  it('accepts TLS 1.3 and no older version', async () => {
    const at = { ...clientTls(), port: host.router.port, host: '127.0.0.1', servername: 'localhost' };
    const current = connect(at);
    await once(current, 'secureConnect');
    expect(current.getProtocol()).to.equal('TLSv1.3');
    current.destroy();
    const older: TLSSocket = connect({ ...at, maxVersion: 'TLSv1.2' });
    const [error] = (await once(older, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });

  it('rejects clients with a certificate of another authority', async () => {
    const issued = createAuthority('elsewhere').issue('node-a');
    const client = connectWithCertificate(host.router.port, certificates.authority, issued);
    expect((await refusal(client.heartbeat({ instanceId: 'i' })))[0]).to.equal(status.UNAVAILABLE);
    client.close();
  });

  it('refuses an unregistered client before its message arrives, with few queries for many calls', async () => {
    const session = await openSession(host.router.port, clientTls());
    const before = asked;
    const calls = Array.from({ length: 100 }, () => beginCall(session, SEND));
    for (const { stream } of calls) stream.write(message(Buffer.alloc(16 * 1024), 4 * MIB));
    const codes = await Promise.all(calls.map(({ answered }) => answered));
    expect(new Set(codes)).to.deep.equal(new Set([status.UNAUTHENTICATED]));
    // Calls that arrive while a query runs share it.
    expect(asked - before).to.be.within(1, 10);
    session.destroy();
  });

  it('allows at most 200 concurrent calls on a connection', async () => {
    const session = await openSession(host.router.port, clientTls());
    if (session.remoteSettings.maxConcurrentStreams === undefined) await once(session, 'remoteSettings');
    expect(session.remoteSettings.maxConcurrentStreams).to.equal(200);
    session.destroy();
  });

  it('ends calls and streams of a connection when its certificate expires', async () => {
    const issued = certificates.authority.issue('node-a', 3000);
    await certify(fixture, fixture.parties[2], issued);
    const client = connectWithCertificate(host.router.port, certificates.authority, issued);
    await until(async () => (await client.heartbeat({ instanceId: 'i' }).catch(() => null)) !== null);
    const streams = [
      client.subscribeSessionEvents({ instanceId: 'i' }),
      client.subscribeMailbox({ instanceId: 'i' }),
    ].map(async (stream) => {
      for await (const item of stream) expect(item).to.be.an('object');
    });
    for (const stream of streams) expect(await refusal(stream)).to.deep.equal(EXPIRED);
    expect(await refusal(client.heartbeat({ instanceId: 'i' }))).to.deep.equal(EXPIRED);
    expect(host.router.openStreams).to.equal(0);
    client.close();
  });

  it('refuses the 101st stream of a connection, and has room for other calls @long', async () => {
    const issued = certificates.authority.issue('node-a');
    await certify(fixture, fixture.parties[0], issued);
    const client = connectWithCertificate(host.router.port, certificates.authority, issued);
    await until(async () => (await client.heartbeat({ instanceId: 'i' }).catch(() => null)) !== null);
    const gone = new AbortController();
    const sessions: string[] = [];
    while (sessions.length < 101)
      sessions.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => fixture.startSession()))).map(
          ({ sessionId }) => sessionId,
        ),
      );
    let ended = 0;
    const subscribe = async (sessionId: string): Promise<void> => {
      const { signal } = gone;
      const stream = client.subscribeMessages({ sessionId, instanceId: 'i' }, { signal });
      try {
        for await (const item of stream) expect(item).to.be.an('object');
      } finally {
        ended += 1;
      }
    };
    const open = sessions.slice(0, 100).map((sessionId) => subscribe(sessionId).catch(() => undefined));
    await until(() => host.router.openStreams === 100);
    expect(await refusal(subscribe(sessions[100] ?? ''))).to.deep.equal([
      status.RESOURCE_EXHAUSTED,
      'at most 100 open streams on a connection: open another one, or use SubscribeMailbox',
    ]);
    expect((await client.heartbeat({ instanceId: 'i' })).draining).to.equal(false);
    expect(ended).to.equal(1);
    gone.abort();
    await Promise.all(open);
    await until(() => host.router.openStreams === 0);
    const again = new AbortController();
    const resumed = client.subscribeMessages(
      { sessionId: sessions[100] ?? '', instanceId: 'i' },
      { signal: again.signal },
    );
    const first = resumed[Symbol.asyncIterator]().next();
    await until(() => host.router.openStreams === 1);
    again.abort();
    await first.catch(() => undefined);
    client.close();
  });

  it('accepts a certificate soon after its registration', async () => {
    const issued = certificates.authority.issue('late');
    const client = connectWithCertificate(host.router.port, certificates.authority, issued);
    expect(await refusal(client.heartbeat({ instanceId: 'i' }))).to.deep.equal(UNKNOWN);
    await certify(fixture, fixture.parties[1], issued);
    for (;;) {
      const known = await client.heartbeat({ instanceId: 'i' }).catch(() => null);
      if (known !== null) break;
    }
    client.close();
  });

  it('presents the reloaded certificate, and keeps the old one when the files are invalid', async () => {
    const first = await shownCertificate();
    await certificates.renew();
    expect(await shownCertificate()).to.equal(first);
    await host.router.reloadCredentials();
    const second = await shownCertificate();
    expect(second).to.not.equal(first);
    const { certificate } = createAuthority('no key of it');
    await certificates.spoil(certificate);
    await host.router.reloadCredentials();
    expect(await shownCertificate()).to.equal(second);
    await certificates.renew();
  });

  it('requests but does not require a client certificate where tokens are accepted', async () => {
    const issued = certificates.authority.issue('node-c');
    const [, , party] = fixture.parties;
    await certify(fixture, party, issued);
    const lenient = await hostRouter(fixture, certificates.settings);
    const withCertificate = connectWithCertificate(lenient.router.port, certificates.authority, issued);
    expect((await withCertificate.heartbeat({ instanceId: 'i' })).draining).to.equal(false);
    withCertificate.close();
    const { ca } = clientTls();
    const session = await openSession(lenient.router.port, { ca });
    const without = beginCall(session, HEARTBEAT);
    without.stream.end(message(Buffer.alloc(0)));
    expect(await without.answered).to.equal(status.UNAUTHENTICATED);
    session.destroy();
    await lenient.stop();
  });
});

describe('a process with a router', function () {
  this.timeout(120_000);

  it('reads the certificate files again at SIGUSR2 @long', async () => {
    const processes = await createRouterProcesses({ name: 'PostgreSQL', missing: null, bus: false });
    const certificates = await createRouterCertificates();
    const { port, child } = await processes.start(undefined, undefined, certificateEnvironment(certificates));
    const issued = certificates.authority.issue('node-a');
    const at = {
      ...{ ca: certificates.authority.certificate, cert: issued.certificate, key: issued.key },
      ...{ ALPNProtocols: ['h2'], port, host: '127.0.0.1', servername: 'localhost' },
    };
    const shown = async (): Promise<string> => {
      const socket = connect(at);
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const first = await shown();
    await certificates.renew();
    child.kill('SIGUSR2');
    while ((await shown()) === first) continue;
    await processes.drop();
    await certificates.remove();
  });
});

describe('the connections of a router', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  before(async () => {
    fixture = await createRouterFixture();
  });
  after(() => fixture.drop());

  for (const setting of ['router-max-connections', 'router-max-connections-per-address'] as const)
    it(`are limited by ${setting}, and one that ends makes room`, async () => {
      const host = await hostRouter(fixture, { [setting]: 2 });
      const { port } = host.router;
      const first = await openRaw(port);
      const second = await openRaw(port);
      const third = connectPlain(port);
      expect(await third).to.equal('refused');
      first.destroy();
      while ((await connectPlain(port)) === 'refused') continue;
      second.destroy();
      await host.stop();
    });
});

/** Whether the router accepts an HTTP/2 connection. */
function connectPlain(port: number): Promise<'taken' | 'refused'> {
  return openRaw(port).then(
    (socket) => {
      socket.destroy();
      return 'taken';
    },
    () => 'refused',
  );
}
