/** Texts for a guest, which may be encoded in base64. */

/** `MOST_IN_SECRET` is the limit for all values of a Secret together, in bytes. */
export const MOST_IN_SECRET = 1024 * 1024;

/** `decodeBase64` accepts padded and canonical base64, as Kubernetes reads the data of a Secret: line breaks are ignored. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const line = withoutBreaks(text);
  if (line === '' || line.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(line, 'base64');
  return bytes.toString('base64') === line ? bytes : undefined;
}

/** `decodeText` returns undefined if the bytes are not UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** `decoded` decodes base64 if the result is text. */
export function decoded(text: string): string | undefined {
  const bytes = decodeBase64(text);
  return bytes === undefined ? undefined : decodeText(bytes);
}

/** `looksEncoded` returns whether the text can only be base64: no plain text consists of 16 or more of these characters and nothing else. */
export function looksEncoded(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{16,}={0,3}$/.test(withoutBreaks(text).trim());
}

/** `fitsSecret` returns whether a Secret can store the text unchanged, and it fits. */
export function fitsSecret(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0') && Buffer.byteLength(text) <= MOST_IN_SECRET;
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n]+/g, '');
}
