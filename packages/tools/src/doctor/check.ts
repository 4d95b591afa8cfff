/** The results of `dbr doctor`. */
import { frame } from '../frame.js';

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

const OUTCOMES = ['fault', 'warning', 'ok'] as const;

/** The checks for people, the gravest first: those with a cure in the frame of findings, the others on one line each. */
export function renderChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ subject }) => subject.length));
  const blocks = OUTCOMES.flatMap((outcome) => checks.filter((check) => check.outcome === outcome)).map(
    ({ outcome, subject, message, remedy }) =>
      remedy === null
        ? `${outcome.padEnd(7)}  ${subject.padEnd(width)}  ${message}`
        : frame({ level: outcome, title: subject, lines: [message], cure: remedy }),
  );
  return [...blocks, '', summaryOf(checks)].join('\n');
}

function summaryOf(checks: readonly Check[]): string {
  const count = (outcome: Check['outcome']): number =>
    checks.filter((check) => check.outcome === outcome).length;
  const counted = (number: number, word: string): string =>
    `${String(number)} ${word}${number === 1 ? '' : 's'}`;
  return `${counted(count('fault'), 'fault')}, ${counted(count('warning'), 'warning')}, ${counted(count('ok'), 'check')} without either`;
}
