/** virt-api's subresources through the API server: their writes, their access checks, and the bytes of consoles. */
import { startSandbox } from '../cluster/sandbox.ts';
import { virtApiCases } from './virt-api-cases.ts';

virtApiCases('test/simulators/virt-api.test.ts', () => startSandbox());
