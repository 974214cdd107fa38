/** The preferences of a request (RFC 7240), of which one is known: how long the caller would wait for what takes its time. */
import type { Request } from './app-types.ts';

const longestSeconds = 60;

/** The N of `Prefer: wait=N`, where it is one from 1 to 60. A preference that cannot be met is none, and no error; of two the first counts. */
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
