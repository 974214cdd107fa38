/** The table row of a pod: readiness, status and restarts, aggregated from its containers' states. */
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import { age, name, none, orElse } from './cells.ts';
import type { Since } from './duration.ts';
import { at, listAt, numberAt, textAt } from './read.ts';

export function podCells(pod: KubeObject, since: Since): Json[] {
  const { reason, ready, restarts, lastRestart } = summary(pod);
  const total = listAt(pod, 'spec', 'containers').length + sidecars(pod).size;
  const ago = restarts !== 0 && lastRestart !== '' ? ` (${since(lastRestart)} ago)` : '';
  return [
    name(pod),
    `${ready}/${total}`,
    shownReason(pod, reason),
    `${restarts}${ago}`,
    age(pod, since),
    orElse(textAt(listAt(pod, 'status', 'podIPs')[0], 'ip'), none),
    orElse(textAt(pod, 'spec', 'nodeName'), none),
    orElse(textAt(pod, 'status', 'nominatedNodeName'), none),
    readinessGates(pod),
  ];
}

/** A finished pod's row contains the condition by which clients hide it. */
export function podConditions(pod: KubeObject): JsonObject[] | undefined {
  const phase = textAt(pod, 'status', 'phase');
  if (phase !== 'Succeeded' && phase !== 'Failed') return undefined;
  const message = phase === 'Failed' ? 'The pod failed.' : 'The pod has completed successfully.';
  return [{ type: 'Completed', status: 'True', reason: phase, message }];
}

interface Summary {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: string;
}

function summary(pod: KubeObject): Summary {
  const init = initSummary(pod);
  if (init.initializing && conditionStatus(pod, 'Initialized') !== 'True') return init.all;
  return containerSummary(pod, { ...init.sidecars, reason: init.all.reason });
}

function startingReason(pod: KubeObject): string {
  const gated = listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'reason') === 'SchedulingGated',
  );
  if (gated) return 'SchedulingGated';
  return orElse(textAt(pod, 'status', 'reason'), textAt(pod, 'status', 'phase'));
}

/** Init containers with restartPolicy Always run beside the main ones and count as containers. */
function sidecars(pod: KubeObject): Set<string> {
  const restartable = listAt(pod, 'spec', 'initContainers').filter(
    (container) => textAt(container, 'restartPolicy') === 'Always',
  );
  return new Set(restartable.map((container) => textAt(container, 'name')));
}

/**
 * Aggregates the init containers up to the first that is not done: once for all of them, once for the sidecars only.
 */
function initSummary(pod: KubeObject): { initializing: boolean; all: Summary; sidecars: Summary } {
  const all: Summary = { reason: startingReason(pod), ready: 0, restarts: 0, lastRestart: '' };
  const beside: Summary = { ...all };
  const restartable = sidecars(pod);
  for (const [i, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    const isSidecar = restartable.has(textAt(status, 'name'));
    countRestarts(all, status);
    if (isSidecar) countRestarts(beside, status);
    if (isDone(status)) continue;
    if (isSidecar && at(status, 'started') === true) {
      if (at(status, 'ready') === true) {
        all.ready++;
        beside.ready++;
      }
      continue;
    }
    all.reason = initReason(status, i, listAt(pod, 'spec', 'initContainers').length);
    return { initializing: true, all, sidecars: beside };
  }
  return { initializing: false, all, sidecars: beside };
}

const isDone = (status: Json): boolean =>
  at(status, 'state', 'terminated') !== undefined && numberAt(status, 'state', 'terminated', 'exitCode') === 0;

function initReason(status: Json, index: number, count: number): string {
  const terminated = at(status, 'state', 'terminated');
  if (terminated !== undefined) return `Init:${terminationReason(terminated)}`;
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${count}`;
}

function terminationReason(terminated: Json): string {
  const signal = numberAt(terminated, 'signal');
  const code = signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
  return orElse(textAt(terminated, 'reason'), code);
}

function countRestarts(sum: Summary, status: Json): void {
  sum.restarts += numberAt(status, 'restartCount');
  const finished = textAt(status, 'lastState', 'terminated', 'finishedAt');
  if (finished !== '' && (sum.lastRestart === '' || Date.parse(finished) > Date.parse(sum.lastRestart))) {
    sum.lastRestart = finished;
  }
}

/** The first container that has a reason determines the reason, so the loop starts with the last one. */
function containerSummary(pod: KubeObject, start: Summary): Summary {
  const sum = { ...start };
  let running = false;
  let errorReason = '';
  for (const status of listAt(pod, 'status', 'containerStatuses').toReversed()) {
    countRestarts(sum, status);
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const terminated = at(status, 'state', 'terminated');
    if (waiting !== '') sum.reason = waiting;
    else if (terminated !== undefined) {
      sum.reason = terminationReason(terminated);
      if (numberAt(terminated, 'exitCode') !== 0) errorReason = sum.reason;
    } else if (at(status, 'ready') === true && at(status, 'state', 'running') !== undefined) {
      running = true;
      sum.ready++;
    }
  }
  if (sum.reason === 'Completed') sum.reason = completedReason(pod, running, errorReason);
  return sum;
}

/** One completed container does not complete a pod in which others still run. */
function completedReason(pod: KubeObject, running: boolean, errorReason: string): string {
  const isReady = listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  );
  if (running && isReady) return 'Running';
  if (errorReason !== '') return errorReason;
  return running ? 'NotReady' : 'Completed';
}

function shownReason(pod: KubeObject, reason: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  const phase = textAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating';
}

function readinessGates(pod: KubeObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return none;
  const passed = gates.filter((gate) => conditionStatus(pod, textAt(gate, 'conditionType')) === 'True');
  return `${passed.length}/${gates.length}`;
}

function conditionStatus(object: KubeObject, type: string): string {
  const condition = listAt(object, 'status', 'conditions').find((entry) => textAt(entry, 'type') === type);
  return textAt(condition, 'status');
}
