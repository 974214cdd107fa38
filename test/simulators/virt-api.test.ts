/** virt-api's subresources through the API server: what they write, whom they let in, and the bytes of consoles. */
import { startSandbox } from '../cluster/sandbox.ts';
import { virtApiCases } from './virt-api-cases.ts';

virtApiCases('test/simulators/virt-api.test.ts', () => startSandbox());
