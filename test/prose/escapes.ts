/** `unescaped` gives the text of a literal for a reader, as long as it was: escaped quotes stay beside their word, other escapes are blank. */
export function unescaped(literal: string): string {
  return literal.replaceAll(
    /\\(u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[^])/gi,
    (escape: string, code: string, at: number) => {
      if (!/^['"`\\]$/.test(code)) return escape.replaceAll(/[^\n]/g, ' ');
      return /\w/.test(literal.charAt(at + escape.length)) ? ` ${code}` : `${code} `;
    },
  );
}
