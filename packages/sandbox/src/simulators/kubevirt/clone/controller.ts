/** virt-controller's clone controller: it takes a snapshot and restores it into a new VM, then deletes both. */
import { randomBytes } from 'node:crypto';
import { createController } from '@ssvirt/kube/controller/controller';
import { enqueueObject, enqueueOwner } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { KubeObject } from '@ssvirt/kube/object';
import { keyOfObject } from '@ssvirt/kube/object';
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { now } from '../../../objects/kinds/values/fields.ts';
import type { World } from '../../world.ts';
import { quietRetries } from '../quiet-retries.ts';
import { cachesOf, type SnapshotCaches } from '../snapshot/caches.ts';
import { set } from '../snapshot/conditions.ts';
import { restores, snapshots, type VirtualMachineRestore, type VirtualMachineSnapshot } from '../snapshot/kinds.ts';
import { contentName } from '../snapshot/source.ts';
import { putStatus } from '../snapshot/writes.ts';
import { notBackedUp, notSnapshotable } from './disks.ts';
import { clones, type CloneStatus, type VirtualMachineClone } from './kinds.ts';
import { patchesOf, type Source } from './patches.ts';

/** The pause before a missing source, or one that cannot be copied yet, is checked again. */
const RETRY_MS = 5000;

export function vmCloneController(world: World): Runnable {
  const controller = createController({
    name: 'vm-clone',
    concurrency: 2,
    needsLeadership: false,
    onSyncTimeout: 'wait',
    log: world.log,
    metrics: world.metrics,
    sources: (cluster) => {
      const caches = cachesOf(cluster);
      return [
        watches(cluster.informers.informer(clones), enqueueObject),
        watches(caches.snapshots, enqueueOwner(clones, { controllerOnly: true })),
        watches(caches.restores, enqueueOwner(clones, { controllerOnly: true })),
        watches(caches.vms, () => []),
        watches(caches.contents, () => []),
      ];
    },
    reconcile: quietRetries(world, (request, context) => reconcile(world, request, context)),
  });
  controller.engage(world.as('virt-controller', { events: 'clone-controller' }));
  return controller;
}

async function reconcile(world: World, request: Request, context: ClusterContext): Promise<Result | void> {
  const { cluster, signal } = context;
  const clone = cluster.informers.informer(clones).get(request);
  if (clone === undefined || clone.metadata.deletionTimestamp !== undefined) return;
  const { phase } = clone.status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed') return;
  const source = sourceOf(cachesOf(cluster), clone);
  if (source === undefined) return { requeueAfterMs: world.scaled(RETRY_MS) };
  const obstacle = obstacleOf(cachesOf(cluster), clone);
  if (obstacle !== undefined) {
    await pend(clone, obstacle, context);
    return { requeueAfterMs: world.scaled(RETRY_MS) };
  }
  const status = await new Step(clone, source, context).next();
  await putStatus({ cluster, signal }, clones, clone, withConditions(status));
}

const isOfSnapshot = ({ spec }: VirtualMachineClone): boolean => spec.source.kind === 'VirtualMachineSnapshot';

/** Returns the VM, or the VM in a snapshot's content. */
function sourceOf(caches: SnapshotCaches, clone: VirtualMachineClone): Source | undefined {
  const { namespace = '' } = clone.metadata;
  const { name } = clone.spec.source;
  if (!isOfSnapshot(clone)) return caches.vms.get({ namespace, name });
  const snapshot = caches.snapshots.get({ namespace, name });
  const content = snapshot && caches.contents.get({ namespace, name: contentName(snapshot) });
  return content?.spec.source.virtualMachine;
}

/** Returns why a VM cannot be cloned yet; checked only before the clone has begun. */
function obstacleOf(caches: SnapshotCaches, clone: VirtualMachineClone): string | undefined {
  if (isOfSnapshot(clone) || clone.status?.snapshotName !== undefined) return undefined;
  const vm = caches.vms.get({ namespace: clone.metadata.namespace ?? '', name: clone.spec.source.name });
  return vm && notSnapshotable(vm);
}

async function pend(clone: VirtualMachineClone, reason: string, { cluster, signal }: ClusterContext): Promise<void> {
  const { conditions: before = [] } = clone.status ?? {};
  const conditions = set(set(before, 'Progressing', 'False', 'Pending', now()), 'Ready', 'False', reason, now());
  if (conditions === before) return;
  cluster.recorder.event(clone, 'Normal', 'VMVolumeSnapshotsInvalid', reason);
  await putStatus({ cluster, signal }, clones, clone, { ...clone.status, conditions });
}

function withConditions(status: CloneStatus): CloneStatus {
  const [progressing, ready, reason] =
    (
      {
        Succeeded: ['False', 'True', 'Ready'],
        Failed: ['False', 'False', 'Failed'],
      } as const
    )[status.phase as 'Succeeded' | 'Failed'] ?? (['True', 'False', 'Still processing'] as const);
  const conditions = set(status.conditions ?? [], 'Progressing', progressing, reason, now());
  return { ...status, conditions: set(conditions, 'Ready', ready, reason, now()) };
}

/** `Step` reconciles a clone once. */
class Step {
  readonly #clone: VirtualMachineClone;
  readonly #source: Source;
  readonly #context: ClusterContext;
  readonly #status: CloneStatus;

  constructor(clone: VirtualMachineClone, source: Source, context: ClusterContext) {
    this.#clone = clone;
    this.#source = source;
    this.#context = context;
    this.#status = { phase: 'SnapshotInProgress', ...clone.status };
  }

  async next(): Promise<CloneStatus> {
    const { restoreName } = this.#status;
    const snapshotName = isOfSnapshot(this.#clone) ? this.#clone.spec.source.name : this.#status.snapshotName;
    if (snapshotName === undefined) return this.#takeSnapshot();
    if (restoreName === undefined) return this.#awaitSnapshot(snapshotName);
    return this.#awaitRestore(snapshotName, restoreName);
  }

  #tell(reason: string, message: string): void {
    this.#context.cluster.recorder.event(this.#clone, 'Normal', reason, message);
  }

  async #create<T extends KubeObject>(type: ResourceType<T>, kind: string, spec: object): Promise<string> {
    const { cluster, signal } = this.#context;
    const { namespace = '', uid = '' } = this.#clone.metadata;
    const name = `tmp-${kind}-${uid}`;
    const ownerReferences = [controllerReference(clones, this.#clone)];
    const object = { metadata: { name, namespace, ownerReferences }, spec } as unknown as T;
    try {
      await cluster.client.create(type, object, { signal });
    } catch (error) {
      // The previous reconcile created it, but failed to record it in the status.
      if (!isKind(error, 'AlreadyExists')) throw error;
    }
    return name;
  }

  async #takeSnapshot(): Promise<CloneStatus> {
    const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: this.#clone.spec.source.name };
    const snapshotName = await this.#create<VirtualMachineSnapshot>(snapshots, 'snapshot', { source });
    this.#tell('SnapshotCreated', `created snapshot ${snapshotName} for clone ${this.#clone.metadata.name ?? ''}`);
    return { ...this.#status, snapshotName };
  }

  async #awaitSnapshot(snapshotName: string): Promise<CloneStatus> {
    const { metadata, spec } = this.#clone;
    const key = { namespace: metadata.namespace ?? '', name: snapshotName };
    const snapshot = cachesOf(this.#context.cluster).snapshots.get(key);
    if (snapshot === undefined)
      return this.#failed('SnapshotDeleted', `snapshot ${snapshotName} does not exist anymore`);
    if (snapshot.status?.readyToUse !== true) return this.#status;
    const content = cachesOf(this.#context.cluster).contents.get({ ...key, name: contentName(snapshot) });
    const lacking = content && notBackedUp(content);
    if (lacking !== undefined) return this.#failed('SnapshotContentInvalid', lacking);
    const name = metadata.name ?? '';
    this.#tell('SnapshotReady', `snapshot ${snapshotName} for clone ${name} is ready to use`);
    const target = spec.target?.name ?? `clone-${spec.source.name}-${randomBytes(3).toString('hex').slice(0, 5)}`;
    const patches = patchesOf(this.#source, this.#clone);
    const restoreName = await this.#create<VirtualMachineRestore>(restores, 'restore', {
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: target },
      virtualMachineSnapshotName: snapshotName,
      ...(patches.length === 0 ? {} : { patches }),
    });
    this.#tell('RestoreCreated', `created restore ${restoreName} for clone ${name}`);
    return { ...this.#status, phase: 'RestoreInProgress', restoreName };
  }

  async #awaitRestore(snapshotName: string, restoreName: string): Promise<CloneStatus> {
    const { cluster } = this.#context;
    const { namespace = '', name = '' } = this.#clone.metadata;
    const restore = cachesOf(cluster).restores.get({ namespace, name: restoreName });
    if (restore === undefined) return this.#failed('RestoreDeleted', `restore ${restoreName} does not exist anymore`);
    if (restore.status?.complete !== true) return this.#status;
    const target = restore.spec.target.name;
    this.#tell('RestoreReady', `restore ${restoreName} for clone ${name} is ready to use`);
    this.#tell('TargetVMCreated', `created target VM ${target} for clone ${name}`);
    this.#tell('PVCBound', `all PVC for clone ${name} are bound`);
    if (!isOfSnapshot(this.#clone)) await this.#delete(snapshots, snapshotName);
    await this.#delete(restores, restoreName);
    const { snapshotName: _, restoreName: __, ...rest } = this.#status;
    return { ...rest, phase: 'Succeeded', targetName: target };
  }

  #failed(reason: string, message: string): CloneStatus {
    this.#tell(reason, message);
    return { ...this.#status, phase: 'Failed' };
  }

  async #delete(type: ResourceType<KubeObject>, name: string): Promise<void> {
    const { cluster, signal } = this.#context;
    const { namespace = '' } = this.#clone.metadata;
    try {
      await cluster.client.delete(type, keyOfObject({ metadata: { namespace, name } }), { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
