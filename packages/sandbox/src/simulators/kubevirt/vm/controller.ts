/** virt-controller's VM controller: calls `sync` for each VM that is affected by a change. */
import type { Change } from '@ssvirt/kube/controller/change';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import { keyOf, keyOfObject, type KubeObject, type ObjectKey } from '@ssvirt/kube/object';
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import type { World } from '../../world.ts';
import { virtualMachines, type VirtualMachine } from '../objects.ts';
import { Retries } from '../vmi/retries.ts';
import { BY_CLAIM, cachesOf, type VmCaches } from './caches.ts';
import { claimDataVolumes, claimOn, claimVmi, isStandalone } from './volumes/claims.ts';
import type { Instancetypes } from './instancetypes.ts';
import type { RetryTime, Shell } from './shell.ts';
import { sync, type Outcome } from './sync.ts';
import { writeStatus } from './status/write-status.ts';

export function createVmController(world: World, instancetypes: Instancetypes): Controller {
  const cluster = world.as('virt-controller');
  const caches = cachesOf(cluster.informers);
  const { client, recorder } = cluster;
  const surroundings = {
    client,
    recorder,
    caches,
    instancetypes,
    retryAt: new Map<string, RetryTime>(),
    retries: new Retries(),
  };
  const controller = createController({
    name: 'virt-controller-vm',
    sources: () => [
      watches(caches.vms, enqueueObject),
      watches(caches.vmis, enqueueMapped(ownerOrNamesake)),
      watches(
        caches.dataVolumes,
        enqueueMapped((object: KubeObject) => ownersAndUsers(caches, object)),
      ),
      watches(
        caches.claims,
        enqueueMapped((object: KubeObject) => usersOf(caches, object)),
        isNew,
      ),
      watches(caches.revisions, () => []),
    ],
    concurrency: 16,
    needsLeadership: false,
    rateLimit: { maxMs: Math.max(1000, world.scaled(1_000_000)) },
    reconcile: (request, { signal }) =>
      reconcile({ ...surroundings, signal, scaled: (milliseconds) => world.scaled(milliseconds) }, request),
    log: world.log,
    metrics: world.metrics,
  });
  controller.engage(cluster);
  return controller;
}

/** Returns the VM that controls a VMI. A VMI without a controller may be adopted by the VM with the same name. */
function ownerOrNamesake(object: KubeObject): readonly ObjectKey[] {
  const owner = controllerOf(object);
  if (owner === undefined) return [keyOfObject(object)];
  const { namespace = '' } = object.metadata;
  return owner.kind === 'VirtualMachine' ? [{ namespace, name: owner.name }] : [];
}

function usersOf(caches: VmCaches, { metadata }: KubeObject): readonly ObjectKey[] {
  return caches.vms.byIndex(BY_CLAIM, `${metadata.namespace}/${metadata.name}`).map(keyOfObject);
}

function ownersAndUsers(caches: VmCaches, object: KubeObject): readonly ObjectKey[] {
  const owner = controllerOf(object);
  const { namespace = '' } = object.metadata;
  const owners = owner?.kind === 'VirtualMachine' ? [{ namespace, name: owner.name }] : [];
  return [...owners, ...usersOf(caches, object)];
}

/** KubeVirt reconciles a VM when one of its PVCs is created, not when it is bound. */
function isNew({ type }: Change<KubeObject>): boolean {
  return type === 'created';
}

const observed = {
  'kubevirt.io/latest-observed-api-version': 'v1',
  'kubevirt.io/storage-observed-api-version': 'v1',
};

async function reconcile(shell: Shell, request: Request): Promise<Result | void> {
  const vm = shell.caches.vms.get(request);
  const key = keyOf(request);
  if (vm === undefined) {
    shell.retries.forget(key);
    shell.retryAt.delete(key);
    return;
  }
  if (!isObserved(vm)) return markObserved(shell, vm);
  const namesake = shell.caches.vmis.get(request);
  if (namesake !== undefined && isStandalone(namesake) && claimOn(vm, namesake) === 'orphan')
    return showStopped(shell, vm);
  const vmi = await claimVmi(shell, vm);
  await claimDataVolumes(shell, vm);
  const outcome = await sync(shell, vm, vmi);
  if (outcome.lookAgain === true) return;
  await writeStatus(shell, asServed(vm, outcome), outcome);
  // Not thrown: the error is reported to the user in the status, and is no failure of the simulator.
  if (outcome.error !== undefined) return { requeueAfterMs: Math.max(5, shell.scaled(shell.retries.next(key))) };
  shell.retries.forget(key);
  return outcome.requeueAfterMs === undefined ? undefined : { requeueAfterMs: outcome.requeueAfterMs };
}

/** Writes the value that the definition has as the default once a status exists. */
async function showStopped({ client, signal }: Shell, vm: VirtualMachine): Promise<void> {
  if (vm.status?.printableStatus !== undefined) return;
  const { uid } = vm.metadata;
  const body = { metadata: { uid }, status: { printableStatus: 'Stopped' } };
  await client.patch(virtualMachines, keyOfObject(vm), { type: 'merge', body }, { subresource: 'status', signal });
}

/** Returns the VM with the server's status: a reconcile changes only its conditions before it writes. */
function asServed({ status }: VirtualMachine, { vm }: Outcome): VirtualMachine {
  if (vm.status === undefined) return vm;
  const { conditions: _, ...rest } = vm.status;
  return { ...vm, status: status?.conditions === undefined ? rest : { ...rest, conditions: status.conditions } };
}

function isObserved({ metadata: { annotations = {} } }: VirtualMachine): boolean {
  return Object.entries(observed).every(([key, value]) => annotations[key] === value);
}

async function markObserved({ client, signal }: Shell, vm: VirtualMachine): Promise<void> {
  // No resourceVersion is needed: only this controller writes these annotations.
  const { uid } = vm.metadata;
  const body = { metadata: { uid, annotations: observed } };
  await client.patch(virtualMachines, keyOfObject(vm), { type: 'merge', body }, { signal });
}
