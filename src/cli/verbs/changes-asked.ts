import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { defined } from './machine-options.ts';

/** The fields that somebody wants changed; none is a mistake on the command line. */
export function changesAsked(fields: Readonly<Record<string, unknown>>, flags: string): object {
  const body = defined(fields);
  if (Object.keys(body).length > 0) return body;
  throw new CliFailure(`nothing is to be changed: say ${flags}.`, exitCodes.usage);
}
