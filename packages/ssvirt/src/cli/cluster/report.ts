/** The result of a command that explains something, for people and for programs. */
import type { ExitCode } from '../output/exit-code.ts';
import { data } from '../output/print.ts';
import { say } from '../output/streams.ts';
import type { PageFormat } from './page-format.ts';

export interface Report {
  readonly code: ExitCode;
  readonly page: string;
  /** Contains no secrets. */
  readonly facts: object;
}

export function printReport({ code, page, facts }: Report, format: PageFormat): ExitCode {
  say(format === 'text' ? page : data(format, facts));
  return code;
}
