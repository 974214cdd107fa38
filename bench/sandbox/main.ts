/**
 * Measures the sandbox beside a real etcd and kube-apiserver: the same script by the same client against one after the
 * other, in one run. Figures of different runs or machines do not compare; the ratios of one run do.
 *   make bench ARGS='--quick'
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { readOptions, usage, type Options } from './options.ts';
import { rowsOf, table, type Column } from './report.ts';
import { measure } from './scenario.ts';
import { serverNames, startServer, whyNoReal, type ServerName } from './servers.ts';

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

async function run(options: Options): Promise<void> {
  const missing = options.sandboxOnly ? 'left out by --sandbox-only' : await whyNoReal();
  const names = serverNames.filter((name) => name !== 'real' || missing === undefined);
  if (missing !== undefined) say(`no real kube-apiserver in this run: ${missing}`);
  const began = performance.now();
  const load = loadavg()[0] ?? 0;
  const columns: Column[] = [];
  for (const name of names) columns.push({ server: name, figures: await measureServer(name, options) });
  const seconds = (performance.now() - began) / 1000;
  const rows = rowsOf(columns);
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGB: Math.round(totalmem() / 1e9),
    node: process.version,
    loadAtStart: load,
  };
  console.log(
    `${machine.cores} cores (${machine.processor}), ${machine.memoryGB} GB, Node ${machine.node}, load ${load.toFixed(1)} at the start, ${seconds.toFixed(0)} s`,
  );
  if (missing !== undefined) console.log(`without a real kube-apiserver: ${missing}`);
  console.log(`\n${table(rows, names)}`);
  if (options.json !== undefined) {
    const result = { date: new Date().toISOString(), seconds, machine, options, servers: names, rows };
    await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
  }
}

async function measureServer(name: ServerName, options: Options): Promise<Column['figures']> {
  const server = await startServer(name);
  try {
    return (await measure(server, options, say)).all;
  } finally {
    await server.stop();
  }
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await run(options);
