/** What a process tells its operator, on standard error. */
import { pino, type Logger, type LoggerOptions } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  readonly level: string;
  readonly format: 'text' | 'json';
}

export function createLogger(options: LogOptions, { serializers }: Pick<LoggerOptions, 'serializers'> = {}): Logger {
  const settings = {
    ...(serializers === undefined ? {} : { serializers }),
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const stream = {
    write: (line: string): boolean => process.stderr.write(options.format === 'json' ? line : asText(line)),
  };
  return pino(settings, stream);
}

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
