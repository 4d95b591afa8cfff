/** Output of the command line at the start and at the end: text, or lines of JSON in the format of the log. */
import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { createLogger, isText, type LogOptions } from '../observability/log.js';

export interface Report {
  /** Writes one line of progress to standard output, at every log level. */
  announce(line: string): void;
  /** Writes the reason why the process ends to standard error. */
  fail(message: string): void;
}

export const print = (text: string): void => void writeSync(1, text.endsWith('\n') ? text : `${text}\n`);

const textReport: Report = {
  announce: print,
  fail: (message) => void writeSync(2, `dbr: ${message}\n`),
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
    fail: (message) => failures.fatal(message),
  };
}
