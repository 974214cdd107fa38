/**
 * Measures the machine-operator: Machines on many clusters, from apply until all VirtualMachines exist, compared with
 * the same writes by a plain client. Figures of different runs are not comparable; the ratio within one run is.
 * make bench AREA=machine ARGS='--quick'
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { Figures } from '../sandbox/figures.ts';
import { percentile } from '../sandbox/percentiles.ts';
import { cpuSeconds } from '../sandbox/processes.ts';
import { makeNamespace } from './declared.ts';
import { startHarness, type Harness } from './harness.ts';
import { isBuilt } from '../operator/operator-process.ts';
import { report } from '../operator/report.ts';
import { readOptions, usage, type Options } from './options.ts';
import { whatWasMade, writeRaw } from './raw.ts';
import { namespace, operate } from './trial.ts';

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

async function run(options: Options): Promise<void> {
  const before = loadavg()[0] ?? 0;
  const figures = new Figures();
  const harness = await startHarness(options.clusters);
  try {
    say(`a supervisor and ${options.clusters} members are ready`);
    const seconds = await operate(harness, options, figures, say);
    say(`the operator is gone (load ${(loadavg()[0] ?? 0).toFixed(1)}); the same is written once more without it`);
    await raw(harness, options, figures, seconds);
  } finally {
    await harness.stop();
  }
  console.log(
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, load ${before.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} behind`,
  );
  if (!isBuilt(options.command)) console.log('from sources, whose types are stripped at the start: there is no build');
  console.log(`${options.machines} Machines on ${options.clusters} clusters\n\n${report(figures)}`);
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify({ options, figures: figures.all }, null, 2)}\n`);
}

async function raw(
  harness: Harness,
  { machines: count }: Options,
  figures: Figures,
  operatorSeconds: number,
): Promise<void> {
  const made = await whatWasMade(harness, namespace);
  const others = 'bench-raw';
  await makeNamespace(harness.supervisor.client, others);
  const [began, cpu] = [performance.now(), cpuSeconds(harness.processes)];
  const times = await writeRaw(harness, others, count, made);
  const seconds = (performance.now() - began) / 1000;
  figures.add('time', 'the same raw writes, until all were answered', 's', seconds);
  figures.add('time', 'raw: Machine sent → virtual machine answered, p50', 'ms', percentile(times, 0.5));
  figures.add('time', 'raw: Machine sent → virtual machine answered, p99', 'ms', percentile(times, 0.99));
  figures.add('time', 'operator / raw writes', '×', operatorSeconds / seconds);
  const serverMs = ((cpuSeconds(harness.processes) - cpu) * 1000) / count;
  figures.add('each Machine', 'processor time of the servers, raw writes', 'ms', serverMs);
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await run(options);
