/** Runs what a command does to the cluster of a kubeconfig: whatever the cluster refuses, or does not answer, ends it with a sentence and the code for that. */
import type { Command } from 'commander';
import { ApiError, type ErrorKind } from '../../kube/errors.ts';
import { KubeconfigError } from '../../kube/kubeconfig/load.ts';
import { ended } from '../output/command.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { clusterChoice, connected, type Connected } from './connect.ts';

export function inCluster(
  command: Command,
  component: string,
  doing: (connected: Connected) => Promise<ExitCode | void>,
): Promise<void> {
  return ended(async () => {
    try {
      return await connected(clusterChoice(command), component, doing);
    } catch (error) {
      throw asFailure(error);
    }
  });
}

const silent: ReadonlySet<ErrorKind> = new Set([
  'Unreachable',
  'DeadlineExceeded',
  'Timeout',
  'ServiceUnavailable',
  'TooManyRequests',
  'Malformed',
]);
const refusing: ReadonlySet<ErrorKind> = new Set(['Unauthorized', 'Credentials']);

/** Defects of ours stay what they are. */
export function asFailure(error: unknown): unknown {
  if (error instanceof KubeconfigError) return new CliFailure(error.message, exitCodes.unavailable);
  if (!(error instanceof ApiError)) return error;
  const { kind, message } = error;
  if (silent.has(kind))
    return new CliFailure(
      `the cluster does not answer: ${message}. Look at its address in the kubeconfig, or choose another by --context`,
      exitCodes.unavailable,
    );
  if (refusing.has(kind))
    return new CliFailure(
      `the cluster does not take the credentials of the kubeconfig: ${message}. Renew them, or choose another context`,
      exitCodes.unavailable,
    );
  if (kind === 'Forbidden')
    return new CliFailure(`you may not do that: ${message}. Ask for the right, or use another context`);
  return new CliFailure(`the cluster refused it: ${message}`);
}
