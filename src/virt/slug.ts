/** What is left of a name in the letters of a DNS label; accents go, letters of other scripts too, and `otherwise` stands where nothing is left. */
export function slug(name: string, otherwise: string, longest: number): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return cut(letters.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, ''), longest) || otherwise;
}

/** Not longer, and without a dash at the end. */
export function cut(text: string, longest: number): string {
  return text.slice(0, longest).replace(/-+$/, '');
}

/** The first digits of a uuid: enough to tell apart what bears the same name. */
export const shortIdLength = 8;

export function shortId(id: string): string {
  return id.replaceAll('-', '').slice(0, shortIdLength).toLowerCase();
}
