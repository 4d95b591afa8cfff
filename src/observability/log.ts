/** Logs: one line an event, JSON for machines or text on a terminal. What must never be logged is never handed over. */
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';

export type Logger = PinoLogger;

export type LogLevel = 'crit' | 'error' | 'warn' | 'info' | 'debug';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'auto' | 'json' | 'pretty';
  /** Where lines go; standard output unless a test reads them. */
  readonly destination?: DestinationStream;
}

const PINO_LEVELS: Readonly<Record<LogLevel, string>> = {
  crit: 'fatal',
  error: 'error',
  warn: 'warn',
  info: 'info',
  debug: 'debug',
};

/** Whether lines are text for people rather than JSON. */
export const isText = (format: LogOptions['format']): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY);

/** Lines are written before the call returns, so that none is lost at the end of the process. */
export function createLogger({ level, format, destination }: LogOptions): Logger {
  const stream =
    destination ??
    (isText(format)
      ? pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', sync: true })
      : pino.destination({ dest: 1, sync: true }));
  return pino(
    {
      level: PINO_LEVELS[level],
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}
