/**
 * Reduces a name to the characters of a DNS label. Accents and letters of other scripts are removed, and `otherwise` is
 * used if nothing is left.
 */
export function slug(name: string, otherwise: string, longest: number): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return cut(letters.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, ''), longest) || otherwise;
}

/** At most `longest` long, and without a dash at the end. */
export function cut(text: string, longest: number): string {
  return text.slice(0, longest).replace(/-+$/, '');
}

/** `shortIdLength` are the first digits of a uuid: enough to distinguish objects of the same name. */
export const shortIdLength = 8;

export function shortId(id: string): string {
  return id.replaceAll('-', '').slice(0, shortIdLength).toLowerCase();
}
