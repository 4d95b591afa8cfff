import type { Operand } from '../plan/expression.js';
import { type Sql, sql } from '../../postgres/sql.js';

/** A statement and the origin of each parameter's value; `$1` is the first. */
export interface SqlText {
  readonly text: Sql;
  readonly parameters: readonly Operand[];
}

/** The parameters of a statement while it is written, numbered in the order of their first use. */
export interface ParameterList {
  /** Returns the `$n` of an operand. Equal operands share one parameter, so that equal expressions stay equal. */
  readonly place: (operand: Operand) => Sql;
  readonly all: () => readonly Operand[];
  /**
   * True if embedded objects are rendered as text (CSV, custom media types): jsonb normalises their spacing and key
   * order.
   */
  readonly jsonbEmbeds: boolean;
}

/** An empty list. @param jsonbEmbeds see `ParameterList` */
export function parameterList(jsonbEmbeds = false): ParameterList {
  const parameters: Operand[] = [];
  const numbers = new Map<string, number>();
  return {
    place: (operand) => {
      const key = JSON.stringify(operand);
      const known = numbers.get(key);
      if (known !== undefined) return sql`$${known}`;
      parameters.push(operand);
      numbers.set(key, parameters.length);
      return sql`$${parameters.length}`;
    },
    all: () => parameters,
    jsonbEmbeds,
  };
}

/** Name of the common table expression with the rows of a mutation or a call. */
export const ROWS = 'rows';
