import type { QualifiedName } from '../schema-cache/types.js';
import type { Operand } from './expression.js';

export interface CallArgument {
  readonly name: string;
  /** Name of the type in the form of `format_type`, without lengths. */
  readonly type: string;
  readonly variadic: boolean;
}

export interface GivenArgument extends CallArgument {
  readonly operand: Operand;
}

/**
 * The arguments of a call.
 * `given`: separate arguments as text (GET, forms). `json`: arguments by name, from a JSON object or the first object
 * of an array.
 * `whole`: the body, or one JSON object of all arguments, is the single argument, which usually has no name.
 */
export type CallArguments =
  | { readonly kind: 'given'; readonly list: readonly GivenArgument[] }
  | {
      readonly kind: 'json';
      readonly list: readonly CallArgument[];
      readonly many: boolean;
      /** Whether each value is the text of its type: a text of CSV that is JSON is not a JSON string. */
      readonly isText: boolean;
    }
  | {
      readonly kind: 'whole';
      readonly name: string | null;
      readonly type: string;
      readonly operand: Operand;
    };

export interface Call {
  readonly function: QualifiedName;
  readonly arguments: CallArguments;
  /**
   * `rows`: rows of a composite type. `record`: rows whose columns only the call determines. `value`: any other
   * result.
   */
  readonly gives: 'rows' | 'record' | 'value' | 'nothing';
  /** False for a function that returns one value, which is null if a filter removes it. */
  readonly many: boolean;
}
