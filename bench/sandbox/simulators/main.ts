/** Measures the simulators of one sandbox: how fast VMs start, and how many state changes it can process. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { Figures } from '../figures.ts';
import { rowsOf, table } from '../report.ts';
import { changeStates } from './change-states.ts';
import { readOptions, usage, type Options } from './options.ts';
import { startMachines } from './start-machines.ts';
import { startSubject } from './subject.ts';

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

/** Called by `make bench ARGS=simulators`. */
export async function benchSimulators(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined) console.log(usage);
  else await run(options);
}

async function run(options: Options): Promise<void> {
  const before = loadavg()[0] ?? 0;
  const figures = new Figures();
  say('start');
  const subject = await startSubject(options.machines);
  try {
    say(`${options.machines} machines`);
    await startMachines(subject, options, figures);
    for (const by of options.by) {
      say(`${options.changes} state changes a second, by ${by}`);
      await changeStates(subject, options, by, figures);
    }
  } finally {
    await subject.stop();
  }
  const rows = rowsOf([{ server: 'sandbox', figures: figures.all }]);
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGB: Math.round(totalmem() / 1e9),
    node: process.version,
    loadBefore: before,
    loadAfter: loadavg()[0] ?? 0,
  };
  const load = `load ${before.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after`;
  console.log(`${machine.cores} cores (${machine.processor}), ${machine.memoryGB} GB, Node ${machine.node}, ${load}`);
  console.log(`\n${table(rows, ['sandbox'])}`);
  if (options.json === undefined) return;
  const result = { date: new Date().toISOString(), machine, options, rows };
  await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
}
