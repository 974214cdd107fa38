/**
 * The long form of chaos for the controller runtime: a server that dies every minute under steady writes, and an operator that must know in the end what the
 * server has, reconcile nothing twice at once, and be no bigger than before.
 *   make soak-runtime ARGS='--minutes 2'
 */
import { readOptions, usage } from './options.ts';
import { soak } from './soak.ts';

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
// At once: what a run that failed has left running must not be waited for; it ends with us.
else process.exit((await soak(options, (text) => console.log(text))) ? 0 : 1);
