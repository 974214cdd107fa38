/** `Defect` is a mistake in one place of the sources, and the tests that must notice it. */
export interface Defect {
  /** From the root of the repository. */
  readonly file: string;
  /** The text that the mistake replaces; it occurs exactly once in the file. */
  readonly source: string;
  readonly replacement: string;
  /** What goes wrong, in a few words; unique in the list. */
  readonly why: string;
  readonly noticedBy: Tests;
  /** True for the few that CI plants. Their tests take a few seconds each. */
  readonly ci?: true;
}

/** `Tests` are those of one test file. One of them must fail because of the defect, and another one must still pass. */
export interface Tests {
  /** From the root of the repository. */
  readonly file: string;
  /** Only these run, by their own names; absent for all tests of the file. */
  readonly only?: readonly string[];
  /** Topics of the conformance suite, where `file` is that suite. */
  readonly topics?: readonly string[];
}

/** `conformance` names the cases of these topics of the conformance suite. */
export function conformance(...topics: readonly string[]): Tests {
  return { file: 'test/conformance/sandbox.test.ts', topics };
}

/**
 * `named` picks single tests of a file that is slow as a whole. `control` is a test that none of the defects breaks: where it passes, the code still
 * runs at all.
 */
export function named(file: string, control: string): (test: string) => Tests {
  return (test) => ({ file, only: [test, control] });
}

/** `plant` returns the source with the defect in it. Throws where `misfit` returns a problem. */
export function plant(defect: Defect, source: string): string {
  const problem = misfit(defect, source);
  if (problem !== undefined) throw new Error(problem);
  return source.replace(defect.source, () => defect.replacement);
}

/** `misfit` says why the defect cannot be planted: the file has changed, and the list must change with it. */
export function misfit({ file, source, why }: Defect, text: string): string | undefined {
  const times = text.split(source).length - 1;
  if (times === 1) return undefined;
  return `cannot plant "${why}" in ${file}: ${JSON.stringify(source)} occurs ${times} times in it; once is needed`;
}
