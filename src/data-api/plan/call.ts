import type { QualifiedName } from '../schema-cache/types.js';
import type { Operand } from './expression.js';

export interface CallArgument {
  readonly name: string;
  /** As `format_type` prints it, without lengths. */
  readonly type: string;
  readonly variadic: boolean;
}

export interface GivenArgument extends CallArgument {
  readonly operand: Operand;
}

/**
 * The arguments of a call.
 * `given`: arguments that come one by one as text (GET, forms). `json`: by name, from a JSON object; of an array, its first.
 * `whole`: the body, or all arguments as one JSON object, is the single argument, unnamed as a rule.
 */
export type CallArguments =
  | { readonly kind: 'given'; readonly list: readonly GivenArgument[] }
  | { readonly kind: 'json'; readonly list: readonly CallArgument[]; readonly many: boolean }
  | {
      readonly kind: 'whole';
      readonly name: string | null;
      readonly type: string;
      readonly operand: Operand;
    };

export interface Call {
  readonly function: QualifiedName;
  readonly arguments: CallArguments;
  /** `rows`: of a composite type. `record`: rows whose columns only the call knows. `value`: anything else. */
  readonly gives: 'rows' | 'record' | 'value' | 'nothing';
  /** False for a function that gives one value: filtered away, it is null. */
  readonly many: boolean;
}
