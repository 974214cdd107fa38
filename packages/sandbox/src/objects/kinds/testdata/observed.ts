import type { JsonObject } from '../../../values/json.ts';
import type { Case } from './cases.ts';

/** The server's answer: the object without fields that differ from run to run, or the message of its Status. */
export type Answer =
  | { readonly object: JsonObject; readonly warnings?: readonly string[] }
  | { readonly error: string };

export interface Observed {
  created: Answer;
  patched?: Answer;
  status?: Answer;
}

export const caseName = (item: Case, index: number): string => item.name ?? `case-${index}`;
