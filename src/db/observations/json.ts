/** Values as the text of one JSON parameter. */

/**
 * PostgreSQL's text holds no NUL and no half of a surrogate pair, while a message of a cluster may: one such machine would fail the batch of all. They are
 * looked for in the text, where they stand as \u escapes, since they are never there.
 */
export function jsonParameter(value: object): string {
  const text = JSON.stringify(value);
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(value, replaceUnstorable) : text;
}

/** A text that PostgreSQL takes. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}');
}

function replaceUnstorable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}
