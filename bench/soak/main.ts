/**
 * The long form of chaos: writers and watch-based caches against a sandbox that is made to fail in every way it can, for
 * half an hour; every minute all is quiet, and then everything must agree and the server must be no bigger than before.
 *   make soak-sandbox ARGS='--minutes 5 --data'
 */
import { readOptions, usage } from './options.ts';
import { soak } from './soak.ts';

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
// At once: what a run that failed has left running must not be waited for; it ends with us.
else process.exit((await soak(options, (text) => console.log(text))) ? 0 : 1);
