/** Output of the command line at the start and at the end: text, or lines of JSON in the format of the log. */
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { pino } from 'pino';
import { visibleText } from '../base/visible-text.js';
import { createLogger, isText, type LogOptions } from '../observability/log.js';

export interface Report {
  /** Writes one line of progress to standard output, at every log level. */
  announce(line: string): void;
  /** Writes the reason why the process ends to standard error. */
  fail(message: string): void;
}

const write = (descriptor: number, text: string): void =>
  void writeSync(descriptor, text.endsWith('\n') ? text : `${text}\n`);

/** Prints a report: no name in it changes the state of a terminal. */
export const print = (text: string): void => write(1, visibleText(text));

/**
 * Prints the content of a file, which stays as it is unless a terminal shows it. `process.stdout` is not read: it makes a pipe
 * non-blocking, and a long text is then written in part.
 */
export const printContent = (text: string): void => (isatty(1) ? print(text) : write(1, text));

/** Prints why a command fails to standard error. */
export const printFailure = (message: string): void => write(2, `dbr: ${visibleText(message)}`);

const textReport: Report = { announce: print, fail: printFailure };

/** @param format format of the log, which these lines also have */
export function createReport(format: LogOptions['format']): Report {
  if (isText(format)) return textReport;
  const lines = createLogger({ level: 'info', format: 'json' });
  const failures = createLogger({
    level: 'info',
    format: 'json',
    destination: pino.destination({ dest: 2, sync: true }),
  });
  return {
    announce: (line) => lines.info(line),
    fail: (message) => failures.fatal(message),
  };
}
