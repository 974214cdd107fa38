/**
 * Measures the API server, run as in production, with large tables: the latency of a request on one connection and on
 * sixteen, and what it costs.
 * make bench AREA=api ARGS='--quick'
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { cases } from './cases.ts';
import { isBuilt } from './api-process.ts';
import { startHarness, type Harness, type Wanted } from './harness.ts';
import { listenersTable } from './listeners/report.ts';
import { measureListeners, type ListenersFound } from './listeners/scenario.ts';
import { MachinesBench, type MeasuredMachines } from './machines.ts';
import { machinesTable } from './machines-report.ts';
import { Bench, connectionCounts, type Measured } from './measure.ts';
import { readOptions, usage, type Options } from './options.ts';
import type { Plan } from './plan.ts';
import { plansOfLists } from './plans.ts';
import { farRatios, loads, memoryTable, planReport, type Memory } from './report.ts';
import { few } from './rows.ts';
import { vmListCases, vmListTable } from './vm-lists.ts';

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

interface Found {
  readonly large: Large | undefined;
  readonly machines: readonly MeasuredMachines[];
  readonly listeners: ListenersFound | undefined;
}

/** What depends on large lists. */
interface Large {
  readonly measured: readonly Measured[];
  readonly vmLists: readonly Measured[];
  readonly memory: Memory;
  readonly plans: readonly Plan[];
}

async function run(options: Options): Promise<void> {
  const before = loadavg()[0] ?? 0;
  const { rows, profile } = options;
  const isLarge = options.only.some((part) => part !== 'machines' && part !== 'listeners');
  const large = isLarge ? await on({ rows, profile }, (harness) => measureAll(harness, options)) : undefined;
  // The cost of these does not depend on how many rows other tenants have.
  const small = { rows: Math.min(rows, few), profile };
  const machines = options.only.includes('machines')
    ? await on({ ...small, controller: true }, (harness) => new MachinesBench(harness, options, say).measure())
    : [];
  const listeners = options.only.includes('listeners')
    ? await on({ ...small, commitTimes: true }, (harness) => measureListeners(harness, options, say))
    : undefined;
  await tell(options, { large, machines, listeners }, before);
}

async function on<T>(wanted: Wanted, measure: (harness: Harness) => Promise<T>): Promise<T> {
  const harness = await startHarness(wanted, say);
  try {
    return await measure(harness);
  } finally {
    await harness.stop();
  }
}

async function measureAll(harness: Harness, options: Options): Promise<Large> {
  const { server, postgres, sessions } = harness;
  const has = (part: Options['only'][number]): boolean => options.only.includes(part);
  const atStart = server.residentBytes();
  const bench = new Bench(harness, options);
  const measured: Measured[] = [];
  const wanted = cases(options.rows).filter(({ part, name }) => has(part) && name.includes(options.match));
  for (const one of wanted)
    for (const connections of connectionCounts) {
      say(`${one.name}, ${connections} connections`);
      measured.push(await bench.measure(one, connections));
    }
  const vmLists: Measured[] = [];
  for (const one of vmListCases(options.rows).filter(({ part, name }) => has(part) && name.includes(options.match))) {
    say(one.name);
    vmLists.push(await bench.measure(one, 1));
  }
  const [get] = cases(options.rows);
  if (has('log-in') && get !== undefined) {
    say(`${get.name}, while 16 log in`);
    measured.push(...(await bench.underLogIns(get)));
  }
  if (has('creation')) {
    say('VDC creation');
    measured.push(...(await bench.creation()));
  }
  const memory = { atStart, afterwards: server.residentBytes(), peak: server.peakBytes() };
  if (has('plans')) say('query plans');
  const plans = has('plans') ? await plansOfLists(postgres.explainedUrl, sessions, options.rows) : [];
  return { measured, vmLists, memory, plans };
}

async function tell(options: Options, found: Found, before: number): Promise<void> {
  const { large, machines, listeners } = found;
  if (!options.markdown) {
    console.log(
      `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, load ${before.toFixed(1)} before`,
    );
    if (!isBuilt) console.log('from the sources: there is no build (make build)');
  }
  if (large !== undefined) tellLarge(options, large);
  if (machines.length > 0) console.log(`\n${machinesTable(machines)}`);
  if (listeners !== undefined) console.log(`\n${listenersTable(listeners)}`);
  if (options.json !== undefined) {
    const { measured, vmLists, memory } = large ?? {};
    const figures = { options, measured, vmLists, memory, machines, listeners };
    await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  }
}

function tellLarge({ markdown }: Options, { measured, vmLists, memory, plans }: Large): void {
  if (!markdown)
    console.log('Go is the ancestor of ssvirt, measured on another day on a machine like this: its code is not here\n');
  if (measured.length > 0) console.log(loads(measured));
  if (vmLists.length > 0) console.log(`\n${vmListTable(vmLists)}`);
  const ratios = farRatios(measured);
  if (ratios.length > 0) console.log(`\n${ratios.join('\n')}`);
  console.log(`\n${memoryTable(memory)}`);
  if (plans.length > 0) console.log(`\n${planReport(plans).join('\n')}`);
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await run(options);
