/** Every fault, and every operation, on the sandbox; .ci/run tries every fault on every operation. */
import { runMatrix } from './matrix/matrix.ts';

runMatrix('sandbox', 'half');
