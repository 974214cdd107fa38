/** Implements `ssvirt fleet status` for parsed options. */
import { fleetStatus, type FleetStatus, type StatusQuestion } from '../../fleet/health/fleet-status.ts';
import { KubeError } from '@ssvirt/kube/errors';
import { KubeconfigError } from '@ssvirt/kube/kubeconfig/load';
import type { ClusterChoice } from '../cluster/choice.ts';
import { connected } from '../cluster/connect.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { plain } from '../output/plain.ts';
import { data } from '../output/print.ts';
import { say } from '../output/streams.ts';
import type { Format } from '../output/view.ts';
import { statusTable } from './status-table.ts';

export interface ShowOptions extends Pick<StatusQuestion, 'namespace' | 'live' | 'deadlineMs'> {
  readonly choice: ClusterChoice;
  readonly format: Format;
}

export async function showFleetStatus({ choice, format, ...question }: ShowOptions): Promise<ExitCode> {
  const status = await asked(choice, question);
  say(textOf(status, format));
  return status.ok ? exitCodes.done : exitCodes.failed;
}

function textOf(status: FleetStatus, format: Format): string {
  if (format === 'json' || format === 'yaml') return data(format, status);
  if (format === 'name') return status.clusters.map(({ name }) => `${plain(name)}\n`).join('');
  return statusTable(status, { width: process.stdout.columns, isWide: format === 'wide' });
}

async function asked(
  choice: ClusterChoice,
  question: Omit<StatusQuestion, 'supervisor' | 'signal'>,
): Promise<FleetStatus> {
  try {
    return await connected(choice, 'fleet-status', ({ client: supervisor }) =>
      // Leaves time for two rounds: the supervisor first, then all clusters at once.
      fleetStatus({ ...question, supervisor, signal: AbortSignal.timeout(4 * question.deadlineMs) }),
    );
  } catch (error) {
    if (!(error instanceof KubeError || error instanceof KubeconfigError)) throw error;
    throw new CliFailure(
      `cannot read the state of the fleet from the supervisor: ${error.message}`,
      exitCodes.unavailable,
    );
  }
}
