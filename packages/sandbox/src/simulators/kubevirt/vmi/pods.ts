/** What virt-controller derives from a VMI's pods. */
import type { Pod, VirtualMachineInstance } from '../objects.ts';
import { annotations } from './names.ts';

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly state?: {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly exitCode?: number };
  };
}

const statusesOf = (pod: Pod): readonly ContainerStatus[] =>
  (pod.status?.containerStatuses ?? []) as unknown as readonly ContainerStatus[];

/** A pod that only binds the PVCs of a DataVolume that waits for its first consumer. */
export const isTemporary = ({ metadata }: Pod): boolean =>
  metadata.annotations?.[annotations.ephemeralProvisioning] !== undefined;

export const isTerminating = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

export const isFinal = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const computeOf = (pod: Pod): ContainerStatus | undefined => statusesOf(pod).find(({ name }) => name === 'compute');

export function isDownOrGoingDown(pod: Pod): boolean {
  return isFinal(pod) || computeOf(pod)?.state?.terminated !== undefined || isTerminating(pod);
}

export function isFailedOrGoingDown(pod: Pod): boolean {
  const exitCode = computeOf(pod)?.state?.terminated?.exitCode;
  return pod.status?.phase === 'Failed' || (exitCode !== undefined && exitCode !== 0) || isTerminating(pod);
}

/** True if the containers run. The readiness of the compute container is that of the guest and comes later. */
export function isReady(pod: Pod): boolean {
  if (isDownOrGoingDown(pod)) return false;
  const started = statusesOf(pod).every(({ name, state, ready }) =>
    name === 'compute' || name === 'istio-proxy' ? state?.running !== undefined : ready === true,
  );
  return started && pod.status?.phase === 'Running';
}

/** `currentPod` returns the newest pod on the VMI's node; the target of a migration is on another node. */
export function currentPod({ status }: VirtualMachineInstance, pods: readonly Pod[]): Pod | undefined {
  const node = status?.nodeName ?? '';
  let current: Pod | undefined;
  for (const pod of pods) {
    if (node !== '' && pod.spec.nodeName !== node) continue;
    if (current === undefined || isNewer(pod, current)) current = pod;
  }
  return current;
}

function isNewer({ metadata: a }: Pod, { metadata: b }: Pod): boolean {
  const [left, right] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  return left > right || (left === right && b.deletionTimestamp !== undefined && a.deletionTimestamp === undefined);
}

/** `imageError` returns the error of the first image that cannot be pulled. */
export function imageError(pod: Pod): { readonly reason: string; readonly message: string } | undefined {
  const init = (pod.status?.initContainerStatuses ?? []) as unknown as readonly ContainerStatus[];
  for (const { state } of [...init, ...statusesOf(pod)]) {
    const { reason, message = '' } = state?.waiting ?? {};
    if (reason === 'ErrImagePull' || reason === 'ImagePullBackOff') return { reason, message };
  }
  return undefined;
}

export const nodeOf = (pod: Pod): string => pod.spec.nodeName ?? '';
