/** Serializes values as the text of one JSON parameter. */

/**
 * PostgreSQL's text cannot hold NUL or an unpaired surrogate, but a message from a cluster can: one such VM would fail
 * the whole batch. They almost never occur, so they are searched in the JSON text, where they appear as \u escapes.
 */
export function jsonParameter(value: object): string {
  const text = JSON.stringify(value);
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(value, replaceUnstorable) : text;
}

/** `storableText` returns the text in a form that PostgreSQL accepts. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}');
}

function replaceUnstorable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}
