/** Output of the command line at the start and at the end: text, or lines of JSON in the format of the log. */
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { pino } from 'pino';
import { visibleText } from '../base/visible-text.js';
import { coloured, takesColours } from './colour.js';
import { createLogger, isText, type LogOptions } from '../observability/log.js';

export interface Report {
  /** Writes one line of progress to standard output, at every log level. */
  announce(line: string): void;
  /** Writes the reason why the process ends, and what to do, to standard error. */
  fail(message: string, cure?: string | null): void;
  /** Writes a finding of the start, which goes on: the setting, what is wrong with it, and what to do. */
  warn(subject: string, message: string, cure: string): void;
}

const write = (descriptor: number, text: string): void =>
  void writeSync(descriptor, text.endsWith('\n') ? text : `${text}\n`);

/** Prints a report: no name in it changes the state of a terminal. */
export const print = (text: string): void => write(1, painted(1, text));

const painted = (descriptor: 1 | 2, text: string): string =>
  takesColours(descriptor) ? coloured(visibleText(text)) : visibleText(text);

/**
 * Prints the content of a file, which stays as it is unless a terminal shows it. `process.stdout` is not read: it makes a pipe
 * non-blocking, and a long text is then written in part.
 */
export const printContent = (text: string): void => (isatty(1) ? print(text) : write(1, text));

/** Prints why a command fails, and what to do, to standard error. */
export const printFailure = (message: string, cure: string | null = null): void =>
  write(2, painted(2, `dbr: ${message}${cure === null ? '' : `\n     cure: ${cure}`}`));

/** Writes the usage of a command, before what is wrong. */
export const writeUsage = (text: string): void => write(2, `${text.trimEnd()}\n`);

const textReport: Report = {
  announce: print,
  fail: printFailure,
  warn: (subject, message, cure) =>
    write(2, painted(2, `warning  ${subject}\n         ${message}\n         cure: ${cure}`)),
};

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
    fail: (message, cure = null) => failures.fatal(cure === null ? {} : { cure }, message),
    warn: (setting, message, cure) => lines.warn({ setting, cure }, message),
  };
}
