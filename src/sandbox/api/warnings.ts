/** Warning headers. The server keeps them short: beyond 4096 characters in all, each is cut to 256. */

const MOST_TOGETHER = 4 * 1024;
const MOST_EACH = 256;

/** Header values for texts in their order. Texts that no header can carry are left out, as the server does. */
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

/** Headers are bytes to Node, one for each character: what is beyond ASCII travels as UTF-8. */
function headerValue(characters: readonly string[]): string {
  const quoted = characters.map((character) =>
    character === '"' || character === '\\' ? `\\${character}` : character,
  );
  return Buffer.from(`299 - "${quoted.join('')}"`).toString('latin1');
}
