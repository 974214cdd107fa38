/** Warning headers. kube-apiserver limits them: when all together exceed 4096 characters, each is cut to 256. */

const MOST_TOGETHER = 4 * 1024;
const MOST_EACH = 256;

/**
 * Returns the header values in the order of the texts. Texts that a header cannot contain are dropped, as in
 * kube-apiserver.
 */
export function warningValues(texts: Iterable<string>): string[] {
  const all = [...texts].filter((text) => text !== '').map((text) => [...text.toWellFormed()]);
  const total = all.filter(isPrintable).reduce((sum, text) => sum + text.length, 0);
  if (total <= MOST_TOGETHER) return all.filter(isPrintable).map(headerValue);
  const values: string[] = [];
  let written = 0;
  for (const text of all.map((characters) => characters.slice(0, MOST_EACH)).filter(isPrintable)) {
    if (written >= MOST_TOGETHER) break;
    written += text.length;
    values.push(headerValue(text));
  }
  return values;
}

function isPrintable(characters: readonly string[]): boolean {
  return characters.every((character) => !/\p{Cc}/u.test(character));
}

/** Node writes one byte per character of a header; characters beyond ASCII are sent as UTF-8. */
function headerValue(characters: readonly string[]): string {
  const quoted = characters.map((character) =>
    character === '"' || character === '\\' ? `\\${character}` : character,
  );
  return Buffer.from(`299 - "${quoted.join('')}"`).toString('latin1');
}
