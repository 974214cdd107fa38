/** Explains why a cluster could not be used, and what to do about it. */
import { KubeError, type ErrorKind } from '@ssvirt/kube/errors';
import { reasons, type Reason } from '../kubevirtconfig/reasons.ts';
import type { CheckResult } from './check-result.ts';

export interface ClusterFailure extends CheckResult {
  readonly status: 'False';
}

const advice: Partial<Record<Reason, string>> = {
  [reasons.credentialsRefused]:
    'check that the token or certificate in the Secret is valid and has the rights that the documentation lists',
  [reasons.timedOut]: 'check that the cluster is up and that no firewall drops the connection',
  [reasons.unreachable]: 'check the server address, the certificate authority and the network in between',
  [reasons.unexpectedAnswer]: 'check that the server address in the kubeconfig is that of a Kubernetes API',
};

export function failureOf(error: unknown): ClusterFailure {
  const reason = reasonOf(error);
  const what = error instanceof Error ? error.message : String(error);
  return { status: 'False', reason, message: `${what}: ${advice[reason] ?? 'look at the log of the operator'}` };
}

const byKind: Partial<Record<ErrorKind, Reason>> = {
  Unauthorized: reasons.credentialsRefused,
  Forbidden: reasons.credentialsRefused,
  Credentials: reasons.credentialsRefused,
  DeadlineExceeded: reasons.timedOut,
  Timeout: reasons.timedOut,
  Unreachable: reasons.unreachable,
  ServiceUnavailable: reasons.unreachable,
  TooManyRequests: reasons.unreachable,
};

function reasonOf(error: unknown): Reason {
  return (error instanceof KubeError ? byKind[error.kind] : undefined) ?? reasons.unexpectedAnswer;
}
