/** Manual page of the operators of filters: `generated/docs/operators.md`. */
import { OPERATORS, type OperandKind } from '../src/data-api/grammar/operators.js';
import { cell, pageComment } from './markdown.js';

/** Renders every operator with its meaning and its SQL. */
export function operatorsPage(): string {
  const rows = Object.entries(OPERATORS).map(([word, { operand, quantifiable, sql, meaning }]) => {
    const written = sqlOf(operand, sql);
    return `| \`${word}\` | ${cell(meaning)} | \`${cell(written)}\` | ${quantifiable ? 'yes' : ''} |`;
  });
  return `${pageComment('src/data-api/grammar/operators.ts')}# Operators of filters

A filter has the form \`column=operator.value\`. \`not.\` before the operator negates it. The last column names the operators that take \`(any)\` and \`(all)\` with an array, as in \`id=eq(any).{1,2}\`.

| Operator | The column | SQL | \`(any)\`, \`(all)\` |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function sqlOf(operand: OperandKind, sql: string): string {
  return operand === 'search' ? `@@ ${sql}(…)` : sql;
}
