/** The sandbox against all recorded random scripts; the test runs only some of them. Run by .ci/run. */
// only in make test-all: make test runs a choice of the random scripts
import { randomSeeds } from './random-recording.ts';
import { SEEDS, TOPICS } from './selection.ts';

process.env[TOPICS] ??= '';
process.env[SEEDS] ??= String(randomSeeds.length);
await import('./sandbox.test.ts');
