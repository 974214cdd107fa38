/** A memory dump: its PVC is added as a volume to VM and VMI, written by virt-handler, and removed again. */
import type { VirtualMachine, VmiSpec, Volume } from '../objects.ts';
import { volumesOf } from './domain.ts';
import { isDeleting, isRunning, type MaybeVmi } from './vmi-state.ts';

export interface MemoryDumpRequest {
  readonly claimName: string;
  readonly phase: 'Associating' | 'InProgress' | 'Unmounting' | 'Completed' | 'Dissociating' | 'Failed';
  readonly remove?: boolean;
  readonly startTimestamp?: string;
  readonly endTimestamp?: string;
  readonly fileName?: string;
  readonly message?: string;
}

interface DumpStatus {
  readonly name?: string;
  readonly phase?: string;
  readonly message?: string;
  readonly memoryDumpVolume?: {
    readonly startTimestamp?: string;
    readonly endTimestamp?: string;
    readonly targetFileName?: string;
  };
}

export function memoryDumpOf(vm: VirtualMachine): MemoryDumpRequest | undefined {
  return vm.status?.['memoryDumpRequest'] as MemoryDumpRequest | undefined;
}

/** The volume of a finished dump is not added again by the next start. */
export function isDumped(vm: VirtualMachine): boolean {
  const phase = memoryDumpOf(vm)?.phase;
  return phase !== undefined && phase !== 'Associating' && phase !== 'InProgress';
}

export function withDumpVolume(spec: VmiSpec, claimName: string): VmiSpec {
  if (volumesOf(spec).some(({ name }) => name === claimName)) return spec;
  const volume: Volume = { name: claimName, memoryDump: { claimName, hotpluggable: true } };
  return { ...spec, volumes: [...volumesOf(spec), volume] };
}

export function withoutDumpVolume(spec: VmiSpec, claimName: string): VmiSpec {
  return { ...spec, volumes: volumesOf(spec).filter(({ name }) => name !== claimName) };
}

export interface DumpWork {
  readonly vmVolume?: 'add' | 'remove';
  readonly vmiVolume?: 'add' | 'remove';
  /** The new value of the PVC's annotation. */
  readonly annotation?: string;
}

/** `dumpWork` returns the work that the phase of the request demands. */
export function dumpWork(vm: VirtualMachine, vmi: MaybeVmi): DumpWork {
  const request = memoryDumpOf(vm);
  if (request === undefined) return {};
  const there = vmi !== undefined && volumesOf(vmi.spec).some(({ name }) => name === request.claimName);
  const unmount = there ? ({ vmiVolume: 'remove' } as const) : {};
  switch (request.phase) {
    case 'Associating':
      if (vmi === undefined || isDeleting(vmi) || !isRunning(vmi)) return {};
      return { vmVolume: 'add', ...(there ? {} : { vmiVolume: 'add' }) };
    case 'Unmounting':
      return { ...unmount, ...(request.fileName === undefined ? {} : { annotation: request.fileName }) };
    case 'Failed':
      return { ...unmount, annotation: 'Memory dump failed' };
    case 'Dissociating':
      return { vmVolume: 'remove', ...unmount };
    default:
      return {};
  }
}

/** `dumpRequestAfter` returns the request after this reconcile; undefined once it is finished. */
export function dumpRequestAfter(vm: VirtualMachine, vmi: MaybeVmi): MemoryDumpRequest | undefined {
  const request = memoryDumpOf(vm);
  if (request === undefined) return undefined;
  const statuses = (vmi?.status?.volumeStatus ?? []) as readonly DumpStatus[];
  const status = statuses.find(({ name }) => name === request.claimName);
  const inVm = volumesOf(vm.spec.template.spec).some(({ name }) => name === request.claimName);
  const next: MemoryDumpRequest = request.remove === true ? { ...request, phase: 'Dissociating' } : request;
  switch (request.phase) {
    case 'Associating':
      return inVm ? { ...next, phase: 'InProgress' } : next;
    case 'InProgress':
      return progress(next, status);
    case 'Unmounting':
      return status === undefined ? { ...next, phase: 'Completed' } : request;
    case 'Dissociating':
      return status === undefined && !inVm ? undefined : request;
    case 'Completed':
      return request;
    case 'Failed':
      return next;
  }
}

function progress(request: MemoryDumpRequest, status: DumpStatus | undefined): MemoryDumpRequest {
  const dump = status?.memoryDumpVolume;
  if (dump === undefined) return request;
  const started = dump.startTimestamp === undefined ? request : { ...request, startTimestamp: dump.startTimestamp };
  const ended = dump.endTimestamp === undefined ? {} : { endTimestamp: dump.endTimestamp };
  if (status?.phase === 'MemoryDumpCompleted')
    return { ...started, ...ended, phase: 'Unmounting', fileName: dump.targetFileName ?? '' };
  if (status?.phase === 'MemoryDumpFailed')
    return { ...started, ...ended, phase: 'Failed', message: status.message ?? '' };
  return started;
}
