/** Checks of what is reached over the network: ports of this machine, the bus, key sets of issuers. */
import { createConnection, createServer } from 'node:net';
import { addressForLogs, type KeyAddress, loadKeySet, readBusAddress } from '../../../../src/face.js';
import { fault, ok, reasonOf, warning, type Check } from './check.js';

export interface PortToCheck {
  readonly setting: string;
  readonly hostSetting: string;
  readonly host: string;
  readonly port: number;
}

/** Whether the ports can be opened. @param readyUrl of the admin port, which a running dbr answers */
export async function checkPorts(
  ports: readonly PortToCheck[],
  readyUrl: string | null,
): Promise<readonly Check[]> {
  const errors = await Promise.all(ports.map(listenError));
  const isRunning = errors.includes('EADDRINUSE') && readyUrl !== null && (await answersAsDbr(readyUrl));
  return ports.map((port, index) => portCheck(port, errors[index] ?? null, isRunning));
}

function portCheck(
  { setting, hostSetting, host, port }: PortToCheck,
  code: string | null,
  isRunning: boolean,
): Check {
  const where = `${String(port)} at ${host}`;
  if (port === 0) return ok(setting, '0 takes a free port');
  if (code === null) return ok(setting, `${where} is free`);
  if (code === 'EADDRINUSE')
    return isRunning
      ? ok(setting, `${where} is in use; a dbr runs here`)
      : fault(setting, `another process listens on ${where}`, `stop that process, or set ${setting}`);
  if (code === 'EACCES')
    return fault(setting, `${where} needs a privilege`, `set ${setting} to 1024 or more`);
  return fault(
    setting,
    `${where} cannot be opened (${code})`,
    `set ${hostSetting} to an address of this machine`,
  );
}

/** The error code of listening; null if the port can be opened. */
const listenError = ({ host, port }: PortToCheck): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });

async function answersAsDbr(readyUrl: string): Promise<boolean> {
  try {
    const response = await fetch(readyUrl, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'ready' in body && 'parts' in body;
  } catch {
    return false;
  }
}

const TIMEOUT_MS = 5000;
/** Longest greeting of a NATS server, in bytes. */
const MAX_GREETING = 65_536;

/** Whether a NATS server with JetStream answers. Its first line describes it; no credentials are sent. @param uri may contain credentials */
export async function checkBus(uri: string): Promise<Check> {
  const subject = 'bus-uri';
  const remedy = 'start NATS with JetStream (nats-server --jetstream), or correct bus-uri';
  try {
    const { hostname, port } = new URL(`nats://${readBusAddress(uri).servers[0] ?? ''}`);
    const info = JSON.parse(await greetingOf(hostname, port === '' ? 4222 : Number(port))) as Readonly<
      Record<string, unknown>
    >;
    const server = `NATS ${String(info['version'])} at ${hostname}`;
    return info['jetstream'] === true
      ? ok(subject, `${server}, with JetStream`)
      : fault(subject, `${server} runs without JetStream`, remedy);
  } catch (error) {
    // The message of an invalid URL contains it, and with it the password.
    const reason = error instanceof TypeError ? 'the address is not a URL' : reasonOf(error);
    return fault(subject, `no NATS server answers: ${reason}`, remedy);
  }
}

/** The JSON of the line `INFO {…}` (NATS client protocol). */
const greetingOf = (host: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = createConnection({ host: host.replace(/^\[(.*)\]$/, '$1'), port });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(TIMEOUT_MS, () => fail(new Error(`no greeting within ${String(TIMEOUT_MS / 1000)} s`)));
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the connection was closed')));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, json] = /^INFO (\{.*\})\s*\r?\n/.exec(text) ?? [];
      if (json !== undefined) {
        socket.destroy();
        resolve(json);
      } else if (text.includes('\n') || text.length > MAX_GREETING)
        fail(new Error('the greeting is not that of NATS'));
    });
  });

/** Whether key sets can be loaded. @param ca certificates in PEM, or undefined */
export const checkKeySets = (
  sources: readonly { readonly setting: string; readonly address: KeyAddress }[],
  timeoutMs: number,
  ca: readonly string[] | undefined,
): Promise<readonly Check[]> =>
  Promise.all(
    sources.map(async ({ setting, address }) => {
      const name = addressForLogs(address);
      try {
        const { keys } = await loadKeySet(address, { timeoutMs, ca, signal: new AbortController().signal });
        return keys.length === 0
          ? warning(setting, `${name} has no keys: its tokens are refused`, 'publish the keys of the issuer')
          : ok(setting, `${name} has ${String(keys.length)} keys`);
      } catch (error) {
        return fault(
          setting,
          `${name} cannot be loaded: ${reasonOf(error)}`,
          'correct the address, open the way to it, or add its authority with jwks-tls-ca',
        );
      }
    }),
  );
