/**
 * The queries of tasks as functions: of a task, and of the parameters in the order of their numbers. Each is run by the method
 * of `DatabaseTask` that has its name.
 */
import type { DatabaseTask } from './transaction.js';
import type { Sql } from './sql.js';

export const query = {
  any:
    <Values extends unknown[], Row>(text: Sql) =>
    (task: DatabaseTask, ...values: Values): Promise<readonly Row[]> =>
      task.any<Row>({ text, values }),
  /** As `any`, planned for its values each time: for conditions that apply if a parameter is not null. */
  unnamed:
    <Values extends unknown[], Row>(text: Sql) =>
    (task: DatabaseTask, ...values: Values): Promise<readonly Row[]> =>
      task.any<Row>({ text, values, unnamed: true }),
  one:
    <Values extends unknown[], Row>(text: Sql) =>
    (task: DatabaseTask, ...values: Values): Promise<Row> =>
      task.one<Row>({ text, values }),
  oneOrNone:
    <Values extends unknown[], Row>(text: Sql) =>
    (task: DatabaseTask, ...values: Values): Promise<Row | null> =>
      task.oneOrNone<Row>({ text, values }),
  none:
    <Values extends unknown[]>(text: Sql) =>
    (task: DatabaseTask, ...values: Values): Promise<null> =>
      task.none({ text, values }),
} as const;
