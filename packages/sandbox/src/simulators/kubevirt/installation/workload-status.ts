/** The status of a workload, from the number of its pods and of the ready ones. */
import { isDeepStrictEqual } from 'node:util';
import type { Condition } from '../objects.ts';

export interface Counts {
  readonly wanted: number;
  readonly there: number;
  readonly ready: number;
}

export interface DeploymentStatus {
  readonly observedGeneration: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly conditions: readonly Condition[];
}

/** A count of 0 is left out, as Kubernetes does. */
const counted = <K extends string>(name: K, count: number): { readonly [key in K]?: number } =>
  (count === 0 ? {} : { [name]: count }) as { readonly [key in K]?: number };

export function deploymentStatus(
  { wanted, there, ready }: Counts,
  generation: number,
  replicaSet: string,
  before: readonly Condition[],
  now: string,
): DeploymentStatus {
  // A quarter of the pods, rounded down, may be missing during a rolling update.
  const enough = ready >= wanted - Math.floor(wanted / 4);
  return {
    observedGeneration: generation,
    ...counted('replicas', there),
    ...counted('updatedReplicas', there),
    ...counted('readyReplicas', ready),
    ...counted('availableReplicas', ready),
    ...counted('unavailableReplicas', Math.max(0, wanted - ready)),
    conditions: timed(
      [
        enough
          ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
          : condition(
              'Available',
              'False',
              'MinimumReplicasUnavailable',
              'Deployment does not have minimum availability.',
            ),
        ready >= wanted
          ? condition(
              'Progressing',
              'True',
              'NewReplicaSetAvailable',
              `ReplicaSet "${replicaSet}" has successfully progressed.`,
            )
          : condition('Progressing', 'True', 'ReplicaSetUpdated', `ReplicaSet "${replicaSet}" is progressing.`),
      ],
      before,
      now,
      'lastUpdateTime',
    ),
  };
}

export interface DaemonSetStatus {
  readonly observedGeneration: number;
  readonly desiredNumberScheduled: number;
  readonly currentNumberScheduled: number;
  readonly numberMisscheduled: number;
  readonly numberReady: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly updatedNumberScheduled?: number;
}

export function daemonSetStatus({ wanted, there, ready }: Counts, generation: number): DaemonSetStatus {
  return {
    observedGeneration: generation,
    desiredNumberScheduled: wanted,
    currentNumberScheduled: there,
    numberMisscheduled: 0,
    numberReady: ready,
    ...counted('updatedNumberScheduled', there),
    ...counted('numberAvailable', ready),
    ...counted('numberUnavailable', Math.max(0, wanted - ready)),
  };
}

export const condition = (type: string, status: Condition['status'], reason: string, message: string): Condition => ({
  type,
  status,
  reason,
  message,
});

/** `timed` sets the times of conditions: `lastTransitionTime` changes with the status, `lastUpdateTime` with any field. */
export function timed(
  conditions: readonly Condition[],
  before: readonly Condition[],
  now: string,
  other: 'lastUpdateTime' | 'lastProbeTime' | 'lastHeartbeatTime',
): readonly Condition[] {
  return conditions.map((one) => {
    const old = before.find(({ type }) => type === one.type);
    const said = ({ status, reason, message }: Condition): unknown => ({ status, reason, message });
    const same = old !== undefined && isDeepStrictEqual(said(old), said(one));
    return {
      ...one,
      [other]: same ? (old[other] ?? now) : now,
      lastTransitionTime: old?.status === one.status ? (old.lastTransitionTime ?? now) : now,
    };
  });
}
