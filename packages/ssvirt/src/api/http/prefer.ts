/** The preferences of a request (RFC 7240). One is supported: how long the caller would wait for a task. */
import type { Request } from './app-types.ts';

const longestSeconds = 60;

/**
 * The N of `Prefer: wait=N` if it is from 1 to 60. An unsupported preference is ignored and not an error; the first of
 * two counts.
 */
export function waitSeconds({ headers }: Pick<Request, 'headers'>): number | undefined {
  const preferences = String(headers['prefer'] ?? '').split(',');
  for (const preference of preferences) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim());
    if (name.toLowerCase() !== 'wait') continue;
    const seconds = /^"?(\d{1,3})"?$/.exec(value)?.[1];
    return seconds !== undefined && Number(seconds) >= 1 && Number(seconds) <= longestSeconds
      ? Number(seconds)
      : undefined;
  }
  return undefined;
}
