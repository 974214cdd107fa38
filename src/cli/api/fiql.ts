/** Filters as the API takes them. */

/** A value to be taken literally. */
export function literal(value: string): string {
  return value.replaceAll(/[(),;*\\]/g, String.raw`\$&`);
}

/** All of these; undefined where there are none. */
export function allOf(conditions: readonly (string | undefined)[]): string | undefined {
  const given = conditions.filter((one) => one !== undefined && one !== '');
  if (given.length < 2) return given[0];
  return given.map((one) => (/[;,]/.test(one ?? '') ? `(${one})` : one)).join(';');
}
