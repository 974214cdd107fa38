/** How values that people wrote are shown to them in a message. */
import { text } from '../facts/reading.ts';

const LONGEST = 60;

/** In quotes, on one line, cut where it is long. Lists and objects are named only: they may be of any depth. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `"${text(value, LONGEST) ?? ''}"` : String(value);
}
