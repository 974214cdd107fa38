/** The field manager of a write: the `fieldManager` parameter, or the user agent up to the slash. */

const MAX_BYTES = 128;

export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== '') return fieldManager;
  let name = '';
  let size = 0;
  for (const character of userAgent.split('/', 1)[0] ?? '') {
    if (!isPrintable(character)) continue;
    size += Buffer.byteLength(character);
    if (size > MAX_BYTES) break;
    name += character;
  }
  return name;
}

/** Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const isPrintable = (character: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
