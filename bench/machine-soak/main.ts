/**
 * The long chaos run for the machine-operator: three clusters; hundreds of Machines that are created, changed and
 * deleted; vandals in the clusters; operators that are killed; clusters that are cut off; Secrets that are rotated. At
 * the end every Machine must have exactly its declared objects, and nothing else may exist.
 * make soak AREA=machine ARGS='--minutes 2'
 */
import { runChaos } from '../../test/machine-operator/chaos/run.ts';
import { readOptions, usage, type Options } from './options.ts';

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
// Exits at once: it does not wait for processes that a failed run left behind; they end with this one.
else process.exit((await soak(options)) ? 0 : 1);

async function soak({ minutes, machines, seed }: Options): Promise<boolean> {
  const began = performance.now();
  const say = (text: string): void =>
    console.log(`${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${text}`);
  say(`seed ${seed}`);
  const shape = {
    machines,
    apart: true,
    durationMs: minutes * 60_000,
    people: 8,
    pauseMs: 60,
    calmMs: 1500,
    deadlineMs: 600_000,
  };
  try {
    const { actions, disruptions, doubles } = await runChaos({ seed, ...shape, say });
    say(`${actions} actions, ${disruptions.length} disruptions`);
    for (const uid of doubles) console.log(`VIOLATION: the Machine ${uid} had virtual machines in two clusters`);
    say(doubles.length === 0 ? 'every Machine was as declared, and nothing is left' : `${doubles.length} violations`);
    return doubles.length === 0;
  } catch (error) {
    say(`failed; the seed was ${seed}`);
    console.log(error instanceof Error ? error.message : error);
    return false;
  }
}
