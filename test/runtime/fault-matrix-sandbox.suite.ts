/**
 * The half of the matrix that fault-matrix.test.ts leaves out, on the sandbox; run by .ci/run. SSVIRT_TEST_ALL=1 tries
 * every fault on every operation.
 */
import { triesAll } from '../chosen.ts';
import { runMatrix } from './matrix/matrix.ts';

runMatrix('sandbox', triesAll ? 'all' : 'other half');
