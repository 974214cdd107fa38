/**
 * The built-in template: Secrets, disk, VM and Service, in this order. Everything that can be refused is checked before
 * the first write. The steps do not wait for each other, because KubeVirt itself waits for the disk.
 */
import {
  buildCloudInitSecret,
  buildService,
  buildSshKeySecret,
  serviceSelector,
} from '../../../kubevirt/order/build.ts';
import { dataVolumes, secrets, services, virtualMachines } from '../../../fleet/kinds.ts';
import { childNames } from '../../../kubevirt/order/names.ts';
import { problemOf, readParameters, type OrderParameters } from '../../../kubevirt/order/parameters/parameters.ts';
import { applyChild, nothing, readChildren, type FoundChild, type ChildPlace } from '../children.ts';
import { pruneForNative } from '../custom/prune.ts';
import { ensureDisk, planDisk, type OrderDiskPlan } from './disk.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { refused } from '../operator/step-halted.ts';
import { applyService } from './service.ts';
import { dropSshKeySecret } from './ssh-key.ts';
import { ensureVirtualMachine } from './virtual-machine.ts';
import type { OrderWork } from '../work.ts';

export interface NativePlan {
  readonly parameters: OrderParameters;
  readonly warnings: readonly string[];
  readonly disk: OrderDiskPlan;
  readonly found: {
    readonly cloudInit: FoundChild;
    readonly sshKey: FoundChild;
    readonly vm: FoundChild;
    readonly service: FoundChild;
  };
}

/** `planNative` throws `Halted`, before anything is written, if the order cannot be fulfilled. */
export async function planNative(work: OrderWork): Promise<NativePlan> {
  const { order, caches, identity } = work;
  const read = readParameters(order.spec.templateParameters);
  if ('problems' in read) throw refused(problemOf(read.problems));
  const { parameters, warnings } = read;
  if (!caches.vms.isServed) throw kubevirtMissing();
  const names = childNames(identity);
  const at = (name: string): { namespace: string; name: string } => ({ namespace: identity.tenantNamespace, name });
  const places: readonly ChildPlace[] = [
    { type: secrets, name: names.cloudInitSecret, cached: caches.secrets.get(at(names.cloudInitSecret)) },
    { type: dataVolumes, name: names.dataVolume, cached: caches.dataVolumes.get(at(names.dataVolume)) },
    { type: virtualMachines, name: names.vm, cached: caches.vms.get(at(names.vm)) },
    { type: services, name: names.service, cached: caches.services.get(at(names.service)) },
    ...(parameters.sshPublicKey === undefined
      ? []
      : [{ type: secrets, name: names.sshKeySecret, cached: caches.secrets.get(at(names.sshKeySecret)) }]),
  ].filter(({ type }) => type !== dataVolumes || caches.dataVolumes.isServed);
  const found = await readChildren(work, places);
  const of = (name: string, type: ChildPlace['type']): FoundChild =>
    found[places.findIndex((place) => place.name === name && place.type === type)] ?? nothing;
  return {
    parameters,
    warnings,
    disk: await planDisk(work, parameters, of(names.dataVolume, dataVolumes)),
    found: {
      cloudInit: of(names.cloudInitSecret, secrets),
      sshKey: of(names.sshKeySecret, secrets),
      vm: of(names.vm, virtualMachines),
      service: of(names.service, services),
    },
  };
}

export async function provisionNative(work: OrderWork, { parameters, disk, found }: NativePlan): Promise<void> {
  const { identity } = work;
  await applyChild(work, {
    type: secrets,
    desired: buildCloudInitSecret(identity, parameters),
    found: found.cloudInit,
  });
  const sshKey = buildSshKeySecret(identity, parameters);
  if (sshKey !== undefined) await applyChild(work, { type: secrets, desired: sshKey, found: found.sshKey });
  await ensureDisk(work, parameters, disk);
  await ensureVirtualMachine(work, parameters, found.vm);
  await applyService(work, {
    desired: buildService(identity, parameters, serviceSelector(identity, instanceLabels(work))),
    found: found.service,
  });
  if (sshKey === undefined) await dropSshKeySecret(work);
  await pruneForNative(work);
}

function instanceLabels({ caches, identity }: OrderWork): Readonly<Record<string, string>> | undefined {
  const key = { namespace: identity.tenantNamespace, name: childNames(identity).vm };
  return caches.instances.get(key)?.metadata.labels;
}

export function kubevirtMissing(): Error {
  const message = 'The cluster serves no virtual machines: ask an administrator to install KubeVirt.';
  return refused({ reason: 'Refused', message }, lookAgainMs);
}
