/** A mistake in the API server, in what it keeps in the database or in what it does in the clusters, and the tests that must notice it. */
import { patternOf, type Check } from '../check.ts';
import type { Edit } from '../defect.ts';

/** The file of the defect stands below src. */
export interface ApiDefect extends Edit {
  readonly noticedBy: Witness;
}

export interface Witness {
  /** From the root of the repository. */
  readonly file: string;
  /** The test that must fail. */
  readonly test: string;
  /** One of the same file that passes all the same: it tells a defect that is noticed from a server that does not even start. */
  readonly control: string;
  /** Neither builds on others of the file: the two are run alone, which is quicker. */
  readonly alone?: boolean;
  /** Where the tests are written, if not in the file itself. */
  readonly writtenIn?: string;
}

/** The tests of one file, below src unless it says otherwise; each by its name. */
export function witnesses(
  file: string,
  control: string,
  more: Pick<Witness, 'alone' | 'writtenIn'> = {},
): (test: string) => Witness {
  return (test) => ({ file: file.startsWith('test/') ? file : `src/${file}`, test, control, ...more });
}

/** The whole file is run where tests may build on those before them; only the two that are named count. */
export function checkOf({ noticedBy: { file, test, control, alone = false } }: ApiDefect): Check {
  const patterns = alone ? { patterns: [patternOf([test, control])] } : {};
  return { files: [file], ...patterns, counts: (name) => name === test || name === control };
}
