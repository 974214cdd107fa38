/** The tests that must notice a planted defect. */

export interface Check {
  /** From the root of the repository. */
  readonly files: readonly string[];
  /** Which tests of them are run, by node's patterns for names; all where none are said. */
  readonly patterns?: readonly string[];
  /** Which of these may notice, by their own name; all unless said. */
  readonly counts?: (test: string) => boolean;
}

/** Tests of one file. */
export interface NamedTests {
  /** From the root of the repository. */
  readonly file: string;
  /** Names of tests, or what stands before the colon in them; all where none are said. */
  readonly only?: readonly string[];
}

export function checkOf({ file, only = [] }: NamedTests): Check {
  return only.length === 0 ? { files: [file] } : { files: [file], patterns: [patternOf(only)] };
}

/** Of the whole name, or of what stands before its colon. */
export function patternOf(names: readonly string[]): string {
  const escaped = names.map((name) => name.replaceAll(/[/\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return `/^(?:${escaped.join('|')})(?::|$)/`;
}

/** One for all checks of the same files, with every test that any of them runs. */
export function together(checks: readonly Check[]): readonly Check[] {
  return [...Map.groupBy(checks, filesKey).values()].map((same): Check => {
    const patterns = [...new Set(same.flatMap((check) => check.patterns ?? []))];
    const isWhole = same.some((check) => check.patterns === undefined);
    return { files: same[0]?.files ?? [], ...(isWhole ? {} : { patterns }) };
  });
}

export function filesKey({ files }: Check): string {
  return files.join(' ');
}
