/** On the sandbox, the half of the matrix that fault-matrix.test.ts leaves out; run by .ci/run. SSVIRT_TEST_ALL=1 tries every fault on every operation. */
import { runMatrix } from './matrix/matrix.ts';

runMatrix('sandbox', process.env['SSVIRT_TEST_ALL'] === '1' ? 'all' : 'other half');
