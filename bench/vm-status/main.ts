/**
 * Measures the vm-controller against a controller on Go's controller-runtime that does the same row by row: the same
 * VMs on the same API server, the same PostgreSQL, one process after the other. Figures of different runs are not
 * comparable; the ratios within one run are.
 * make bench AREA=vm-status ARGS='--quick'
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Column } from '../runtime/report.ts';
import { Figures } from '../sandbox/figures.ts';
import { whyNoReal } from '../sandbox/servers.ts';
import { ours, rival, type Contestant } from './contestants.ts';
import { hasUpstream } from './definitions.ts';
import { readOptions, usage, type Options } from './options.ts';
import { Postgres } from './postgres.ts';
import { report } from './report.ts';
import { buildRival } from './rival.ts';
import { onReal, onSandbox, onSource, manyMachines, type Stage } from './scenarios.ts';

const say = (text: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}`);

async function run(options: Options): Promise<void> {
  const built = options.oursOnly ? { missing: 'left out by --ours-only' } : await buildRival();
  const noReal = options.withoutReal ? 'left out by --without-real' : await whyNoReal();
  const before = loadavg()[0] ?? 0;
  const contestants: Contestant[] = [
    ...(options.rivalOnly ? [] : [ours]),
    ...(built.path === undefined ? [] : [rival(built.path, false), rival(built.path, true)]),
  ];
  const columns = contestants.map((contestant) => ({ name: contestant.name, contestant, figures: new Figures() }));
  const postgres = await Postgres.start();
  try {
    const stage: Stage = { postgres, columns, options, say };
    const has = (part: Options['only'][number]): boolean => options.only.includes(part);
    if (noReal === undefined && (has('sync') || has('changes'))) await onReal(stage);
    if (!options.withoutSandbox && (has('changes') || (noReal !== undefined && has('sync'))))
      await onSandbox(stage, noReal !== undefined);
    if (has('changes')) await onSource(stage);
    if (has('memory')) await manyMachines(stage);
  } finally {
    await postgres.stop();
  }
  await tell(options, columns, { noReal, noRival: built.missing, before });
}

async function tell(
  options: Options,
  columns: readonly Column[],
  { noReal, noRival, before }: { noReal: string | undefined; noRival: string | undefined; before: number },
): Promise<void> {
  console.log(
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, load ${before.toFixed(1)} before`,
  );
  if (noReal !== undefined) console.log(`without a real kube-apiserver: ${noReal}`);
  if (noRival !== undefined) console.log(`without Go's controller-runtime: ${noRival}`);
  if (!hasUpstream(options.definitions)) console.log("under light definitions of our own: KubeVirt's are not there");
  console.log(`\n${report(columns)}`);
  const results = columns.map(({ name, figures }) => ({ name, figures: figures.all }));
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ options, results }, null, 2)}\n`);
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await run(options);
