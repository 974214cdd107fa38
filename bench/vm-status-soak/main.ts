/**
 * The long chaos run for the vm-controller: several clusters, hundreds of VMs in use, and controllers, API servers and
 * PostgreSQL that are killed all the time. At the end every row must match its VM, and no row may ever have gone back.
 * make soak AREA=vm-status ARGS='--minutes 2'
 */
import { runChaos } from '../../test/vm-status/chaos.ts';
import { readOptions, usage, type Options } from './options.ts';

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
// Exits at once: it does not wait for processes that a failed run left behind; they end with this one.
else process.exit((await soak(options)) ? 0 : 1);

async function soak({ minutes, vms, clusters, seed }: Options): Promise<boolean> {
  const began = performance.now();
  const say = (text: string): void =>
    console.log(`${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${text}`);
  say(`seed ${seed}`);
  const shape = { clusters, machines: vms, durationMs: minutes * 60_000, calmMs: 2000, pauseMs: 50 };
  try {
    const result = await runChaos({ seed, ...shape, say });
    const { actions, refused, writes, disruptions, violations } = result;
    say(`${actions} actions, ${refused} refused, ${writes} writes, ${disruptions.length} disruptions`);
    for (const violation of violations) console.log(violation);
    say(
      violations.length === 0 ? 'every row says what its machine is; no violation' : `${violations.length} violations`,
    );
    return violations.length === 0;
  } catch (error) {
    say(`failed; the seed was ${seed}`);
    console.log(error instanceof Error ? error.message : error);
    return false;
  }
}
