/** Filters in the API's syntax (FIQL). */

/** `literal` escapes a value so that it matches literally. */
export function literal(value: string): string {
  return value.replaceAll(/[(),;*\\]/g, String.raw`\$&`);
}

/** `allOf` joins the conditions with AND; returns undefined if there are none. */
export function allOf(conditions: readonly (string | undefined)[]): string | undefined {
  const given = conditions.filter((one) => one !== undefined && one !== '');
  if (given.length < 2) return given[0];
  return given.map((one) => (/[;,]/.test(one ?? '') ? `(${one})` : one)).join(';');
}
