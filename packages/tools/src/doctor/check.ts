/** The results of `dbr doctor`. */

export interface Check {
  /** The setting, or another object of the check. */
  readonly subject: string;
  /** Only faults keep the service from working. */
  readonly outcome: 'ok' | 'warning' | 'fault';
  /** One sentence; it contains no secret. */
  readonly message: string;
  /** The remedy; null if nothing is wrong. */
  readonly remedy: string | null;
}

export const ok = (subject: string, message: string): Check => ({
  subject,
  outcome: 'ok',
  message,
  remedy: null,
});

const failed =
  (outcome: Check['outcome']) =>
  (subject: string, message: string, remedy: string): Check => ({ subject, outcome, message, remedy });

export const warning = failed('warning');
export const fault = failed('fault');

/** The message of an error on one line. Node.js reports several failed connection attempts as one error with an empty message. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return String(first);
  return (first.message === '' ? first.name : first.message).replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** The checks for people: outcome, subject and sentence, then what to do. */
export function renderChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ subject }) => subject.length));
  const lines = checks.flatMap(({ outcome, subject, message, remedy }) => [
    `${outcome.padEnd(7)}  ${subject.padEnd(width)}  ${message}`,
    ...(remedy === null ? [] : [`${' '.repeat(width + 11)}to do: ${remedy}`]),
  ]);
  return [...lines, '', summaryOf(checks)].join('\n');
}

function summaryOf(checks: readonly Check[]): string {
  const count = (outcome: Check['outcome']): number =>
    checks.filter((check) => check.outcome === outcome).length;
  return `${String(count('fault'))} faults, ${String(count('warning'))} warnings, ${String(count('ok'))} checks without either`;
}
