/** A CSI driver as a cluster sees it: provisions volumes for PVCs, expands them, and deletes them after release. */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject, type ObjectKey, type Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { suffers, type Sufferer } from '../faults.ts';
import {
  dataVolumes,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
  virtualMachines,
  type PersistentVolumeClaim,
} from '../kubevirt/objects.ts';
import { faultsTurned } from '../sources.ts';
import { Stopwatch } from '../stopwatch.ts';
import type { World } from '../world.ts';
import { DRIVER } from './classes.ts';
import { clonedClaim, isOurTurn, volumeFor, volumeName, wantedSize } from './provisioning.ts';

const RETRY_MS = 10_000;
const RESIZE_MS = 1000;
const RECLAIM_MS = 500;

export function provisioner(world: World): readonly Controller[] {
  const cluster = world.as('csi-provisioner');
  const part = new Provisioner(world, cluster);
  const surroundings = { concurrency: 16, needsLeadership: false, log: world.log, metrics: world.metrics };
  const claims = createController({
    ...surroundings,
    name: 'csi-provisioner',
    sources: () => [
      watches(part.claims, enqueueObject),
      faultsTurned(world, ({ namespace }) => part.claims.list(namespace).filter(isOurTurn).map(keyOfObject)),
    ],
    reconcile: (key) => part.syncClaim(key),
  });
  const volumes = createController({
    ...surroundings,
    name: 'csi-reclaimer',
    sources: () => [watches(part.volumes, enqueueObject, ({ object }) => isReleased(object))],
    reconcile: (key) => part.syncVolume(key),
  });
  for (const controller of [claims, volumes]) controller.engage(cluster);
  return [claims, volumes];
}

class Provisioner {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #watch = new Stopwatch();
  readonly claims;
  readonly volumes;
  readonly #classes;
  /** These two kinds may not be served, so no controller waits for these caches. */
  readonly #dataVolumes;
  readonly #vms;

  constructor(world: World, cluster: Cluster) {
    this.#world = world;
    this.#cluster = cluster;
    this.claims = cluster.informers.informer(persistentVolumeClaims);
    this.volumes = cluster.informers.informer(persistentVolumes);
    this.#classes = cluster.informers.informer(storageClasses);
    this.#dataVolumes = cluster.informers.informer(dataVolumes);
    this.#vms = cluster.informers.informer(virtualMachines);
    const memory = {
      name: 'csi-memory',
      added: () => {},
      updated: () => {},
      deleted: ({ metadata: { uid = '' } }: KubeObject) => this.#watch.forget(uid),
    };
    this.claims.addHandler(memory);
    this.volumes.addHandler(memory);
  }

  async syncClaim(key: ObjectKey): Promise<Result | void> {
    const claim = this.claims.get(key);
    if (claim === undefined) return;
    if (isOurTurn(claim)) return this.#provision(claim);
    const size = wantedSize(claim);
    if (size !== undefined) return this.#grow(claim, size);
  }

  async #provision(claim: PersistentVolumeClaim): Promise<Result | void> {
    const { uid = '', namespace = '', name = '' } = claim.metadata;
    if (this.volumes.get({ name: volumeName(claim) }) !== undefined) return;
    const storageClass = textAt(claim.spec, 'storageClassName');
    if (suffers(this.#world.dials, 'volume-pending', this.#sufferer(claim))) {
      const reason = 'rpc error: code = ResourceExhausted desc = no space left in the pool';
      const message = `failed to provision volume with StorageClass "${storageClass}": ${reason}`;
      this.#event(claim, 'Warning', 'ProvisioningFailed', message);
      return { requeueAfterMs: Math.max(100, this.#world.scaled(RETRY_MS)) };
    }
    const source = clonedClaim(claim);
    if (source !== undefined && this.claims.get({ namespace, name: source })?.status?.phase !== 'Bound')
      return { requeueAfterMs: Math.max(100, this.#world.scaled(RETRY_MS / 10)) };
    const left = this.#watch.left(uid, 'provision', this.#world.scaled(this.#world.dials.provisionMs));
    if (left > 0) return { requeueAfterMs: left };
    const telling = `External provisioner is provisioning volume for claim "${namespace}/${name}"`;
    this.#event(claim, 'Normal', 'Provisioning', telling);
    try {
      await this.#cluster.client.create(persistentVolumes, volumeFor(claim, this.#classes.get({ name: storageClass })));
    } catch (error) {
      if (!isKind(error, 'AlreadyExists')) throw error;
    }
    this.#event(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${volumeName(claim)}`);
  }

  async #grow(claim: PersistentVolumeClaim, storage: string): Promise<Result | void> {
    const { uid = '' } = claim.metadata;
    const name = textAt(claim.spec, 'volumeName');
    const volume = this.volumes.get({ name });
    if (volume === undefined || driverOf(volume) !== DRIVER) return;
    const left = this.#watch.left(uid, `grow-${storage}`, this.#world.scaled(RESIZE_MS));
    if (left > 0) return { requeueAfterMs: left };
    const { client } = this.#cluster;
    this.#event(claim, 'Normal', 'Resizing', `External resizer is resizing volume ${name}`);
    await client.patch(persistentVolumes, { name }, { type: 'merge', body: { spec: { capacity: { storage } } } });
    const body = { metadata: { uid }, status: { capacity: { storage } } };
    await client.patch(persistentVolumeClaims, keyOfObject(claim), { type: 'merge', body }, { subresource: 'status' });
    this.#event(claim, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded');
  }

  async syncVolume({ name }: ObjectKey): Promise<Result | void> {
    const volume = this.volumes.get({ name });
    if (volume === undefined || !isReleased(volume)) return;
    const { uid = '' } = volume.metadata;
    const left = this.#watch.left(uid, 'reclaim', this.#world.scaled(RECLAIM_MS));
    if (left > 0) return { requeueAfterMs: left };
    this.#watch.forget(uid);
    try {
      await this.#cluster.client.delete(persistentVolumes, { name }, { uid });
    } catch (error) {
      if (!isKind(error, 'NotFound', 'Conflict')) throw error;
    }
  }

  /** Faults of the PVC, of its DataVolume and of the VM of that apply. */
  #sufferer(claim: PersistentVolumeClaim): Sufferer {
    const { namespace = '', name = '', annotations } = claim.metadata;
    const ownerReferences = this.#target(claim).metadata.ownerReferences ?? [];
    const owner = ownerReferences.find(({ kind }) => kind === 'DataVolume')?.name;
    const volume = owner === undefined ? undefined : this.#dataVolumes.get({ namespace, name: owner });
    const above = volume?.metadata.ownerReferences?.find(({ kind }) => kind === 'VirtualMachine')?.name;
    const vm = above === undefined ? undefined : this.#vms.get({ namespace, name: above });
    return {
      namespace,
      names: [name, owner, above].filter((one) => one !== undefined),
      annotations: [annotations, volume?.metadata.annotations, vm?.metadata.annotations],
    };
  }

  /** For a prime PVC of CDI, returns the PVC that gets its volume; otherwise the PVC itself. */
  #target(claim: PersistentVolumeClaim): PersistentVolumeClaim {
    const { namespace = '', ownerReferences = [] } = claim.metadata;
    const name = ownerReferences.find(({ kind }) => kind === 'PersistentVolumeClaim')?.name;
    return (name === undefined ? undefined : this.claims.get({ namespace, name })) ?? claim;
  }

  #event(claim: PersistentVolumeClaim, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const subject = { ...claim, apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
    this.#cluster.recorder.event(subject, type, reason, message);
  }
}

const part = (object: Unstructured, field: string): JsonObject | undefined => {
  const value = object[field] as Json | undefined;
  return isObject(value) ? value : undefined;
};

function driverOf(volume: Unstructured): string {
  return textAt(objectAt(part(volume, 'spec'), 'csi'), 'driver');
}

function isReleased(volume: Unstructured): boolean {
  return (
    driverOf(volume) === DRIVER &&
    textAt(part(volume, 'status'), 'phase') === 'Released' &&
    textAt(part(volume, 'spec'), 'persistentVolumeReclaimPolicy') === 'Delete' &&
    volume.metadata.deletionTimestamp === undefined
  );
}
