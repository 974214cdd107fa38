/** A mistake that somebody could make in the sandbox, as an edit of one place of its source. */
export interface Defect {
  /** What would be wrong, in a few words. */
  readonly name: string;
  /** Below src/sandbox. */
  readonly file: string;
  /** Stands exactly once in the file: short, so that it lives through formatting and small changes. */
  readonly find: string;
  readonly replace: string;
  /** The topics of the conformance suite that are run against it. */
  readonly topics: readonly string[];
  /** How many random scripts are run against it; none unless said. */
  readonly seeds?: number;
}

/** The source with the defect in it. */
export function plant({ name, file, find, replace }: Defect, source: string): string {
  const times = source.split(find).length - 1;
  if (times !== 1)
    throw new Error(`cannot plant "${name}" in src/sandbox/${file}: "${find}" stands ${times} times in it`);
  return source.replace(find, () => replace);
}
