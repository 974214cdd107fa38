/** What a cluster refuses, or does not answer, as a sentence for the person who typed the command, with the code for that. */
import { ApiError, type ErrorKind } from '../../kube/errors.ts';
import { KubeconfigError } from '../../kube/kubeconfig/error.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

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
