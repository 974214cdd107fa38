/** The definitions that the simulators bring. */
import type { Definition } from '../install-definitions.ts';

export const simulatedDefinitions: readonly Definition[] = [];
