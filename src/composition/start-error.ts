/**
 * The reason why the service cannot start or continue, on one line: the setting that has to change, its value, and
 * the fault.
 */
import { InvalidConnectionString } from '../postgres/invalid-connection-string.js';
import type { ConnectFailed } from '../postgres/postgres-error.js';
import { isSecretName } from '../settings/dump.js';
import type { SettingName } from '../settings/table.js';

export class StartError extends Error {
  override readonly name = 'StartError';
  readonly setting: SettingName;

  /** @param value shown unless the setting is a secret */
  constructor(setting: SettingName, value: string | number | null, reason: string, cause?: Error) {
    const shown = value === null || isSecretName(setting) ? '' : ` = ${String(value)}`;
    super(`${setting}${shown}: ${oneLine(reason)}`, { cause });
    this.setting = setting;
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim();

/** The settings of a port or a socket. */
interface AddressSettings {
  readonly host: readonly [name: SettingName, value: string];
  readonly port: readonly [name: SettingName, value: number];
  /** Null for a port. */
  readonly unixSocket: readonly [name: SettingName, value: string] | null;
}

/** System error codes that the host causes, not the port. */
const OF_THE_HOST = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL']);

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another process listens there'],
  ['EADDRNOTAVAIL', 'this machine does not have that address'],
  ['ENOTFOUND', 'the name cannot be resolved'],
  ['EAI_AGAIN', 'the name cannot be resolved at the moment'],
  ['EACCES', 'permission denied'],
  ['ENOENT', 'no such folder'],
]);

/** libuv also reports EACCES for a socket whose folder does not exist. */
const SOCKET_REASONS = new Map([
  ...REASONS,
  ['EACCES', 'its folder does not exist, or permission is denied'],
]);

function reasonOf(code: string | null, reasons: ReadonlyMap<string, string>): string | null {
  const reason = code === null ? undefined : reasons.get(code);
  return code === null || reason === undefined ? null : `${reason} (${code})`;
}

/** Returns the error for an address at which the service cannot listen. @param error with the code of the system */
export function listenError(error: unknown, { host, port, unixSocket }: AddressSettings): StartError {
  const message = error instanceof Error ? error.message : String(error);
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (unixSocket !== null) return new StartError(...unixSocket, reasonOf(code, SOCKET_REASONS) ?? message);
  const reason = reasonOf(code, REASONS) ?? message;
  if (code !== null && OF_THE_HOST.has(code)) return new StartError(...host, reason);
  return new StartError(...port, `${reason}, at ${host[0]} = ${host[1]}`);
}

/** Runs `open`, and names the setting in the error of an invalid connection string. */
export function withConnectionString<Result>(setting: SettingName, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    if (error instanceof InvalidConnectionString) throw new StartError(setting, null, error.message);
    throw error;
  }
}

/** invalid_password, invalid_authorization_specification (PostgreSQL manual, appendix A). */
const REFUSALS = new Set(['28P01', '28000']);

/**
 * Returns a function that ends the start if the database refuses the first login, because a setting has to change. A
 * database that cannot be reached is not such an error: the service waits for it.
 * @returns a function that is called with each failed attempt to connect
 */
export const refusedAtStart =
  (setting: SettingName, fail: (reason: StartError) => void) =>
  (error: ConnectFailed, everUp: boolean): void => {
    const refused = (error.code !== null && REFUSALS.has(error.code)) || error.needsPassword;
    if (refused && !everUp) fail(new StartError(setting, null, error.message, error));
  };

/**
 * Opens a port.
 * @throws StartError that names the settings of the address
 */
export async function listenAs<Opened>(
  open: () => Promise<Opened>,
  settings: AddressSettings,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    throw listenError(error, settings);
  }
}
