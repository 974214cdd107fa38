/** What a process tells its operator, on standard error. */
import { pino, type Logger, type LoggerOptions } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  readonly level: string;
  readonly format: 'text' | 'json';
}

export interface LoggerExtras extends Pick<LoggerOptions, 'serializers'> {
  /** JSON with `timestamp`, the level as a word and `message`, for those who look for these names. */
  readonly spelledOut?: boolean;
}

/** Only lines for machines: those for people are made of the short names. */
const spelledOutNames: LoggerOptions = {
  messageKey: 'message',
  formatters: { level: (level) => ({ level }) },
  timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
};

export function createLogger(options: LogOptions, { serializers, spelledOut = false }: LoggerExtras = {}): Logger {
  const settings: LoggerOptions = {
    ...(serializers === undefined ? {} : { serializers }),
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(spelledOut && options.format === 'json' ? spelledOutNames : {}),
  };
  const stream = { write: (line: string): void => writeLine(options.format === 'json' ? line : asText(line)) };
  return pino(settings, stream);
}

let lines = '';

/** What is said in one turn of the event loop goes out at its end, by one write: under load one for each line takes longer than all else about it. */
function writeLine(line: string): void {
  if (lines === '') setImmediate(writeLines);
  lines += line;
}

function writeLines(): void {
  const said = lines;
  lines = '';
  if (said !== '') process.stderr.write(said);
}

// Also where an error ends the process, or it ends itself: what stands in files and pipes is written before that returns.
process.on('exit', writeLines);

/** The same fields for a person: time, level, message, then what else is known. */
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

/** An error without a stack is no defect: what it says belongs to the line. */
function errorText(err: { stack?: string; message?: string } | undefined): string {
  if (err?.stack !== undefined) return `\n${err.stack}`;
  return err?.message === undefined ? '' : ` error=${JSON.stringify(err.message)}`;
}

/** Which controller has synced when is nothing that the person at the terminal would act on. */
export function quieter(log: LogOptions): LogOptions {
  return { ...log, level: log.level === 'info' ? 'warn' : log.level };
}
