/** The status of a pod as a kubelet writes it, from creation to the end. The functions return patches of the status. */
import type { JsonObject } from '../../values/json.ts';
import { listAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { Condition, Pod } from '../kubevirt/objects.ts';
import { endedStatuses, runningStatuses, waitingStatuses } from './container-status.ts';

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

const yes: Verdict = { status: 'True' };

function condition(pod: Pod, type: string, verdict: Verdict, now: string): JsonObject {
  const known = conditionOf(pod, type);
  const since = known?.status === verdict.status ? (known.lastTransitionTime ?? now) : now;
  return {
    type,
    status: verdict.status,
    lastProbeTime: null,
    lastTransitionTime: since,
    // In a merge patch, null is needed to remove an old value.
    reason: verdict.reason ?? null,
    message: verdict.message ?? null,
  };
}

export function conditionOf(pod: Pod, type: string): Condition | undefined {
  return pod.status?.conditions?.find((one) => one.type === type);
}

const scheduled = (pod: Pod, now: string): readonly JsonObject[] =>
  conditionOf(pod, 'PodScheduled') === undefined ? [condition(pod, 'PodScheduled', yes, now)] : [];

export function creatingStatus(pod: Pod, hostIP: string, now: string): JsonObject {
  const names = listAt(pod.spec, 'containers').map((container) => textAt(container, 'name'));
  const unready: Verdict = {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names.join(' ')}]`,
  };
  return {
    phase: 'Pending',
    conditions: [
      ...scheduled(pod, now),
      condition(pod, 'Initialized', yes, now),
      condition(pod, 'ContainersReady', unready, now),
      condition(pod, 'Ready', unready, now),
    ],
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime: now,
    ...waitingStatuses(pod, 'ContainerCreating'),
  };
}

export function pullingStatus(pod: Pod, reason: 'ErrImagePull' | 'ImagePullBackOff', message: string): JsonObject {
  return { ...waitingStatuses(pod, reason, message) };
}

export function runningStatus(
  pod: Pod,
  addresses: { readonly hostIP: string; readonly podIP: string },
  now: string,
): JsonObject {
  const { hostIP, podIP } = addresses;
  return {
    phase: 'Running',
    conditions: [
      ...scheduled(pod, now),
      condition(pod, 'PodReadyToStartContainers', yes, now),
      condition(pod, 'Initialized', yes, now),
      condition(pod, 'ContainersReady', yes, now),
      condition(pod, 'Ready', readiness(pod), now),
    ],
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: (pod.status?.['startTime'] as string | undefined) ?? now,
    ...runningStatuses(pod, now),
  };
}

/** Ready depends on the containers and on the readiness gates. */
export function readiness(pod: Pod): Verdict {
  const closed = listAt(pod.spec, 'readinessGates').flatMap((gate) => {
    const type = textAt(gate, 'conditionType');
    const known = conditionOf(pod, type);
    if (known?.status === 'True') return [];
    const text = known === undefined ? 'does not exist' : 'is not "True"';
    return [`corresponding condition of pod readiness gate "${type}" ${text}.`];
  });
  if (closed.length === 0) return yes;
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: closed.join(', ') };
}

/** `readyAgain` returns a patch if Ready does not match the readiness gates; otherwise undefined. */
export function readyAgain(pod: Pod, now: string): JsonObject | undefined {
  const known = conditionOf(pod, 'Ready');
  const wanted = readiness(pod);
  if (known?.status === wanted.status && (known.message ?? '') === (wanted.message ?? '')) return undefined;
  return { conditions: [condition(pod, 'Ready', wanted, now)] };
}

export function endedStatus(
  pod: Pod,
  phase: 'Succeeded' | 'Failed',
  now: string,
  exitCode = phase === 'Failed' ? 1 : 0,
): JsonObject {
  const verdict: Verdict = { status: 'False', reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' };
  const startedAt = (pod.status?.['startTime'] as string | undefined) ?? now;
  return {
    phase,
    conditions: [condition(pod, 'ContainersReady', verdict, now), condition(pod, 'Ready', verdict, now)],
    ...endedStatuses(pod, exitCode, startedAt, now),
  };
}
