/** How the data API spells the codes of the service's own errors (setting `compatibility`). */
import type { DbrErrorCode } from '../../generated/errors.js';

/** `DBR125`, or `PGRST125` as PostgREST spells it. */
export type CodePrefix = 'DBR' | 'PGRST';

/** @param compatibility the value of the setting */
export const codePrefixOf = (compatibility: 'none' | 'postgrest'): CodePrefix =>
  compatibility === 'postgrest' ? 'PGRST' : 'DBR';

/** The code as clients receive it. */
export const spelledCode = (code: DbrErrorCode, prefix: CodePrefix): string =>
  `${prefix}${code.slice('DBR'.length)}`;
