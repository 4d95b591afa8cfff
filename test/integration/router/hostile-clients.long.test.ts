import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import type { Certified } from '../../../examples/parties/certificates.js';
import { beginCall, message, openRaw, openSession, PROTOCOL_ERRORS } from '../../support/router/raw-http2.js';
import {
  certificateEnvironment,
  certify,
  createRouterCertificates,
  type RouterCertificates,
} from '../../support/router/router-certificates.js';
import {
  createRouterProcesses,
  type RouterProcess,
  type RouterProcesses,
} from '../../support/router/router-processes.js';

const MIB = 1_048_576;
const SEND = '/router.v1.RouterService/SendMessages';
const CHECK = '/grpc.health.v1.Health/Check';

/** Growth of memory that a hostile client may cause; without limits it is 600 MiB and more. */
const GROWTH_MIB = 200;

describe('hostile clients of a router', function () {
  this.timeout(120_000);
  let processes: RouterProcesses;
  let certificates: RouterCertificates;
  let service: RouterProcess;
  before(async () => {
    processes = await createRouterProcesses({ name: 'PostgreSQL', missing: null, bus: false });
    certificates = await createRouterCertificates();
    service = await processes.start(undefined, undefined, {
      ...certificateEnvironment(certificates),
      DBR_ROUTER_DEV_TOKENS: 'false',
      DBR_ROUTER_MAX_CONNECTIONS_PER_ADDRESS: '400',
    });
  });
  after(async () => {
    await processes.drop();
    await certificates.remove();
  });

  const tls = ({ certificate, key }: Certified) => ({
    ca: certificates.authority.certificate,
    cert: certificate,
    key,
    ALPNProtocols: ['h2'],
    servername: 'localhost',
  });

  /** The memory of the process in MiB. */
  async function residentMib(): Promise<number> {
    const text = await readFile(`/proc/${String(service.child.pid)}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1]) / 1024;
  }

  /** The number of open file descriptors of the process. */
  async function descriptors(): Promise<number> {
    return (await readdir(`/proc/${String(service.child.pid)}/fd`)).length;
  }

  /** 150 messages of nearly 4 MiB, none of which ends. */
  async function sendUnfinished(certified: Certified, path: string) {
    const before = await residentMib();
    const session = await openSession(service.port, tls(certified));
    const codes: (number | null)[] = [];
    let peak = before;
    // The same bytes for all: 600 MB of them would hold this process for longer than the service waits for its PING.
    const unfinished = message(Buffer.alloc(4 * MIB - 100), 4 * MIB);
    const calls = Array.from({ length: 150 }, async () => {
      const { stream, answered } = beginCall(session, path);
      stream.write(unfinished);
      codes.push(await answered);
    });
    const done = Promise.all(calls).then(() => true);
    for (;;) {
      const over = await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 100, false))]);
      peak = Math.max(peak, await residentMib());
      if (over === true) break;
    }
    session.destroy();
    return { codes: new Set(codes), grownMib: Math.round(peak - before) };
  }

  it('without registration occupy no memory with messages that never end', async () => {
    const { codes, grownMib } = await sendUnfinished(certificates.authority.issue('stranger'), SEND);
    expect(codes).to.deep.equal(new Set([status.UNAUTHENTICATED]));
    expect(grownMib).to.be.lessThan(GROWTH_MIB);
  });

  it('without registration occupy little memory with messages to the health service', async () => {
    const { codes, grownMib } = await sendUnfinished(certificates.authority.issue('stranger'), CHECK);
    expect([...codes]).to.include(status.RESOURCE_EXHAUSTED);
    expect(grownMib).to.be.lessThan(GROWTH_MIB);
  });

  it('that are parties occupy little memory', async () => {
    const issued = certificates.authority.issue('node-a');
    await certify(processes.fixture, processes.fixture.parties[0], issued);
    const { codes, grownMib } = await sendUnfinished(issued, SEND);
    expect([...codes]).to.include(status.RESOURCE_EXHAUSTED);
    expect(grownMib).to.be.lessThan(GROWTH_MIB);
  });

  it('leave no connection open after a protocol error', async function () {
    // Less than the 30 s after which grpc-js ends a connection that answers no PING.
    this.timeout(120_000);
    const connection = tls(certificates.authority.issue('stranger'));
    const before = await descriptors();
    for (const bytes of PROTOCOL_ERRORS.values()) {
      const sockets = await Promise.all(Array.from({ length: 50 }, () => openRaw(service.port, connection)));
      for (const socket of sockets) socket.end(bytes);
    }
    // The number of connections to the database varies by one or two.
    while ((await descriptors()) > before + 10) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
