/** Which files are started first, so that no long one is left for the end, when the other cores have nothing to do. */

/** Those that take the longest, in this order; about, and by hand: a wrong one costs some seconds. */
export const longest: readonly string[] = [
  'test/docs/docs.test.ts',
  'test/kubectl/kubectl.suite.ts',
  'test/conformance/real.suite.ts',
];

export function longestFirst(files: readonly string[]): readonly string[] {
  const first = longest.filter((file) => files.includes(file));
  return [...first, ...files.filter((file) => !longest.includes(file))];
}
