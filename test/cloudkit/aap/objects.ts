/**
 * What AAP's role creates, for tests of code that must not import the sandbox: they compare their objects with these.
 */
export * from '../../../src/sandbox/simulators/aap/objects.ts';
export { roleParameters } from '../../../src/sandbox/simulators/aap/payload.ts';
