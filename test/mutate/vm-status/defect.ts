/** A behaviour of the vm-controller, of what it knows of KubeVirt, or of the database that is switched off, and what must notice. */
import type { NamedTests } from '../check.ts';
import type { Edit } from '../defect.ts';

/** The file of the defect stands below src. */
export interface VmStatusDefect extends Edit {
  readonly noticedBy: NamedTests;
}

/** A test file beside the source, below src. */
export function unit(file: string): NamedTests {
  return { file: `src/${file}` };
}

/**
 * Tests of the whole controller on a sandbox. The last one named is one that the defect does not touch: that it still passes tells a defect that is
 * noticed from a controller that does not even start.
 */
export function behaviour(...only: readonly string[]): NamedTests {
  return { file: 'test/vm-status/behaviour.test.ts', only };
}
