import { defined, type Defined } from '@ssvirt/base/values/defined';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

/** `changesAsked` returns the fields to change; an empty change is a usage error. */
export function changesAsked<T extends object>(fields: T, flags: string): Defined<T> {
  const body = defined(fields);
  if (Object.keys(body).length > 0) return body;
  throw new CliFailure(`nothing to change: give ${flags}.`, exitCodes.usage);
}
