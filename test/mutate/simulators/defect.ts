/** A behaviour of the simulators that is switched off, and what must notice. */
import type { NamedTests } from '../check.ts';
import type { Edit } from '../defect.ts';

/** The file of the defect stands below src/sandbox/simulators. */
export interface SimulatorDefect extends Edit {
  readonly noticedBy: NamedTests;
}

const recorded = 'test/kubevirt/';

/** The recordings stand beside the repository, and not everywhere. */
export function needsRecordings({ file }: NamedTests): boolean {
  return file.startsWith(recorded);
}

/**
 * One that no defect of these touches is checked along with the others: that it still passes tells a defect that is noticed from simulators that do
 * not even start.
 */
const bystanders = {
  scenario: 'vm/delete-halted',
  admission: 'admission/create/name-upper',
  state: 'missing',
};

/** Recorded scenarios, played again. */
export function scenarios(...ids: readonly string[]): NamedTests {
  return { file: `${recorded}scenarios.suite.ts`, only: [...ids, bystanders.scenario] };
}

/** Recorded answers of the admission chain. */
export function admission(...ids: readonly string[]): NamedTests {
  return { file: `${recorded}admission.test.ts`, only: [...ids.map((id) => `admission/${id}`), bystanders.admission] };
}

/** States in which all calls of subresources were recorded. */
export function states(...names: readonly string[]): NamedTests {
  return { file: `${recorded}subresources.test.ts`, only: [...names, bystanders.state] };
}

/** A test file beside the source. */
export function unit(file: string): NamedTests {
  return { file: `src/sandbox/simulators/${file}` };
}

/** Tests of the simulators together on a sandbox. */
export function together(file: string, ...only: readonly string[]): NamedTests {
  return { file: `test/simulators/${file}`, only };
}
