/** Go's `base64.StdEncoding`: what it accepts, at which byte it fails, and the text that it encodes again. */

const PLAIN = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DIGIT = /[A-Za-z0-9+/]/;

/** `readBase64` returns the canonical text of the bytes in `text`, or the position (in bytes) of the first error. */
export function readBase64(text: string): string | number {
  // Line breaks are allowed anywhere, and unused bits of the last digit are ignored, so the text is decoded and
  // encoded.
  const joined = text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]/g, '') : text;
  if (PLAIN.test(joined)) return joined.endsWith('=') ? Buffer.from(joined, 'base64').toString('base64') : joined;
  return faultAt(text);
}

/** Follows Go's decoder over groups of four digits, because the reported byte depends on the kind of error. */
function faultAt(text: string): number {
  let at = 0;
  const skipBreaks = (): void => {
    while (text[at] === '\n' || text[at] === '\r') at += 1;
  };
  for (;;) {
    for (let digits = 0; digits < 4; digits += 1) {
      skipBreaks();
      const character = text[at];
      if (character === undefined) return at - digits;
      at += 1;
      if (DIGIT.test(character)) continue;
      if (character !== '=' || digits < 2) return at - 1;
      if (digits === 2) {
        skipBreaks();
        if (text[at] === undefined) return text.length;
        if (text[at] !== '=') return at - 1;
        at += 1;
      }
      skipBreaks();
      return at;
    }
  }
}
