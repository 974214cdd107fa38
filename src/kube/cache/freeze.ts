/** Objects of a cache are shared: in tests whoever changes one finds out at once. */

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

/** Freezing costs as much as parsing: only under the test runner, unless asked for. */
export const freezesByDefault = process.env['NODE_TEST_CONTEXT'] !== undefined;
