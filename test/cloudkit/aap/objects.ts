/** What AAP's role makes, for tests beside code that may not know the sandbox: those compare what they make with it. */
export * from '../../../src/sandbox/simulators/aap/objects.ts';
export { roleParameters } from '../../../src/sandbox/simulators/aap/payload.ts';
