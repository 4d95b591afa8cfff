/** The spelling of the service's own error codes in the data API (setting `compatibility`). */
import type { DbrErrorCode } from '../../generated/errors.js';

/** `DBR125`, or `PGRST125` of PostgREST. */
export type CodePrefix = 'DBR' | 'PGRST';

/** @param compatibility the value of the setting */
export const codePrefixOf = (compatibility: 'none' | 'postgrest'): CodePrefix =>
  compatibility === 'postgrest' ? 'PGRST' : 'DBR';

/** The code as clients receive it. */
export const spelledCode = (code: DbrErrorCode, prefix: CodePrefix): string =>
  `${prefix}${code.slice('DBR'.length)}`;
