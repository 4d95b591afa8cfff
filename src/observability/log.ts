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

/** A log whose level and format can be changed while the service runs. */
export interface ReloadableLog {
  readonly log: Logger;
  reload(options: Pick<LogOptions, 'level' | 'format'>): void;
}

/** Lines are written synchronously, so that none is lost when the process exits. */
export function openLog({ level, format, destination }: LogOptions): ReloadableLog {
  let inForce = format;
  let stream = destination ?? streamOf(format);
  const current: DestinationStream = { write: (line) => stream.write(line) };
  const log = pino(
    {
      level: PINO_LEVELS[level],
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    current,
  );
  return {
    log,
    reload(options) {
      log.level = PINO_LEVELS[options.level];
      if (destination !== undefined || options.format === inForce) return;
      inForce = options.format;
      stream = streamOf(inForce);
    },
  };
}

/** A log that keeps its level and format. */
export const createLogger = (options: LogOptions): Logger => openLog(options).log;

const streamOf = (format: LogOptions['format']): DestinationStream =>
  isText(format)
    ? pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', sync: true })
    : pino.destination({ dest: 1, sync: true });
