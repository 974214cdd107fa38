import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { defined } from './vm-options.ts';

/** Returns the fields to change; an empty change is a usage error. */
export function changesAsked(fields: Readonly<Record<string, unknown>>, flags: string): object {
  const body = defined(fields);
  if (Object.keys(body).length > 0) return body;
  throw new CliFailure(`nothing to change: give ${flags}.`, exitCodes.usage);
}
