/**
 * The log: one line for each event, as JSON or as text for a terminal. Callers pass no token, secret or personal
 * data.
 */
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';

export type Logger = PinoLogger;

export type LogLevel = 'crit' | 'error' | 'warn' | 'info' | 'debug';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'auto' | 'json' | 'pretty';
  /** Destination of the lines; standard output if absent. Tests pass their own. */
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

/** Lines are written synchronously, so that none is lost when the process exits. */
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
