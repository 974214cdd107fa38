/** Every fault on every operation, on the sandbox. */
import { runMatrix } from './matrix/matrix.ts';

runMatrix('sandbox');
