/** Keys of query parameters: the path to an embedded resource, then a field, a logic operator or a reserved word. */
import type { EmbedPath, Field, LogicOperator } from './ast.js';
import type { Complaint } from './complaint.js';
import { delimiter, fieldName, jsonPath } from './names.js';
import { map, type Parser, separated, sequence } from './parser.js';

/** `embed.embed.field->path` */
export interface TreePath {
  readonly path: EmbedPath;
  readonly field: Field;
}

/** A key of a filter, an order or a range. */
export const treePath: Parser<TreePath> = map(
  sequence(separated(fieldName, delimiter), jsonPath),
  ([names, path]) => ({ path: names.slice(0, -1), field: { name: names.at(-1) ?? '', path } }),
);

/** `embed.not.or` */
export interface LogicPath {
  readonly path: EmbedPath;
  readonly negated: boolean;
  readonly operator: LogicOperator;
}

const names = separated(fieldName, delimiter);

/** Parses the key of a logic tree. `not` may occur once, directly before the operator. */
export const logicPath: Parser<LogicPath> = (source, at) => {
  const reply = names(source, at);
  if (!reply.ok) return reply;
  const operator = reply.value.at(-1);
  const early = reply.value.slice(0, -2).indexOf('not');
  if (early >= 0 || (operator !== 'and' && operator !== 'or')) {
    const complaint: Complaint = {
      at: reply.at,
      found: null,
      refused: [],
      expected: ['logic operator (and, or)'],
    };
    return { ok: false, consumed: true, complaint };
  }
  const negated = reply.value.at(-2) === 'not';
  const path = reply.value.slice(0, negated ? -2 : -1);
  return { ...reply, value: { path, negated, operator } };
};
