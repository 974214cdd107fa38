/**
 * What AAP's role creates, for tests of code that must not import the sandbox: they compare their objects with these.
 */
export * from '../../../packages/sandbox/src/simulators/aap/objects.ts';
export { roleParameters } from '../../../packages/sandbox/src/simulators/aap/payload.ts';
