/** The log of a process, on standard error. */
import { defined } from '../values/defined.ts';
import { pino, type Logger, type LoggerOptions } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  readonly level: string;
  readonly format: 'text' | 'json';
}

export interface LoggerExtras extends Pick<LoggerOptions, 'serializers'> {
  /** JSON with `timestamp`, `message` and the level as a word, for log collectors that expect these names. */
  readonly spelledOut?: boolean;
}

/** Only for JSON lines: the text format is built from pino's short names. */
const spelledOutNames: LoggerOptions = {
  messageKey: 'message',
  formatters: { level: (level) => ({ level }) },
  timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
};

export function createLogger(options: LogOptions, { serializers, spelledOut = false }: LoggerExtras = {}): Logger {
  const settings: LoggerOptions = {
    ...defined({ serializers }),
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(spelledOut && options.format === 'json' ? spelledOutNames : {}),
  };
  const stream = { write: (line: string): void => writeLine(options.format === 'json' ? line : asText(line)) };
  return pino(settings, stream);
}

let lines = '';

/**
 * Lines from one turn of the event loop are written together at its end: under load, one write per line costs more than
 * all other logging work.
 */
function writeLine(line: string): void {
  if (lines === '') setImmediate(writeLines);
  lines += line;
}

function writeLines(): void {
  const said = lines;
  lines = '';
  if (said !== '') process.stderr.write(said);
}

// This covers exits by an error and by process.exit too: writes to files and pipes are synchronous here.
process.on('exit', writeLines);

/** Formats the same fields for a person: time, level, message, then the other fields. */
function asText(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as {
    level: number;
    time: string;
    msg?: string;
    err?: { stack?: string; message?: string };
  };
  const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `${time} ${pino.levels.labels[level] ?? level} ${msg ?? ''}${rest.join('')}${errorText(err)}\n`;
}

/** An error without a stack is not a defect, so its message goes on the log line. */
function errorText(err: { stack?: string; message?: string } | undefined): string {
  if (err?.stack !== undefined) return `\n${err.stack}`;
  return err?.message === undefined ? '' : ` error=${JSON.stringify(err.message)}`;
}

/** A person at a terminal does not act on info lines such as "controller synced". */
export function quieter(log: LogOptions): LogOptions {
  return { ...log, level: log.level === 'info' ? 'warn' : log.level };
}
