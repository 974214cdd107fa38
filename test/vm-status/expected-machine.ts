/**
 * What a row must show for a VM when nothing changes any more, derived from the API objects without the code under
 * test. If a fault counts only when it lasts, both results are accepted, because its age is unknown here.
 */
import type { KubeObject } from '../../packages/kube/src/object.ts';

export interface ShownMachine extends KubeObject {
  readonly spec?: { readonly runStrategy?: string; readonly running?: boolean };
  readonly status?: {
    readonly printableStatus?: string;
    readonly created?: boolean;
    readonly stateChangeRequests?: readonly { readonly action: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface ShownInstance extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly nodeName?: string;
    readonly interfaces?: readonly { readonly ipAddress?: string; readonly ipAddresses?: readonly string[] }[];
  };
}

export interface ExpectedRow {
  readonly uid: string;
  readonly generation: number;
  readonly status: readonly string[];
  readonly node: string | null;
  readonly addresses: readonly string[];
}

export function expectedRow(vm: ShownMachine, instance: ShownInstance | undefined): ExpectedRow {
  const isOwn = instance?.metadata.ownerReferences?.some(({ uid }) => uid === vm.metadata.uid) === true;
  const isOver = ['Succeeded', 'Failed'].includes(instance?.status?.phase ?? '');
  const live = isOwn && !isOver ? instance.status : undefined;
  return {
    uid: vm.metadata.uid ?? '',
    generation: vm.metadata.generation ?? 0,
    status: expectedStatus(vm),
    node: live?.nodeName ?? null,
    addresses: (live?.interfaces ?? [])
      .flatMap(({ ipAddress, ipAddresses }) => ipAddresses ?? (ipAddress === undefined ? [] : [ipAddress]))
      .toSorted(),
  };
}

function isWanted({ spec, status }: ShownMachine): boolean {
  const requests = status?.stateChangeRequests ?? [];
  if (requests.some(({ action }) => action === 'Start')) return true;
  switch (spec?.runStrategy ?? (spec?.running === true ? 'Always' : 'Halted')) {
    case 'Always':
      return true;
    case 'Manual':
      return requests.length === 0 && status?.created === true && status.printableStatus !== 'Stopped';
    default:
      return false;
  }
}

function expectedStatus(vm: ShownMachine): readonly string[] {
  if (vm.metadata.deletionTimestamp !== undefined) return ['DELETING'];
  const on = isWanted(vm);
  const rising = on ? 'POWERING_ON' : 'POWERED_OFF';
  const fails = vm.status?.conditions?.some(({ type, status }) => type === 'Failure' && status === 'True') === true;
  switch (vm.status?.printableStatus ?? '') {
    case '':
      return [rising];
    case 'Stopped':
    case 'Provisioning':
      return fails ? [rising, 'FAILED'] : [rising];
    case 'Starting':
    case 'WaitingForVolumeBinding':
      return fails ? ['POWERING_ON', 'FAILED'] : ['POWERING_ON'];
    case 'Running':
      return [on ? 'POWERED_ON' : 'POWERING_OFF'];
    case 'Migrating':
      return ['POWERED_ON'];
    case 'Paused':
      return ['SUSPENDED'];
    case 'Stopping':
      return ['POWERING_OFF'];
    case 'CrashLoopBackOff':
      return ['FAILED'];
    case 'ErrorUnschedulable':
    case 'ErrorPvcNotFound':
    case 'ErrImagePull':
    case 'ImagePullBackOff':
    case 'DataVolumeError':
      return ['POWERING_ON', 'POWERED_OFF', 'FAILED'];
    default:
      return ['UNKNOWN'];
  }
}
