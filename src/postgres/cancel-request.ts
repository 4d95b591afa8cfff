/** CancelRequest of the protocol (PostgreSQL manual, 55.2.7). */
import { connect, type Socket } from 'node:net';

/** Length of the message, and the code that identifies it. */
const MESSAGE_BYTES = 16;
const CANCEL_REQUEST = 80_877_102;
/** The connection is closed if the server has not accepted the request after this time. */
const TIMEOUT_MS = 2000;

export interface CancelTarget {
  readonly host: string;
  readonly port: number;
  readonly processId: number;
  readonly secretKey: number;
}

/**
 * Asks PostgreSQL to cancel the statement that a backend executes. The request goes over a connection of its own, which the
 * server closes when it has sent the signal.
 * @param socket of the connection to the backend
 * @returns a promise that resolves when a batch sent to the backend afterwards is not hit
 */
export function requestCancel(
  socket: Socket,
  { host, port, processId, secretKey }: CancelTarget,
): Promise<void> {
  const request = Buffer.alloc(MESSAGE_BYTES);
  request.writeInt32BE(MESSAGE_BYTES, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  const target = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${String(port)}` }
    : { host: socket.remoteAddress ?? host, port: socket.remotePort ?? port };
  return new Promise((resolve) => {
    const canceller = connect(target, () => canceller.write(request));
    canceller.setTimeout(TIMEOUT_MS, () => canceller.destroy());
    canceller.on('error', () => undefined);
    canceller.on('close', () => resolve());
    canceller.resume();
  });
}
