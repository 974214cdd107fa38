/** Formats values that people wrote, for messages. */
import { text } from '../facts/reading.ts';

const LONGEST = 60;

/**
 * In quotes, on one line, cut if long. For lists and objects only the type is named: they may be nested to any depth.
 */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `"${text(value, LONGEST) ?? ''}"` : String(value);
}
