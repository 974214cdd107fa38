import { span } from '../output/ago.ts';

/** `age` returns the age in its largest unit. */
export function age(time: string | null | undefined): string | undefined {
  const ms = Date.now() - Date.parse(time ?? '');
  return Number.isNaN(ms) ? undefined : span(Math.max(0, ms));
}
