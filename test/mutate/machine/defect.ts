/** A mistake in the machine-operator, in what it makes of a Machine or in how it chooses a cluster, and the tests that must notice it. */
export { checkOf, witnesses, type ApiDefect as MachineDefect } from '../api/defect.ts';
