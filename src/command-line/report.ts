/** What the command line says at the start and at the end: text for people, or lines of JSON like those of the log. */
import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { createLogger, isText, type LogOptions } from '../observability/log.js';

export interface Report {
  /** One line of progress on standard output, whatever the log level. */
  announce(line: string): void;
  /** Why the process ends, on standard error. */
  fail(message: string): void;
}

export const print = (text: string): void => void writeSync(1, text.endsWith('\n') ? text : `${text}\n`);

const textReport: Report = {
  announce: print,
  fail: (message) => void writeSync(2, `dbr: ${message}\n`),
};

/** @param format of the log, which the lines share */
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
