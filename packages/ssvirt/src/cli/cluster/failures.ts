/** Turns a refusal or a missing response of a cluster into a sentence for the user, with the matching exit code. */
import { KubeError, type ErrorKind } from '@ssvirt/kube/errors';
import { KubeconfigError } from '@ssvirt/kube/kubeconfig/error';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

const silent: ReadonlySet<ErrorKind> = new Set([
  'Unreachable',
  'DeadlineExceeded',
  'Timeout',
  'ServiceUnavailable',
  'TooManyRequests',
  'Malformed',
  // A command gives up after a time of its own.
  'Aborted',
]);
const refusing: ReadonlySet<ErrorKind> = new Set(['Unauthorized', 'Credentials']);

/** Defects of ours are returned unchanged. */
export function asFailure(error: unknown): unknown {
  if (error instanceof KubeconfigError) return new CliFailure(error.message, exitCodes.unavailable);
  if (!(error instanceof KubeError)) return error;
  const { kind, message } = error;
  if (silent.has(kind))
    return new CliFailure(
      `the cluster does not answer: ${message}. Check its address in the kubeconfig, or choose another cluster with --context`,
      exitCodes.unavailable,
    );
  if (refusing.has(kind))
    return new CliFailure(
      `the cluster rejected the credentials of the kubeconfig: ${message}. Renew them, or choose another context`,
      exitCodes.unavailable,
    );
  if (kind === 'Forbidden')
    return new CliFailure(`you have no permission for this: ${message}. Ask for it, or use another context`);
  return new CliFailure(`the cluster rejected the request: ${message}`);
}
