/**
 * Measures the cloudkit-operator: many orders are created at once, and timed until all their objects are applied and
 * until their VMs are ready. For comparison, a plain client sends the same writes. Figures of different runs are not
 * comparable; the ratio within one run is.
 * make bench AREA=cloudkit ARGS='--quick'
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { isBuilt } from '../operator/operator-process.ts';
import { report } from '../operator/report.ts';
import { quiet } from '../operator/rest.ts';
import { Figures } from '../sandbox/figures.ts';
import { settledMegabytes } from '../sandbox/memory.ts';
import { cpuSeconds } from '../sandbox/processes.ts';
import { startHarness, type Harness } from './harness.ts';
import { readOptions, usage, type Options } from './options.ts';
import { writeRaw } from './raw.ts';
import { mediansOf } from './rounds.ts';
import { addShares } from './times.ts';
import { provision, removeAll, startOperator, type Provisioned, type Trial } from './trial.ts';

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

async function run(options: Options): Promise<void> {
  const before = loadavg()[0] ?? 0;
  const figures = new Figures();
  figures.all.push(...(await measure(options, false)));
  if (options.simulated) figures.all.push(...(await measure(options, true)));
  const load = (loadavg()[0] ?? 0).toFixed(1);
  console.log(
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, load ${before.toFixed(1)} before and ${load} behind`,
  );
  if (!isBuilt(options.command)) console.log('from sources, whose types are stripped at the start: there is no build');
  console.log(`${options.orders} orders at once, ${options.rounds} rounds\n\n${report(figures)}`);
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify({ options, figures: figures.all }, null, 2)}\n`);
}

/** Without simulators, alternates with the same raw writes; with simulators, waits until the VMs are ready. */
async function measure(options: Options, isSimulated: boolean): Promise<Figures['all']> {
  const { speed } = options;
  const simulated = speed === 1 ? 'KubeVirt simulated' : `KubeVirt simulated, ${speed} times as fast`;
  const section = isSimulated ? simulated : 'nothing simulated';
  const harness = await startHarness(isSimulated ? speed : undefined);
  const whole = new Figures();
  try {
    const operator = await startOperator(harness, options);
    try {
      await quiet(operator);
      if (!isSimulated) whole.add('memory', 'resident before', 'MB', operator.residentBytes() / 1e6);
      const rounds: Figures[] = [];
      for (let round = 1; round <= options.rounds; round++) {
        const figures = new Figures();
        const trial = { harness, operator, options, round, figures, section };
        const made = await provision(trial, isSimulated ? 'ready' : 'applied');
        await removeAll(trial);
        if (!isSimulated) await raw(trial, made);
        rounds.push(figures);
        say(`${section}: round ${round} of ${options.rounds} (load ${(loadavg()[0] ?? 0).toFixed(1)})`);
      }
      if (!isSimulated) await addMemory(operator, options, whole);
      return [...mediansOf(rounds).all, ...whole.all];
    } catch (error) {
      say(operator.tail());
      throw error;
    } finally {
      await operator.stop();
    }
  } finally {
    await harness.stop();
  }
}

async function addMemory(operator: Trial['operator'], { patience }: Options, figures: Figures): Promise<void> {
  figures.add('memory', 'peak', 'MB', operator.peakBytes() / 1e6);
  figures.add('memory', 'resident afterwards', 'MB', await settledMegabytes(operator, patience));
}

async function raw({ harness, options, round, figures, section }: Trial, made: Provisioned): Promise<void> {
  const { orders: count } = options;
  const [began, cpu] = [performance.now(), serverSeconds(harness)];
  const times = await writeRaw(harness.server.client, round, count, made.sample);
  const seconds = (performance.now() - began) / 1000;
  figures.add(section, 'the same raw writes, until all were answered', 's', seconds);
  addShares(figures, section, 'raw: created → last write answered', times);
  figures.add(section, 'operator / raw writes', '×', made.seconds / seconds);
  figures.add(
    'each order',
    'processor time of the server, raw writes',
    'ms',
    ((serverSeconds(harness) - cpu) * 1000) / count,
  );
}

const serverSeconds = ({ processes }: Harness): number => cpuSeconds(processes);

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await run(options);
