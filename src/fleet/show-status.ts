/** What `ssvirt fleet status` does once it knows what is asked. */
import { createClient } from '../kube/client/create.ts';
import { ApiError } from '../kube/errors.ts';
import { KubeconfigError, loadKubeconfig } from '../kube/kubeconfig/load.ts';
import { fleetStatus, type FleetStatus, type StatusQuestion } from './fleet-status.ts';
import { statusTable } from './status-table.ts';

export interface ShowOptions extends Pick<StatusQuestion, 'namespace' | 'live' | 'deadlineMs'> {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly output: 'table' | 'json';
}

/** Resolves to the exit code. */
export async function showFleetStatus({ output, ...options }: ShowOptions): Promise<number> {
  try {
    const status = await ask(options);
    const text =
      output === 'json' ? `${JSON.stringify(status, null, 2)}\n` : statusTable(status, process.stdout.columns);
    process.stdout.write(text);
    return status.ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof KubeconfigError)) throw error;
    process.stderr.write(`ssvirt: cannot ask the supervisor how the fleet is: ${error.message}\n`);
    return 2;
  }
}

async function ask({ kubeconfig: path, context, ...question }: Omit<ShowOptions, 'output'>): Promise<FleetStatus> {
  const source = await loadKubeconfig({
    ...(path === undefined ? {} : { path }),
    ...(context === undefined ? {} : { context }),
  });
  const supervisor = createClient({ cluster: 'local', source, userAgent: 'ssvirt-fleet-status' });
  try {
    // Twice: the supervisor is asked first, then all clusters at once.
    const signal = AbortSignal.timeout(4 * question.deadlineMs);
    return await fleetStatus({ ...question, supervisor, signal });
  } finally {
    await supervisor.close();
  }
}
