/**
 * Measures the sandbox against a real etcd and kube-apiserver: the same script by the same client against each, in one
 * run. Figures of different runs or hosts are not comparable; the ratios within one run are.
 * make bench ARGS='--quick'
 * The simulators of a sandbox are measured alone by
 * make bench ARGS=simulators
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { Figures } from './figures.ts';
import { Memory } from './memory.ts';
import { readOptions, usage, type Options } from './options.ts';
import { rowsOf, table } from './report.ts';
import { steps, type Step, type Subject } from './scenario.ts';
import { benchSimulators } from './simulators/main.ts';
import { serverNames, startServer, whyNoReal, type ServerName } from './servers.ts';

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

async function run(options: Options): Promise<void> {
  const missing = options.sandboxOnly ? 'left out by --sandbox-only' : await whyNoReal();
  const names = serverNames.filter((name) => name !== 'real' || missing === undefined);
  if (missing !== undefined) say(`no real kube-apiserver in this run: ${missing}`);
  const began = performance.now();
  const before = loadavg()[0] ?? 0;
  const subjects = await measure(names, options);
  const seconds = (performance.now() - began) / 1000;
  const rows = rowsOf(subjects.map(({ server, figures }) => ({ server: server.name, figures: figures.all })));
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGB: Math.round(totalmem() / 1e9),
    node: process.version,
    loadBefore: before,
  };
  const { cores, processor, memoryGB, node } = machine;
  console.log(`${cores} cores (${processor}), ${memoryGB} GB, Node ${node}, load ${before.toFixed(1)} before`);
  console.log(`${options.objects} objects of each kind, ${seconds.toFixed(0)} s`);
  if (missing !== undefined) console.log(`without a real kube-apiserver: ${missing}`);
  console.log(`\n${table(rows, names)}`);
  if (options.json !== undefined) {
    const result = { date: new Date().toISOString(), seconds, machine, options, servers: names, rows };
    await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
  }
}

async function measure(names: readonly ServerName[], options: Options): Promise<readonly Subject[]> {
  const subjects: Subject[] = [];
  try {
    for (const name of names) subjects.push(await start(name, options));
    for (const step of steps(options)) await take(step, subjects);
    return subjects;
  } finally {
    await Promise.all(subjects.map(({ server }) => server.stop()));
  }
}

async function start(name: ServerName, options: Options): Promise<Subject> {
  say(`${name}: start`);
  const server = await startServer(name);
  const figures = new Figures();
  figures.add('start', 'until the default ServiceAccount is there', 'ms', server.startUp);
  return { server, figures, memory: new Memory(server, figures, options.patience) };
}

async function take(step: Step, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) {
    say(`${subject.server.name}: ${step.title}`);
    await step.run(subject);
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === 'simulators') await benchSimulators(rest);
else {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) console.log(usage);
  else await run(options);
}
