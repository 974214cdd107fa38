/** Implements `ssvirt fleet status` for parsed options. */
import { fleetStatus, type FleetStatus, type StatusQuestion } from '../../fleet/health/fleet-status.ts';
import type { ClusterChoice } from '../cluster/choice.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { plain } from '../output/plain.ts';
import { data } from '../output/print.ts';
import { say } from '../output/streams.ts';
import type { Format } from '../output/view.ts';
import { atSupervisor } from './at-supervisor.ts';
import { statusTable } from './status-table.ts';

export interface ShowOptions extends Pick<StatusQuestion, 'namespace' | 'live' | 'deadlineMs'> {
  readonly choice: ClusterChoice;
  readonly format: Format;
}

export async function showFleetStatus({ choice, format, ...question }: ShowOptions): Promise<ExitCode> {
  const { deadlineMs } = question;
  const status = await atSupervisor(
    { choice, component: 'fleet-status', doing: 'read the state of the fleet from the supervisor', deadlineMs },
    (asking) => fleetStatus({ ...question, ...asking }),
  );
  say(textOf(status, format));
  return status.ok ? exitCodes.done : exitCodes.failed;
}

function textOf(status: FleetStatus, format: Format): string {
  if (format === 'json' || format === 'yaml') return data(format, status);
  if (format === 'name') return status.clusters.map(({ name }) => `${plain(name)}\n`).join('');
  return statusTable(status, { width: process.stdout.columns, isWide: format === 'wide' });
}
