/** How errors of the data API are written (`compatibility`, `compatibility-level`, `client-error-verbosity`). */
import type { JsonValue } from './dbr-error.js';
import type { DbrErrorCode } from '../../generated/errors.js';

export interface ErrorStyle {
  readonly codePrefix: CodePrefix;
  /** Whether bodies have `code` and `message` alone. */
  readonly isMinimal: boolean;
  /** Whether the error of a role that does not exist is 401, as of any token that is not accepted. */
  readonly refusesUnknownRoles: boolean;
  /** Name of the server in `Proxy-Status` (RFC 9209 §2); null if the header is not sent. */
  readonly proxyName: string | null;
}

/** The style of every error outside of the data API. */
export const SERVICE_STYLE: ErrorStyle = {
  codePrefix: 'DBR',
  isMinimal: false,
  refusesUnknownRoles: false,
  proxyName: null,
};

interface ErrorStyleSettings {
  readonly 'compatibility-level': '12' | '16';
  readonly 'client-error-verbosity': 'verbose' | 'minimal';
}

export function errorStyleOf(compatibility: 'none' | 'postgrest', settings: ErrorStyleSettings): ErrorStyle {
  const codePrefix = codePrefixOf(compatibility);
  const isLater = settings['compatibility-level'] === '16';
  return {
    codePrefix,
    isMinimal: settings['client-error-verbosity'] === 'minimal',
    refusesUnknownRoles: isLater,
    proxyName: isLater ? (codePrefix === 'PGRST' ? 'PostgREST' : 'dbr') : null,
  };
}

/** The members of an error. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: JsonValue;
  readonly hint: string | null;
}

/** Returns the members that clients receive. */
export const shownBody = (
  { code, message, details, hint }: ErrorBody,
  { isMinimal }: ErrorStyle,
): Partial<ErrorBody> => (isMinimal ? { code, message } : { code, message, details, hint });

/** A code that can be the value of a parameter (RFC 8941 §3.3.4, and digits alone). Functions raise codes of any text. */
const PARAMETER_VALUE = /^(?:[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|[0-9][0-9A-Za-z]{4})$/;

/** Returns the header `Proxy-Status` with the code, which responses to HEAD have too; none if it is not sent. */
export function proxyStatus(code: string, { proxyName }: ErrorStyle): readonly (readonly [string, string])[] {
  if (proxyName === null || !PARAMETER_VALUE.test(code)) return [];
  return [['Proxy-Status', `${proxyName}; error=${code}`]];
}

// The spelling of the service's own error codes in the data API (setting `compatibility`).

/** `DBR125`, or `PGRST125` of PostgREST. */
export type CodePrefix = 'DBR' | 'PGRST';

/**
 * Whether an SQLSTATE gives a function full control of the response: one that begins with `DBR`, and with that prefix of
 * codes `PGRST`. The details of such an error are instructions.
 */
export const isFullControl = (state: string, prefix: CodePrefix): boolean =>
  state.startsWith('DBR') || state === prefix;

/** @param compatibility the value of the setting */
export const codePrefixOf = (compatibility: 'none' | 'postgrest'): CodePrefix =>
  compatibility === 'postgrest' ? 'PGRST' : 'DBR';

/** The code as clients receive it. */
export const spelledCode = (code: DbrErrorCode, prefix: CodePrefix): string =>
  `${prefix}${code.slice('DBR'.length)}`;
