/** Implements `ssvirt fleet orphans` for parsed options. */
import type { ClusterChoice } from '../cluster/choice.ts';
import { span } from '../output/ago.ts';
import { columns } from '../output/columns.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { plain } from '../output/plain.ts';
import { data } from '../output/print.ts';
import { say } from '../output/streams.ts';
import type { Format } from '../output/view.ts';
import { atSupervisor } from './at-supervisor.ts';
import { findOrphans, type FoundOrphans, type Orphan, type OrphanQuestion } from './find-orphans.ts';

export interface OrphanOptions extends Pick<OrphanQuestion, 'namespace' | 'deadlineMs'> {
  readonly choice: ClusterChoice;
  readonly format: Format;
}

export async function showOrphans({ choice, format, ...question }: OrphanOptions): Promise<ExitCode> {
  const { deadlineMs } = question;
  const found = await atSupervisor(
    { choice, component: 'fleet-orphans', doing: 'find out which Machines exist in the supervisor', deadlineMs },
    (asking) => findOrphans({ ...question, ...asking }),
  );
  say(format === 'json' || format === 'yaml' ? data(format, found) : orphanText(found, Date.now()));
  return found.ok ? exitCodes.done : exitCodes.failed;
}

export function orphanText({ orphans, clusters }: FoundOrphans, now: number): string {
  const untold = clusters.flatMap(({ name, unreached, unread }) =>
    unreached === undefined
      ? unread.map((what) => `cluster "${name}": no permission to read ${what}`)
      : [`cluster "${name}": ${unreached}`],
  );
  const deletions = orphans.flatMap(({ deletion }) => deletion ?? []);
  const sections = [
    orphans.length === 0 ? ['no orphans'] : columns([heads, ...orphans.map((one) => cellsOf(one, now))], ''),
    untold.length === 0 ? [] : ['NOT READ, so there may be more', ...untold],
    deletions.length === 0 ? [] : ['TO DELETE THEM, with their data', ...deletions],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.map(plain).join('\n')}\n`)
    .join('\n');
}

const heads = ['CLUSTER', 'NAMESPACE', 'MACHINE', 'KIND', 'NAME', 'SIZE', 'AGE', 'NOTE'];

function cellsOf(
  { cluster, namespace, machine, kind, name, size, createdAt, note }: Orphan,
  now: number,
): readonly string[] {
  const age = createdAt === undefined ? Number.NaN : now - Date.parse(createdAt);
  return [
    cluster,
    namespace,
    machine.key,
    kind,
    name,
    size ?? '-',
    Number.isNaN(age) ? '-' : span(Math.max(0, age)),
    note ?? '',
  ];
}
