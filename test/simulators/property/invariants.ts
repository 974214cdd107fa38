/** What always holds in a cluster with KubeVirt, as far as a single change shows it. */
import { parseQuantity, quantityAsFloat } from '../../../packages/sandbox/src/objects/schema/quantity.ts';
import type { Unstructured } from '../../../packages/kube/src/object.ts';
import { isObject, type JsonObject } from '../../../packages/sandbox/src/values/json.ts';
import { tracedKinds, wordOf, type TracedKind } from './recorded-transitions.ts';
import { at, claimsOf, hasEnded, isDeleting, isLiveLauncher, listOf, textOf, type Seen } from './seen.ts';
import { allowedSteps, recordedReady, recordedUncreated } from './transitions.ts';

export interface Finding {
  readonly line?: string;
  readonly violation?: string;
}

export type Check = (seen: Seen) => Finding;

const fine: Finding = {};
const nameOf = ({ metadata }: Unstructured): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
const wrong = ({ kind, object }: Seen, text: string): Finding => ({ violation: `${kind} ${nameOf(object)}: ${text}` });

const allowed = new Map(tracedKinds.map((kind) => [kind as string, allowedSteps(kind)] as const));

/** Pods that are not launchers follow only the rules of Kubernetes. */
function isTraced({ kind, object }: Seen): boolean {
  return allowed.has(kind) && (kind !== 'Pod' || object.metadata.labels?.['kubevirt.io'] === 'virt-launcher');
}

const step: Check = (seen) => {
  if (!isTraced(seen)) return fine;
  const kind = seen.kind as TracedKind;
  const word = (object: Unstructured): string => wordOf(kind, object as unknown as JsonObject);
  const from = seen.before === undefined || seen.change === 'ADDED' ? 'new' : word(seen.before);
  const to = seen.change === 'DELETED' ? 'gone' : word(seen.object);
  if (from === to) return fine;
  const line = `${kind} ${nameOf(seen.object)}: ${from} > ${to}`;
  return allowed.get(kind)?.has(`${from} > ${to}`) === true
    ? { line }
    : { line, violation: `${line} is no step of KubeVirt` };
};

const ranks = ['', 'Pending', 'Scheduling', 'Scheduled', 'Running', 'Succeeded', 'Failed'];

const phaseGoesOn: Check = (seen) => {
  if (seen.kind !== 'VirtualMachineInstance' || seen.before === undefined || seen.change !== 'MODIFIED') return fine;
  const [from, to] = [textOf(seen.before, 'status', 'phase'), textOf(seen.object, 'status', 'phase')];
  return ranks.indexOf(to) < ranks.indexOf(from) ? wrong(seen, `phase goes back from ${from} to ${to}`) : fine;
};

const uidLasts: Check = (seen) => {
  const [before, now] = [seen.before?.metadata.uid, seen.object.metadata.uid];
  return before !== undefined && before !== now ? wrong(seen, 'has another uid without having been deleted') : fine;
};

const vmTellsTheTruth: Check = (seen) => {
  const { object } = seen;
  if (seen.kind !== 'VirtualMachine' || seen.change === 'DELETED') return fine;
  const word = wordOf('VirtualMachine', object as unknown as JsonObject);
  const [ready, created] = [at(object, 'status', 'ready') === true, at(object, 'status', 'created') === true];
  if (ready && !created) return wrong(seen, 'is ready without being created');
  // A VMI that has just ended is still Ready, and disk states take precedence over Stopped (1.3, 7 to 10).
  if (ready && ![...recordedReady, 'Provisioning', 'DataVolumeError', 'WaitingForVolumeBinding'].includes(word))
    return wrong(seen, `is ready while ${word}`);
  // An unbound claim also keeps a VM waiting before it has a VMI (kubevirt.md, 1.3, 10).
  if (!created && ![...recordedUncreated, 'WaitingForVolumeBinding'].includes(word))
    return wrong(seen, `has no VMI while ${word}`);
  const generation = object.metadata.generation ?? 0;
  for (const field of ['observedGeneration', 'desiredGeneration'])
    if (Number(at(object, 'status', field) ?? 0) > generation) return wrong(seen, `${field} is above ${generation}`);
  return fine;
};

const VM_FINALIZER = 'kubevirt.io/virtualMachineControllerFinalize';
const VMI_FINALIZER = 'kubevirt.io/foregroundDeleteVirtualMachine';

const finalizersStay: Check = (seen) => {
  const { object } = seen;
  if (seen.change === 'DELETED') return fine;
  const missing = (name: string): boolean => !(object.metadata.finalizers ?? []).includes(name);
  if (seen.kind === 'VirtualMachine' && !isDeleting(object) && at(object, 'status', 'created') === true)
    return missing(VM_FINALIZER) ? wrong(seen, 'lives without its finalizer') : fine;
  if (seen.kind === 'VirtualMachineInstance' && !hasEnded(object))
    return missing(VM_FINALIZER) || missing(VMI_FINALIZER) ? wrong(seen, 'lives without its finalizers') : fine;
  return fine;
};

/** Two during a migration: the target has a label with the migration's uid. */
const fewLaunchers: Check = (seen) => {
  if (seen.kind !== 'Pod' || seen.change === 'DELETED' || !isLiveLauncher(seen.object)) return fine;
  const owner = seen.object.metadata.labels?.['kubevirt.io/created-by'];
  const live = seen
    .all('Pod', seen.object.metadata.namespace)
    .filter((pod) => isLiveLauncher(pod) && pod.metadata.labels?.['kubevirt.io/created-by'] === owner);
  const moves = live.some(({ metadata }) => metadata.labels?.['kubevirt.io/migrationJobUID'] !== undefined);
  const names = live.map(({ metadata }) => metadata.name).join(', ');
  return live.length > (moves ? 2 : 1) ? wrong(seen, `its VMI has ${live.length} launchers: ${names}`) : fine;
};

const claimsStayInUse: Check = (seen) => {
  if (seen.kind !== 'PersistentVolumeClaim' || seen.change !== 'DELETED') return fine;
  const { namespace, name = '' } = seen.object.metadata;
  const user = seen
    .all('Pod', namespace)
    .find((pod) => isLiveLauncher(pod) && textOf(pod, 'spec', 'nodeName') !== '' && claimsOf(pod).includes(name));
  return user === undefined ? fine : wrong(seen, `is gone while ${user.metadata.name} uses it`);
};

function amount(value: unknown): number {
  const parsed = typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value)) : undefined;
  return parsed === undefined ? 0 : quantityAsFloat(parsed);
}

/** The containers' requests; those of init containers and sidecars could only add to them. */
function requested(pod: Unstructured, resource: string): number {
  return listOf(pod, 'spec', 'containers').reduce((sum, { resources }) => {
    const requests = isObject(resources) && isObject(resources['requests']) ? resources['requests'] : {};
    return sum + amount(requests[resource]);
  }, 0);
}

const nodesHoldWhatFits: Check = (seen) => {
  const name = textOf(seen.object, 'spec', 'nodeName');
  if (seen.kind !== 'Pod' || seen.change === 'DELETED' || name === '' || textOf(seen.before, 'spec', 'nodeName') !== '')
    return fine;
  const node = seen.all('Node').find(({ metadata }) => metadata.name === name);
  const there = seen.all('Pod').filter((pod) => textOf(pod, 'spec', 'nodeName') === name && !hasEnded(pod));
  for (const resource of ['cpu', 'memory']) {
    const [room, used] = [
      amount(at(node, 'status', 'allocatable', resource)),
      there.reduce((sum, pod) => sum + requested(pod, resource), 0),
    ];
    if (node !== undefined && used > room) return wrong(seen, `${name} has ${room} ${resource}, and ${used} is used`);
  }
  return fine;
};

/** A quota may be set below the current usage; from then on usage only falls until it fits. */
const quotasHold: Check = (seen) => {
  if (seen.kind !== 'ResourceQuota' || seen.change !== 'MODIFIED') return fine;
  const [hard, used, before] = ['hard', 'used']
    .map((field) => at(seen.object, 'status', field))
    .concat([at(seen.before, 'status', 'used')]);
  if (!isObject(hard) || !isObject(used) || !isObject(before)) return fine;
  const over = Object.keys(hard).find(
    (resource) => amount(used[resource]) > amount(hard[resource]) && amount(used[resource]) > amount(before[resource]),
  );
  return over === undefined ? fine : wrong(seen, `${over} grew to ${String(used[over])} of ${String(hard[over])}`);
};

const addressesDiffer: Check = (seen) => {
  const address = textOf(seen.object, 'status', 'podIP');
  if (seen.kind !== 'Pod' || seen.change === 'DELETED' || address === '' || hasEnded(seen.object)) return fine;
  if (at(seen.object, 'spec', 'hostNetwork') === true) return fine;
  const other = seen
    .all('Pod')
    .find(
      (pod) =>
        textOf(pod, 'status', 'podIP') === address && !hasEnded(pod) && pod.metadata.uid !== seen.object.metadata.uid,
    );
  return other === undefined ? fine : wrong(seen, `has the address of ${nameOf(other)}`);
};

/** A guest stays on its node except during a migration. */
const guestsStay: Check = (seen) => {
  if (seen.kind !== 'VirtualMachineInstance' || seen.change !== 'MODIFIED') return fine;
  const [from, to] = [textOf(seen.before, 'status', 'nodeName'), textOf(seen.object, 'status', 'nodeName')];
  if (from === '' || from === to) return fine;
  const goal = textOf(seen.object, 'status', 'migrationState', 'targetNode');
  return goal === to ? fine : wrong(seen, `went from ${from} to ${to || 'nowhere'} without a migration`);
};

export const checks: readonly Check[] = [
  step,
  phaseGoesOn,
  uidLasts,
  vmTellsTheTruth,
  finalizersStay,
  fewLaunchers,
  claimsStayInUse,
  nodesHoldWhatFits,
  quotasHold,
  addressesDiffer,
  guestsStay,
];
