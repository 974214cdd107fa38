/** `lastUpdated` says when the rest of a status changed: it never changes by itself, which would wake everybody who watches. */
import { mergePatch } from '../../kube/reconcile/merge-patch.ts';
import type { Machine, MachineStatus } from './kinds.ts';

export function withTime(machine: Machine, status: MachineStatus, date: Date = new Date()): MachineStatus {
  if (mergePatch(machine.status ?? {}, status) === undefined) return status;
  return { ...status, lastUpdated: date.toISOString().replace(/\.\d+Z$/, 'Z') };
}
