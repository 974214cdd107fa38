/** The fault matrix on the sandbox; .ci/run tries the rest. */
import { runMatrix } from './matrix/matrix.ts';

runMatrix('sandbox', 'one half');
