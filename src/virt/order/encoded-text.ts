/** Texts for a guest, which may have been written in base64. */

/** Of all values of a Secret together, in bytes. */
export const MOST_IN_SECRET = 1024 * 1024;

/** Padded and canonical, as Kubernetes reads the data of a Secret: line breaks do not count. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const line = withoutBreaks(text);
  if (line === '' || line.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(line, 'base64');
  return bytes.toString('base64') === line ? bytes : undefined;
}

/** Undefined where it is no text in UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What base64 stands for, where that is a text. */
export function decoded(text: string): string | undefined {
  const bytes = decodeBase64(text);
  return bytes === undefined ? undefined : decodeText(bytes);
}

/** Whether it was surely meant as base64: nobody writes 16 such characters in a row, and nothing else, as a text. */
export function looksEncoded(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{16,}={0,3}$/.test(withoutBreaks(text).trim());
}

/** Whether it comes out of a Secret as it went in, and fits. */
export function fitsSecret(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0') && Buffer.byteLength(text) <= MOST_IN_SECRET;
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n]+/g, '');
}
