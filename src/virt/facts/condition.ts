/** Conditions, as all of these kinds have them. */
import { fields, known, list, text } from './reading.ts';

/** A condition's reason and message. */
export interface Saying {
  readonly reason?: string;
  readonly message?: string;
}

/** Enough for a sentence; some messages are pages. */
const LONGEST_MESSAGE = 512;
const LONGEST_REASON = 64;

/** What the condition of that type says if it has that status; undefined otherwise. */
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
