/**
 * The status of the fleet as text for a terminal, in columns. The last column is prose and is wrapped at the terminal's
 * width.
 */
import { conditionTypes, reasons } from '../../fleet/kubevirtconfig/reasons.ts';
import type { ClusterStatus, FleetStatus } from '../../fleet/health/fleet-status.ts';

export interface TableOptions {
  /** Without a width nothing is wrapped: piped output is for programs. */
  readonly width?: number | undefined;
  /** Adds the conditions that indicate a problem. */
  readonly isWide?: boolean;
}

export function statusTable(
  { clusters, checks, unplacedMachines }: FleetStatus,
  { width, isWide = false }: TableOptions = {},
): string {
  const rows = clusters.map((one) => [
    one.name,
    one.phase,
    one.status || '-',
    one.kubernetesVersion ?? '-',
    one.kubevirtVersion ?? '-',
    one.machines === undefined ? '-' : String(one.machines),
    ...(isWide ? [troublesOf(one)] : []),
    one.message,
  ]);
  const head = ['NAME', 'PHASE', 'STATUS', 'KUBERNETES', 'KUBEVIRT', 'MACHINES', ...(isWide ? ['CONDITIONS'] : [])];
  const clusterTable = rows.length === 0 ? ['no clusters'] : table([[...head, 'MESSAGE'], ...rows], width);
  const unplaced =
    unplacedMachines === undefined || unplacedMachines === 0
      ? []
      : ['', `${unplacedMachines} ${unplacedMachines === 1 ? 'Machine is' : 'Machines are'} not placed on a cluster`];
  const checkTable = table(
    [
      ['CHECK', 'RESULT', 'FOUND'],
      ...checks.map(({ subject, ok, message }) => [subject, ok ? 'ok' : 'WARNING', message]),
    ],
    width,
  );
  return `${[...clusterTable, ...unplaced, '', ...checkTable].join('\n')}\n`;
}

/** Conditions that are good when they are false. */
const badWhenTrue: ReadonlySet<string> = new Set([
  conditionTypes.identityChanged,
  conditionTypes.duplicate,
  conditionTypes.inUse,
  conditionTypes.inUseByMachines,
]);

/** Worth a look although the condition is as it should be. */
const warnings: ReadonlySet<string> = new Set([reasons.versionsDiffer, reasons.previousCredentials]);

function troublesOf({ conditions }: ClusterStatus): string {
  const troubles = conditions.filter(
    ({ type, status, reason }) => (status === 'True') === badWhenTrue.has(type) || warnings.has(reason),
  );
  return troubles.map(({ type, status, reason }) => `${type}=${status}:${reason}`).join(',') || '-';
}

const gap = '  ';
/** If the prose column would be narrower than this, it goes below its row. */
const narrowest = 36;
const below = 4;

/** Cells contain text from other systems: control characters are removed. */
const harmless = (cell: string): string => cell.replaceAll(/\p{Cc}/gu, ' ');

function table(words: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): readonly string[] {
  const rows = words.map((row) => row.map(harmless));
  const columns = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  const start = columns.slice(0, -1).reduce((sum, column) => sum + column + gap.length, 0);
  const isBelow = width - start < narrowest;
  const indent = isBelow ? below : start;
  return rows.flatMap((row, i) => {
    const cells = row.slice(0, -1).map((cell, column) => cell.padEnd(columns[column] ?? 0) + gap);
    const prose = isBelow && i === 0 ? [] : wrapped(row.at(-1) ?? '', width - indent);
    const [first = '', ...more] = isBelow ? ['', ...prose] : prose;
    const lines = [cells.join('') + first, ...more.map((line) => ' '.repeat(indent) + line)];
    return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
  });
}

function wrapped(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > room && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
