/**
 * The half of the matrix that fault-matrix.test.ts leaves out, on the sandbox; SSVIRT_TEST_ALL=1 tries
 * every fault on every operation.
 */
// only in make test-all: make test runs the other half, and .ci/run the matrix on a real server
import { triesAll } from '../chosen.ts';
import { runMatrix } from './matrix/matrix.ts';

runMatrix('sandbox', triesAll ? 'all' : 'other half');
