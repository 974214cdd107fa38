/** `deepFreeze` freezes a shared object of a cache, so that a test fails where code changes it. */

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

/** Freezing costs as much as parsing, so the default is on only under the test runner. */
export const freezesByDefault = process.env['NODE_TEST_CONTEXT'] !== undefined;
