/** Everything known about a member at one moment, and its assessment. */
import type { Finding } from '@ssvirt/kube/reconcile/conditions';
import { judgeCompatibility, type OtherCluster } from './compatibility.ts';
import type { ClusterFailure } from './failure.ts';
import type { ConnectionStatus, Phase } from '../kubevirtconfig/kubevirt-config.ts';
import { acceptIdentityAnnotation } from '../kubevirtconfig/kubevirt-config.ts';
import { conditionTypes as types, reasons } from '../kubevirtconfig/reasons.ts';
import type { ClusterProbe } from './cluster-probe.ts';
import type { CheckResult } from './check-result.ts';

export interface Observation {
  /** What is wrong with the current content of the Secret: the content itself, or the cluster that it leads to. */
  readonly secret?: ClusterFailure;
  /** Whether the connection in use answers; absent if there is none. */
  readonly connection?: 'answers' | ClusterFailure;
  /** Why its watches deliver nothing; absent if they deliver. */
  readonly watches?: string;
  readonly identity?: string;
  /** The uid of the cluster that the kubeconfig leads to, if it is not the recorded one. */
  readonly otherIdentity?: string;
  /** The name under which the cluster is already a member. */
  readonly duplicateOf?: string;
  readonly probe?: ClusterProbe;
}

export interface MemberAssessment {
  readonly phase: Phase;
  readonly status: ConnectionStatus;
  /** Empty if nothing is wrong. */
  readonly message: string;
  readonly findings: readonly Finding[];
}

export function assess(name: string, seen: Observation, baseline?: OtherCluster): MemberAssessment {
  const reachable = judgeReachable(seen);
  const kubeVirt = seen.probe?.kubeVirt ?? notChecked;
  const compatible = judgeKinds(name, seen, baseline);
  const identity = judgeSwap(name, seen);
  const duplicate = judgeDuplicate(seen);
  const findings = [
    { type: types.reachable, ...reachable },
    { type: types.kubeVirtReady, ...pick(kubeVirt) },
    { type: types.compatible, ...compatible },
    { type: types.identityChanged, ...identity },
    ...(duplicate === undefined ? [] : [{ type: types.duplicate, ...duplicate }]),
  ];
  const whole = { phase: 'Ready', status: 'Connected', message: '' } as const;
  const is = (phase: Phase, status: ConnectionStatus, { message }: CheckResult): MemberAssessment => ({
    phase,
    status,
    message,
    findings,
  });
  if (identity.status === 'True') return is('Failed', 'IdentityChanged', identity);
  if (duplicate !== undefined) return is('Failed', 'Duplicate', duplicate);
  // Requests are answered, so callers that only send requests continue.
  if (reachable.reason === reasons.watchesSilent) return is('Degraded', 'Connected', reachable);
  if (reachable.status === 'Unknown') return is('Pending', 'Connecting', reachable);
  if (reachable.status === 'False')
    return is('Failed', isAboutSecret(reachable) ? 'InvalidKubeconfig' : 'Disconnected', reachable);
  const attention = [seen.secret === undefined ? undefined : reachable, kubeVirt, compatible].find(
    (check) => check !== undefined && (check.status !== 'True' || check === reachable),
  );
  return attention === undefined ? { ...whole, findings } : is('Degraded', 'Connected', attention);
}

const notChecked: CheckResult = {
  status: 'Unknown',
  reason: reasons.notChecked,
  message: 'the cluster has not been reached yet',
};

const pick = ({ status, reason, message }: CheckResult): CheckResult => ({ status, reason, message });

/** As in reachability.ts: it answers, and its watches deliver. */
function judgeReachable({ secret, connection, watches }: Observation): CheckResult {
  if (connection === 'answers' && watches !== undefined)
    return {
      status: 'False',
      reason: reasons.watchesSilent,
      message: `the API server answers requests, but its watches deliver no events, so changes are not seen: ${watches}`,
    };
  if (connection === 'answers')
    return secret === undefined
      ? { status: 'True', reason: reasons.connected, message: 'the API server answers' }
      : {
          status: 'True',
          reason: reasons.previousCredentials,
          message: `the previous credentials are still in use, because the new ones do not work: ${secret.message}`,
        };
  if (secret !== undefined) return secret;
  return connection ?? { status: 'Unknown', reason: reasons.connecting, message: 'waiting for the first answer' };
}

const secretReasons: readonly string[] = [
  reasons.nameReserved,
  reasons.secretNotFound,
  reasons.secretUnreadable,
  reasons.kubeconfigMissing,
  reasons.kubeconfigInvalid,
  reasons.kubeconfigRefused,
];

const isAboutSecret = ({ reason }: CheckResult): boolean => secretReasons.includes(reason);

function judgeKinds(name: string, { probe }: Observation, baseline: OtherCluster | undefined): CheckResult {
  if (probe === undefined) return notChecked;
  const { served } = probe;
  return 'versions' in served ? judgeCompatibility(name, served.versions, baseline) : served.unknown;
}

function judgeSwap(name: string, { identity, otherIdentity }: Observation): CheckResult {
  if (otherIdentity === undefined)
    return identity === undefined
      ? { status: 'Unknown', reason: reasons.notChecked, message: 'the cluster has not been reached yet' }
      : { status: 'False', reason: reasons.sameCluster, message: 'the cluster is the one of first contact' };
  return {
    status: 'True',
    reason: reasons.anotherCluster,
    message:
      `the kubeconfig leads to another cluster (kube-system uid ${otherIdentity}) than at first contact (${identity}): nothing is written there and nothing is ` +
      `taken as deleted. Put the right kubeconfig into the Secret or, if the new cluster is the right one, set the annotation ` +
      `${acceptIdentityAnnotation}: ${otherIdentity} on KubevirtConfig "${name}"`,
  };
}

function judgeDuplicate({ duplicateOf }: Observation): CheckResult | undefined {
  if (duplicateOf === undefined) return undefined;
  const message = `the kubeconfig leads to the cluster that is a member as "${duplicateOf}": use that name, or delete one of the two`;
  return { status: 'True', reason: reasons.alreadyMember, message };
}
