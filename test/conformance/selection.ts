/**
 * The part of the suite that runs against the sandbox: all topics and the first random scripts, unless the environment
 * names topics (`watch,storage`) or a number of scripts. test/mutate uses that, which runs the suite many times, and
 * .ci/run, which runs all scripts.
 */
import { topics } from './cases/index.ts';
import { randomSeeds } from './random-recording.ts';
import type { Case } from './script.ts';

export const TOPICS = 'SSVIRT_CONFORMANCE_TOPICS';
export const SEEDS = 'SSVIRT_CONFORMANCE_SEEDS';

const usualSeeds = 150;

/** Cases of a minute or so run in CI only, live on both servers. */
export function chosenTopics(env: NodeJS.ProcessEnv = process.env): Record<string, readonly Case[]> {
  const named = env[TOPICS]?.split(',');
  const wanted = Object.entries(topics).filter(([topic]) => named === undefined || named.includes(topic));
  return Object.fromEntries(wanted.map(([topic, cases]) => [topic, cases.filter(({ slow }) => slow !== true)]));
}

export function chosenSeeds(env: NodeJS.ProcessEnv = process.env): readonly number[] {
  return randomSeeds.slice(0, Number(env[SEEDS] ?? usualSeeds));
}
