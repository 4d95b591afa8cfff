import type { QualifiedName } from '../schema-cache/types.js';
import type { Operand } from './expression.js';
import type { ReadNode } from './read-node.js';

/** How a read shares its statement with others of its role. */
export interface Sharing {
  /** All tables that the statement reads. */
  readonly relations: readonly QualifiedName[];
  /** Set if the read is a lookup, which shares a statement with lookups of other rows. */
  readonly lookup: Lookup | null;
}

/** A read of one row of a table by its primary key. */
export interface Lookup {
  /** All values of the filters. */
  readonly keys: readonly LookupKey[];
  /** The read without its limit, which means nothing for one row. */
  readonly root: ReadNode;
  /** Name of the list of keys in the statement, which the relation does not have. */
  readonly alias: string;
  readonly form: 'array' | 'object';
}

/** A value that the row is compared with. */
export interface LookupKey {
  readonly operand: Operand;
  readonly type: LookupType;
}

/** Types whose `=` compares with a value of the same type. */
export type LookupType = 'int2' | 'int4' | 'int8' | 'text' | 'uuid' | 'varchar';
