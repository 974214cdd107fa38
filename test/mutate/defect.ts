/** A mistake that somebody could make, as an edit of one place of the source. */
export interface Edit {
  /** What would be wrong, in a few words. */
  readonly name: string;
  readonly file: string;
  /** Stands exactly once in the file: short, so that it lives through formatting and small changes. */
  readonly find: string;
  readonly replace: string;
}

/** One in the sandbox: the file stands below src/sandbox. */
export interface Defect extends Edit {
  /** The topics of the conformance suite that are run against it. */
  readonly topics: readonly string[];
  /** How many random scripts are run against it; none unless said. */
  readonly seeds?: number;
}

/** The source with the defect in it. */
export function plant(defect: Edit, source: string): string {
  const problem = misfit(defect, source);
  if (problem !== undefined) throw new Error(problem);
  return source.replace(defect.find, () => defect.replace);
}

/** Why the defect cannot be planted: the source has changed, and the list with it should have. */
export function misfit({ name, file, find }: Edit, source: string): string | undefined {
  const times = source.split(find).length - 1;
  return times === 1
    ? undefined
    : `cannot plant "${name}" in ${file}: ${JSON.stringify(find)} stands ${times} times in it`;
}
