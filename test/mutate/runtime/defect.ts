/** A behaviour of the runtime that is switched off. The test that bears its id must fail then. */
import type { Edit } from '../defect.ts';

export interface RuntimeDefect extends Edit {
  /** Of the checklist: T1 … C6. */
  readonly id: string;
  /** The test files that have tests with this id, from the root of the repository. */
  readonly tests: readonly string[];
}
