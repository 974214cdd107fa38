/** The measurements, and where each runs. */
import type { Column } from '../runtime/report.ts';
import { settledMegabytes } from '../sandbox/memory.ts';
import { median } from '../sandbox/percentiles.ts';
import { peakBytes } from '../sandbox/processes.ts';
import { readInitialEvents } from './bare-watcher.ts';
import { measure } from './changes.ts';
import type { Contestant } from './contestants.ts';
import type { Load } from './load.ts';
import { cycle } from './machines.ts';
import type { Options } from './options.ts';
import type { Postgres } from './postgres.ts';
import { openScene, type Scene, type SourceName } from './scenes.ts';
import { trial } from './trial.ts';

export interface Stage {
  readonly postgres: Postgres;
  readonly columns: readonly (Column & { readonly contestant: Contestant })[];
  readonly options: Options;
  readonly say: (text: string) => void;
}

export async function onReal(stage: Stage): Promise<void> {
  await withScene(stage, 'real', stage.options.machines, async (scene) => {
    if (stage.options.only.includes('sync')) await sync(stage, scene);
    if (stage.options.only.includes('changes')) await changes(stage, scene, [atRate(100, stage.options)]);
  });
}

export async function onSandbox(stage: Stage, inPlaceOfReal: boolean): Promise<void> {
  const { machines, only } = stage.options;
  await withScene(stage, 'sandbox', machines, async (scene) => {
    if (inPlaceOfReal && only.includes('sync')) await sync(stage, scene);
    if (only.includes('changes'))
      await changes(stage, scene, [atRate(500, stage.options), atRate(1000, stage.options), flood(machines, 1)]);
  });
}

export async function onSource(stage: Stage): Promise<void> {
  const { machines } = stage.options;
  const loads = [atRate(500, stage.options), atRate(1000, stage.options), flood(machines, 1), flood(machines, 4)];
  await withScene(stage, 'source', machines, (scene) => changes(stage, scene, loads));
}

/** Ours only: the memory of the rival's cache is already known from fewer VMs. */
export async function manyMachines(stage: Stage): Promise<void> {
  const { options, say } = stage;
  const column = stage.columns.find(({ name }) => name === 'ssvirt');
  if (column === undefined) return;
  await withScene(stage, 'source', options.many, async (scene) => {
    say(`${column.name}: ${options.many} machines`);
    await trial(column.contestant, scene, stage.postgres, async ({ running, syncSeconds }) => {
      const section = `${options.many} machines from memory`;
      column.figures.add(section, 'process start → all rows in sync', 's', syncSeconds);
      const settled = await settledMegabytes({ processes: [running] }, options.patience);
      column.figures.add(section, 'resident', 'MB', settled);
      column.figures.add(section, 'resident, at most', 'MB', peakBytes([running]) / 1e6);
      // Twice: objects that finalizers release in the first collection are freed by the second.
      await running.collectGarbage();
      await running.collectGarbage();
      const live = await settledMegabytes({ processes: [running] }, options.patience);
      column.figures.add(section, 'resident after a forced collection', 'MB', live);
    });
  });
}

async function withScene(
  stage: Stage,
  name: SourceName,
  machines: number,
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  stage.say(`${name}: ${machines} machines are made`);
  const scene = await openScene(name, machines, stage.options.definitions);
  try {
    await stage.postgres.template(name, scene.uids);
    await use(scene);
  } finally {
    await stage.postgres.drop(name);
    await scene.stop();
  }
}

/** Shorter with few VMs: in one load no VM may change so often that its statuses repeat. */
const atRate = (rate: number, { seconds, machines }: Options): Load => ({
  title: `${rate} changes a second`,
  rate,
  changes: Math.min(rate * seconds, machines * (cycle - 1)),
});
const flood = (machines: number, times: number): Load => ({
  title: times === 1 ? 'flooded, each machine once' : `flooded, each machine ${times} times`,
  rate: 0,
  changes: machines * times,
});

/** Runs in turns, so that noise of the host affects all equally; each round also measures the lower limit. */
async function sync({ columns, postgres, options, say }: Stage, scene: Scene): Promise<void> {
  const taken = columns.map(() => ({
    seconds: [] as number[],
    ratio: [] as number[],
    cpu: [] as number[],
    statements: [] as number[],
    megabytes: [] as number[],
    peak: [] as number[],
  }));
  const limits: number[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const bare = await readInitialEvents(scene.server);
    say(`${scene.name}: a bare watcher reads ${bare.megabytes.toFixed(0)} MB in ${bare.seconds.toFixed(2)} s`);
    limits.push(bare.seconds);
    for (const [index, { contestant }] of columns.entries()) {
      const figures = taken[index] as (typeof taken)[number];
      await trial(contestant, scene, postgres, async ({ running, syncSeconds, syncCpu, syncStatements }) => {
        say(`${scene.name}: ${contestant.name} in sync after ${syncSeconds.toFixed(2)} s, round ${round}`);
        figures.seconds.push(syncSeconds);
        figures.ratio.push(syncSeconds / bare.seconds);
        figures.cpu.push(syncCpu);
        figures.statements.push(syncStatements);
        figures.megabytes.push(await settledMegabytes({ processes: [running] }, options.patience));
        figures.peak.push(peakBytes([running]) / 1e6);
      });
    }
  }
  const section = `${scene.name}, ${scene.versions.count} machines`;
  for (const [index, { figures }] of columns.entries()) {
    const own = taken[index] as (typeof taken)[number];
    figures.add(section, 'a bare watcher reads the initial events', 's', median(limits));
    figures.add(section, 'process start → all rows in sync', 's', median(own.seconds));
    figures.add(section, 'as a multiple of the bare watcher', '', median(own.ratio));
    figures.add(section, 'processor time until then', 'CPU s', median(own.cpu));
    figures.add(section, 'statements until then', '', median(own.statements));
    figures.add(section, 'resident', 'MB', median(own.megabytes));
    figures.add(section, 'resident, at most', 'MB', median(own.peak));
  }
}

async function changes({ columns, postgres, say }: Stage, scene: Scene, loads: readonly Load[]): Promise<void> {
  // What the rival's cache keeps makes no difference to what it writes.
  for (const { contestant, figures } of columns.filter(({ name }) => !name.includes('projection'))) {
    await trial(contestant, scene, postgres, async (running) => {
      for (const load of loads) {
        say(`${scene.name}: ${contestant.name}, ${load.title}`);
        await measure(scene, running, load, figures);
      }
    });
  }
}
