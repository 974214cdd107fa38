/** Strings in code points, as CEL counts them, not in UTF-16 units. */

export const codePoints = (text: string): readonly string[] => Array.from(text);

export function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
