/** One attempt on a vApp: what it works with. */
import type { VappWork } from '../../../db/vapps/vapp-work.ts';
import type { VmIdentity, VappIdentity } from '../../../kubevirt/tenant-vm/labels.ts';
import { labels } from '../../../kubevirt/tenant-vm/labels.ts';
import type { VappSpec } from '../../../kubevirt/tenant-vm/spec.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import type { Context } from '../engine/context.ts';
import { reportStep } from '../engine/context.ts';
import type { TenancySettings } from '../engine/settings.ts';

export interface VappAttempt extends Context {
  readonly work: VappWork;
  readonly identity: VappIdentity;
  /** How a template creates the vApp; undefined without a template. */
  readonly spec: VappSpec | undefined;
}

export function attemptOf(context: Context, work: VappWork): VappAttempt {
  const { vapp, vdc, installationId } = work;
  const identity: VappIdentity = {
    installationId,
    organizationId: vdc.organizationId,
    vdcId: vdc.id,
    namespace: vdc.namespace,
    vappId: vapp.id,
    vappName: vapp.name,
  };
  // The API server wrote the spec and validated all of it.
  const spec = 'template' in vapp.spec ? (vapp.spec as unknown as VappSpec) : undefined;
  return { ...context, work, identity, spec };
}

/**
 * A VM whose row was deleted meanwhile is still created, because the template contains it. Its labels then lead to its
 * deletion.
 */
export function machineIdentity(
  { identity, work }: VappAttempt,
  { vmId, vmName }: VappSpec['machines'][number],
): VmIdentity {
  const { name = vmName, description = '' } = work.machines.find(({ id }) => id === vmId) ?? {};
  return { ...identity, vmId, vmName, name, description };
}

/** Ours by its labels, or by the recorded uid, whatever its labels are now. */
export function isOurs({ work, identity }: VappAttempt, { metadata }: KubeObject): boolean {
  if (metadata.uid !== undefined && metadata.uid === work.uid) return true;
  const found = metadata.labels ?? {};
  return found[labels.vappId] === identity.vappId && found[labels.installationId] === identity.installationId;
}

export function report(attempt: VappAttempt, step: string, progress: number): Promise<void> {
  return reportStep(attempt, attempt.work.tasks, step, progress);
}

/** The longer it takes, the longer the pause. Changes meanwhile wake the work earlier. */
export function pauseSince(since: Date, { waitMs }: Pick<TenancySettings, 'waitMs'>, now = Date.now()): number {
  return Math.min(Math.max((now - since.getTime()) / 2, waitMs / 8), 5 * waitMs);
}
