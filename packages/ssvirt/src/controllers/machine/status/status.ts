/**
 * `lastUpdated` is when the rest of the status changed. It never changes alone, since that would wake every watcher.
 */
import { mergePatch } from '@ssvirt/kube/reconcile/merge-patch';
import type { Machine, MachineStatus } from '../machine-types.ts';

export function withTime(machine: Machine, status: MachineStatus, date: Date = new Date()): MachineStatus {
  if (mergePatch(machine.status ?? {}, status) === undefined) return status;
  return { ...status, lastUpdated: date.toISOString().replace(/\.\d+Z$/, 'Z') };
}
