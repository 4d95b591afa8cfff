/** The reason why no connection could be opened, in the wording of libpq, which clients and operators know. */
import { getSystemErrorMap } from 'node:util';
import { ConnectFailed } from './postgres-error.js';

/** The server of a failed attempt to connect. */
export interface ServerAddress {
  /** A name, an address, or the folder of a Unix-domain socket. */
  readonly host: string;
  readonly port: number;
}

/**
 * @param error what the driver threw while connecting
 * @returns an error whose text names the server, never a password
 */
export function connectFailed(error: unknown, address: ServerAddress): ConnectFailed {
  if (error instanceof ConnectFailed) return error;
  const cause = firstCause(error);
  const code = sqlState(cause);
  return new ConnectFailed(
    `${place(address, cause)}: ${reason(cause, code, address)}`,
    code,
    lacksPassword(cause),
  );
}

/** Returns the error of the first address: connecting to a name with several addresses fails once for each of them. */
function firstCause(error: unknown): unknown {
  if (!(error instanceof AggregateError)) return error;
  const first: unknown = error.errors[0];
  return first ?? error;
}

function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The driver's message when the server asks for a password and none is given. The error has neither a code nor a class. */
const NO_PASSWORD = /client password must be a string/;

export const lacksPassword = (error: unknown): boolean =>
  error instanceof Error && NO_PASSWORD.test(error.message);

const isUnixSocket = ({ host }: ServerAddress): boolean => host.startsWith('/');

function place(address: ServerAddress, cause: unknown): string {
  const { host, port } = address;
  if (isUnixSocket(address))
    return `connection to server on socket "${host}/.s.PGSQL.${String(port)}" failed`;
  if (errorCode(cause) === 'ENOTFOUND') return `could not translate host name "${host}" to address`;
  const numeric = cause instanceof Error && 'address' in cause ? String(cause.address) : host;
  return `connection to server at "${host}"${numeric === host ? '' : ` (${numeric})`}, port ${String(port)} failed`;
}

function reason(cause: unknown, state: string | null, address: ServerAddress): string {
  if (!(cause instanceof Error)) return String(cause);
  if (state !== null) return `FATAL:  ${cause.message}`;
  const code = errorCode(cause);
  if (code === 'ENOTFOUND') return 'Name or service not known';
  if (lacksPassword(cause)) return 'fe_sendauth: no password supplied';
  const text = systemText(cause) ?? cause.message;
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return isUnixSocket(address)
      ? `${text}\n\tIs the server running locally and accepting connections on that socket?`
      : `${text}\n\tIs the server running on that host and accepting TCP/IP connections?`;
  return text;
}

const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Returns the text of a system error, for example `Connection refused`. */
function systemText(error: Error): string | undefined {
  if (!('errno' in error) || typeof error.errno !== 'number') return undefined;
  const text = getSystemErrorMap().get(error.errno)?.[1];
  return text === undefined ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
