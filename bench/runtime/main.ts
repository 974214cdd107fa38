/**
 * Measures our controller runtime against Go's controller-runtime: the same objects on the same kube-apiserver, first
 * one process after the other, then both at once on the same events. Figures of different runs are not comparable; the
 * ratios within one run are.
 * make bench AREA=runtime ARGS='--quick'
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../../test/cluster/cluster.ts';
import { Figures } from '../sandbox/figures.ts';
import { settledMegabytes } from '../sandbox/memory.ts';
import { median, percentile } from '../sandbox/percentiles.ts';
import { startServer, whyNoReal, type Server } from '../sandbox/servers.ts';
import { readOptions, usage, type Options } from './options.ts';
import { Player } from './player.ts';
import { group, populate, touch } from './population.ts';
import { compare, type Column } from './report.ts';
import { buildRival, type Rival } from './rival.ts';

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

interface Contestant {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const subject = join(import.meta.dirname, 'subject.ts');
const ours: readonly Contestant[] = [
  { name: 'ssvirt', command: process.execPath, args: [subject] },
  { name: 'ssvirt, whole objects', command: process.execPath, args: [subject, '--whole'] },
];

function rivals(path: string): readonly Contestant[] {
  return [
    { name: 'Go', command: path, args: ['-shape', 'unstructured'] },
    { name: 'Go, raw bytes', command: path, args: ['-shape', 'raw'] },
  ];
}

async function onServer(
  server: Server,
  contestants: readonly Contestant[],
  objects: number,
  options: Options,
): Promise<Column[]> {
  say(`${server.name}: ${objects} objects`);
  await populate(server, objects);
  const folder = await mkdtemp(join(tmpdir(), 'ssvirt-bench-'));
  const kubeconfig = await writeKubeconfig(join(folder, 'kubeconfig'), server);
  const flags = (dashes: string): string[] => [
    `${dashes}kubeconfig`,
    kubeconfig,
    `${dashes}group`,
    group.group,
    `${dashes}objects`,
    String(objects),
  ];
  const start = ({ name, command, args }: Contestant, ...more: string[]): Player =>
    new Player(name, command, [...args, ...flags(command === process.execPath ? '--' : '-'), ...more]);
  try {
    const columns = contestants.map(({ name }) => ({ name, figures: new Figures() }));
    await alone(contestants, columns, start, objects, options);
    await together(server, contestants, columns, start, objects, options);
    await slices(contestants, columns, start);
    return columns;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Start = (contestant: Contestant, ...more: string[]) => Player;

/** Runs each contestant alone, in turns, so that noise of the host affects all equally. */
async function alone(
  contestants: readonly Contestant[],
  columns: readonly Column[],
  start: Start,
  objects: number,
  options: Options,
): Promise<void> {
  const taken = contestants.map(() => ({
    boot: [] as number[],
    synced: [] as number[],
    drained: [] as number[],
    flooded: [] as number[],
    megabytes: [] as number[],
  }));
  for (let round = 0; round < options.rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      say(`${contestant.name}: alone, round ${round + 1}`);
      const player = start(contestant);
      const figures = taken[index];
      try {
        figures?.synced.push(Number((await player.until('synced')).ms));
        figures?.boot.push(performance.now() - player.began);
        figures?.drained.push(Number((await player.until('drained')).ms));
        figures?.megabytes.push(await settledMegabytes({ processes: [player] }, options.patience));
        figures?.flooded.push(Number((await player.ask('flood', 'flooded')).ms));
      } finally {
        await player.stop();
      }
    }
  }
  for (const [index, { figures }] of columns.entries()) {
    const { boot, synced, drained, flooded, megabytes } = taken[index] as (typeof taken)[number];
    figures.add('initial sync', 'from the first request to the cache', 'ms', median(synced));
    figures.add('initial sync', 'from the first request to the last first reconcile', 'ms', median(drained));
    figures.add('initial sync', 'from the start of the process to the cache', 'ms', median(boot));
    figures.add('memory', 'resident after the sync', 'MB', median(megabytes));
    figures.add('reconciles', 'every object once, by an outside source', '/s', (objects * 1000) / median(flooded));
  }
}

/** Runs all at once on the same events, so that the server and the host affect all equally. */
async function together(
  server: Server,
  contestants: readonly Contestant[],
  columns: readonly Column[],
  start: Start,
  objects: number,
  options: Options,
): Promise<void> {
  say(`all together: ${options.events} events, ${options.rate} a second`);
  const players: Player[] = [];
  try {
    for (const contestant of contestants) {
      const player = start(contestant);
      players.push(player);
      await player.until('drained');
    }
    await touch(server, Math.ceil(options.events / 5), options.rate, objects); // Warms up the engines.
    for (const player of players) await player.ask('latencies', 'latencies');
    await touch(server, options.events, options.rate, objects);
    await new Promise((wake) => setTimeout(wake, 2000));
    for (const [index, player] of players.entries()) {
      const { ms } = await player.ask('latencies', 'latencies');
      const values = Array.isArray(ms) ? (ms as number[]) : [];
      const figures = columns[index]?.figures;
      figures?.add('event to reconcile', 'events seen', '', values.length);
      figures?.add('event to reconcile', 'from sending the write, p50', 'ms', percentile(values, 0.5));
      figures?.add('event to reconcile', 'from sending the write, p99', 'ms', percentile(values, 0.99));
    }
  } finally {
    await Promise.all(players.map((player) => player.stop()));
  }
}

/** Measured for our runtime only: Go has no event loop. */
async function slices(contestants: readonly Contestant[], columns: readonly Column[], start: Start): Promise<void> {
  for (const [index, contestant] of contestants.entries()) {
    if (contestant.command !== process.execPath) continue;
    say(`${contestant.name}: slices of the event loop`);
    const player = start(contestant, '--slices');
    try {
      await player.until('drained');
      player.take('slice');
      columns[index]?.figures.add(
        'event loop',
        'longest own slice in the initial sync',
        'ms',
        Number((await player.until('slice')).ms),
      );
    } finally {
      await player.stop();
    }
  }
}

async function run(options: Options): Promise<void> {
  const rival: Rival = options.oursOnly ? { missing: 'left out by --ours-only' } : await buildRival();
  const noReal = options.sandboxOnly ? 'left out by --sandbox-only' : await whyNoReal();
  const before = loadavg()[0] ?? 0;
  const all = [...ours, ...(rival.path === undefined ? [] : rivals(rival.path))];
  const results: { server: string; objects: number; columns: Column[] }[] = [];
  for (const [name, objects] of [
    ...(noReal === undefined ? ([['real', options.objects]] as const) : []),
    ['sandbox', options.sandboxObjects] as const,
  ]) {
    const server = await startServer(name);
    try {
      results.push({ server: name, objects, columns: await onServer(server, all, objects, options) });
    } finally {
      await server.stop();
    }
  }
  console.log(
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, load ${before.toFixed(1)} before`,
  );
  if (noReal !== undefined) console.log(`without a real kube-apiserver: ${noReal}`);
  if (rival.missing !== undefined) console.log(`without Go's controller-runtime: ${rival.missing}`);
  for (const { server, objects, columns } of results)
    console.log(`\n${server}, ${objects} VirtualMachines\n\n${compare(columns, 'Go')}`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ options, results }, null, 2)}\n`);
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await run(options);
