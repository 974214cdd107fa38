/** Every fault, and every operation, on the sandbox; the rest of the matrix is tried by .ci/run. */
import { runMatrix } from './matrix/matrix.ts';

runMatrix('sandbox', 'one half');
