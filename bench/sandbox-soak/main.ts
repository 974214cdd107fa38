/**
 * The long chaos run for the sandbox: for half an hour, writers and watch-based caches use a sandbox that fails in
 * every way it can. Every minute there is a quiet point, at which everything must agree and the server must not have
 * grown.
 * make soak AREA=sandbox ARGS='--minutes 5 --data'
 */
import { readOptions, usage } from './options.ts';
import { soak } from './soak.ts';

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
// Exits at once: it does not wait for processes that a failed run left behind; they end with this one.
else process.exit((await soak(options, (text) => console.log(text))) ? 0 : 1);
