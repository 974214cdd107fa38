/**
 * The long chaos run for the controller runtime: a server that dies every minute under steady writes, and an operator
 * that must at the end have the server's state, must never reconcile a key twice at once, and must not grow.
 * make soak AREA=runtime ARGS='--minutes 2'
 */
import { readOptions, usage } from './options.ts';
import { soak } from './soak.ts';

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
// Exits at once: it does not wait for processes that a failed run left behind; they end with this one.
else process.exit((await soak(options, (text) => console.log(text))) ? 0 : 1);
