/** Conditions, which all these kinds have in the same form. */
import { fields, known, list, text } from './reading.ts';

/** `Saying` is a condition's reason and message. */
export interface Saying {
  readonly reason?: string;
  readonly message?: string;
}

/** Enough for a sentence; some messages are pages long. */
const LONGEST_MESSAGE = 512;
const LONGEST_REASON = 64;

/** `saying` returns reason and message of the condition of that type if it has that status, and undefined otherwise. */
export function saying(conditions: unknown, type: string, status: 'True' | 'False'): Saying | undefined {
  const found = list(conditions)
    .map(fields)
    .find((one) => one['type'] === type);
  if (found?.['status'] !== status) return undefined;
  return known<Saying>({
    reason: text(found['reason'], LONGEST_REASON),
    message: text(found['message'], LONGEST_MESSAGE),
  });
}
