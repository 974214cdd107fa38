/** Connects a command to the supervisor; one that does not answer ends the command with a sentence. */
import type { Client } from '@ssvirt/kube/client/client';
import { KubeError } from '@ssvirt/kube/errors';
import { KubeconfigError } from '@ssvirt/kube/kubeconfig/load';
import type { ClusterChoice } from '../cluster/choice.ts';
import { connected } from '../cluster/connect.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

export interface SupervisorVisit {
  readonly choice: ClusterChoice;
  readonly component: string;
  /** For people: what cannot be done if it fails. */
  readonly doing: string;
  /** The deadline of each request, and of each cluster. */
  readonly deadlineMs: number;
}

export async function atSupervisor<T>(
  { choice, component, doing, deadlineMs }: SupervisorVisit,
  action: (asking: { readonly supervisor: Client; readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  try {
    return await connected(choice, component, ({ client: supervisor }) =>
      // Leaves time for two rounds: the supervisor first, then all clusters at once.
      action({ supervisor, signal: AbortSignal.timeout(4 * deadlineMs) }),
    );
  } catch (error) {
    if (!(error instanceof KubeError || error instanceof KubeconfigError)) throw error;
    throw new CliFailure(`cannot ${doing}: ${error.message}`, exitCodes.unavailable);
  }
}
