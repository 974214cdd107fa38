/** Every fault on every operation, on the sandbox; run by .ci/run. */
import { runMatrix } from './matrix/matrix.ts';

runMatrix('sandbox');
