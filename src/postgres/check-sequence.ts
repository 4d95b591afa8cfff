/** Whether what PostgreSQL answers fits to the batch that was sent. A connection on which it does not is out of step. */
import type { Batch, Row } from './batch.js';
import { malformed } from './malformed-message.js';

/** A batch whose answers come in now. */
interface Answered {
  readonly batch: Batch;
  /** The step that is answered. */
  readonly step: number;
  readonly error: object | null;
}

/** @throws MalformedAnswer for a row with another number of columns than its step asks for */
export function checkRow(current: Answered | undefined, { columns }: Row): void {
  const expected = current?.batch.steps[current.step]?.columns;
  // The last column is not among them.
  const given = columns.length + 1;
  if (expected !== undefined && given !== expected)
    malformed(`a row of ${String(given)} columns where ${String(expected)} were asked for`);
}

/** @throws MalformedAnswer when no step is left that could be done */
export function checkStepDone(current: Answered | undefined): void {
  if (current === undefined || current.step >= current.batch.steps.length)
    malformed('the end of a statement that was not sent');
}

/** @throws MalformedAnswer when steps are left without an answer and without an error */
export function checkReady(current: Answered | undefined): void {
  if (current === undefined) malformed('the end of a batch that was not sent');
  const { batch, step, error } = current;
  if (error === null && step < batch.steps.length) malformed('the end of a batch with statements left');
}
