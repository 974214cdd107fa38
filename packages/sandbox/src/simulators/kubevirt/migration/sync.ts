/**
 * What the migration controller does in the cluster before it writes a status: it creates and deletes the target pod,
 * and updates the VMI.
 */
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Cluster } from '@ssvirt/kube/cluster';
import { keyOfObject } from '@ssvirt/kube/object';
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { serverWords } from '../../server-words.ts';
import { pods, virtualMachineInstances, type Pod, type VirtualMachineInstance } from '../objects.ts';
import { testedPatch } from '../vm/tested-patch.ts';
import { storageIn } from '../vmi/caches.ts';
import { hotplugVolumes } from '../vmi/hotplug.ts';
import { renderAttachmentPod } from '../vmi/launcher/attachment-pod.ts';
import { NON_ROOT } from '../vmi/launcher/containers.ts';
import { isFinal as isPodFinal, isReady } from '../vmi/pods.ts';
import { launcherContextOf } from '../vmi/launcher-context.ts';
import type { World } from '../../world.ts';
import { activePods, configurationIn, migrationsOf, type MigrationCaches } from './caches.ts';
import type { MigrationScene } from './decide.ts';
import { handOver } from './hand-over.ts';
import { annotations, labels, reasons } from './names.ts';
import type { Slots } from './slots.ts';
import { isDeleting, isSet, ownState, phaseOf, stateOf, type MigrationState } from './state.ts';
import { renderTargetPod } from './target-pod.ts';
import { pauseOf, pendingPod } from './waiting.ts';

const FULL_MS = 5000;
const OTHER_PODS_MS = 1000;

export interface MigrationSynced {
  /** Why the step failed; it is retried. */
  readonly error?: string;
  /** In real-cluster time, before `speed`. */
  readonly againAfterMs?: number;
}

export class MigrationSync {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #caches: MigrationCaches;
  readonly #slots: Slots;
  readonly #signal: AbortSignal;

  constructor(world: World, cluster: Cluster, caches: MigrationCaches, slots: Slots, signal: AbortSignal) {
    this.#world = world;
    this.#cluster = cluster;
    this.#caches = caches;
    this.#slots = slots;
    this.#signal = signal;
  }

  async run(scene: MigrationScene): Promise<MigrationSynced> {
    const { migration, vmi, target } = scene;
    const own = ownState(vmi, migration);
    if (isDeleting(vmi) || own?.completed === true) return {};
    if (scene.isTaken) return { error: 'vmi is ineligible for migration because another migration job is running' };
    const canceled = isDeleting(migration);
    switch (phaseOf(migration)) {
      case 'Pending':
        return canceled ? this.#cancel(scene) : this.#prepare(scene);
      case 'Scheduling':
        if (canceled) return this.#cancel(scene);
        return target === undefined ? {} : this.#awaitPod(scene, target);
      case 'Scheduled':
        if (canceled && own === undefined) return this.#cancel(scene);
        return target !== undefined && isReady(target) && own === undefined ? this.#handOver(scene, target) : {};
      case 'PreparingTarget':
      case 'TargetReady':
      case 'Failed':
        return this.#markFailed(scene, own);
      case 'Running':
        return canceled && own !== undefined ? this.#abort(scene, own) : {};
      default:
        return {};
    }
  }

  #tell(
    about: MigrationScene['migration'] | VirtualMachineInstance,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    this.#cluster.recorder.event(about, type, reason, message);
  }

  /** virt-handler does not know of the migration yet: without its pod, it leaves no trace. */
  async #cancel({ migration, target }: MigrationScene): Promise<MigrationSynced> {
    if (target === undefined) return {};
    const { namespace = '', name = '' } = target.metadata;
    const said = `migration canceled and pod ${namespace}/${name} is deleted`;
    const failed = 'Error deleting canceled migration target pod';
    const error = await this.#deletePod(migration, target, said, failed);
    return error === undefined
      ? {}
      : { error: `cannot delete pending target pod ${name}/${namespace} for migration although migration is aborted` };
  }

  async #deletePod(
    about: MigrationScene['migration'],
    pod: Pod,
    said: string,
    failed: string,
  ): Promise<string | undefined> {
    const { uid } = pod.metadata;
    try {
      await this.#cluster.client.delete(pods, keyOfObject(pod), {
        signal: this.#signal,
        ...(uid === undefined ? {} : { uid }),
      });
    } catch (error) {
      if (isKind(error, 'Aborted')) throw error;
      if (!isNotFound(error)) {
        this.#tell(about, 'Warning', reasons.notDeleted, `${failed}: ${serverWords(error)}`);
        return serverWords(error);
      }
    }
    this.#tell(about, 'Normal', reasons.deleted, said);
    return undefined;
  }

  async #prepare(scene: MigrationScene): Promise<MigrationSynced> {
    const { migration, vmi, target, source } = scene;
    const pause = pauseOf(migration, migrationsOf(this.#caches, vmi));
    const left = pause === undefined ? 0 : pause.since + this.#world.scaled(pause.ms) - Date.now();
    if (left > 0) {
      const { namespace = '', name = '' } = vmi.metadata;
      this.#tell(vmi, 'Warning', reasons.backoff, `backoff migrating vmi ${namespace}/${name}`);
      return { againAfterMs: left * this.#world.dials.speed };
    }
    if (target === undefined) return source === undefined ? {} : this.#makeTarget(scene, source);
    if (!isReady(target)) return this.#awaitPod(scene, target);
    return scene.needsAttachment && scene.attachment === undefined ? this.#attach(scene, target) : {};
  }

  async #makeTarget(scene: MigrationScene, source: Pod): Promise<MigrationSynced> {
    const { migration } = scene;
    const vmi = await this.#dropRoot(scene.vmi);
    if (activePods(this.#caches, vmi) > 1) return { againAfterMs: OTHER_PODS_MS };
    const { uid = '' } = migration.metadata;
    const configuration = configurationIn(this.#caches);
    if (!this.#slots.take(this.#caches, configuration, uid, vmi.status?.nodeName ?? ''))
      return { againAfterMs: FULL_MS };
    try {
      return vmi.status?.phase === 'Running' ? await this.#createTarget(migration, vmi, source) : {};
    } finally {
      this.#slots.release(uid);
    }
  }

  /** Marks the VMI as non-root, also with the annotation that old versions read. */
  async #dropRoot(vmi: VirtualMachineInstance): Promise<VirtualMachineInstance> {
    const operations: JsonPatchOperation[] = [];
    if (vmi.status?.['runtimeUser'] !== NON_ROOT)
      operations.push({ op: 'add', path: '/status/runtimeUser', value: NON_ROOT });
    if (vmi.metadata.annotations === undefined)
      operations.push({ op: 'add', path: '/metadata/annotations', value: { [annotations.nonRoot]: 'true' } });
    else if (vmi.metadata.annotations[annotations.nonRoot] === undefined)
      operations.push({ op: 'add', path: '/metadata/annotations/kubevirt.io~1nonroot', value: 'true' });
    return operations.length === 0 ? vmi : this.#patchVmi(vmi, operations);
  }

  #patchVmi(vmi: VirtualMachineInstance, operations: readonly JsonPatchOperation[]): Promise<VirtualMachineInstance> {
    const shell = { client: this.#cluster.client, signal: this.#signal };
    return testedPatch(shell, virtualMachineInstances, vmi, operations);
  }

  async #createTarget(
    migration: MigrationScene['migration'],
    vmi: VirtualMachineInstance,
    source: Pod,
  ): Promise<MigrationSynced> {
    const { namespace = '' } = vmi.metadata;
    let rendered: Pod;
    try {
      rendered = renderTargetPod(migration, vmi, source, {
        claim: storageIn(this.#caches, namespace).claim,
        surroundings: launcherContextOf(this.#caches, namespace),
        node: this.#caches.nodes.get({ name: vmi.status?.nodeName ?? '' }),
        matchesSelinuxLevel: configurationIn(this.#caches).matchesSelinuxLevel,
      });
    } catch (error) {
      return { error: `failed to render launch manifest: ${serverWords(error)}` };
    }
    try {
      const pod = await this.#cluster.client.create(pods, rendered, { signal: this.#signal });
      const { name = '' } = pod.metadata;
      this.#tell(migration, 'Normal', reasons.created, `Created migration target pod ${name}`);
      return {};
    } catch (error) {
      if (isKind(error, 'Aborted')) throw error;
      return { error: this.#refused(vmi, error) };
    }
  }

  #refused(vmi: VirtualMachineInstance, error: unknown): string {
    const { namespace = '', name = '' } = vmi.metadata;
    const text = serverWords(error);
    if (isKind(error, 'Forbidden') && text.includes('violates PodSecurity')) {
      const message = `failed to create target pod for vmi ${namespace}/${name}, it needs a privileged namespace to run: ${text}`;
      this.#tell(vmi, 'Warning', reasons.notCreated, `failed to render launch manifest: ${message}`);
      return message;
    }
    this.#tell(vmi, 'Warning', reasons.notCreated, `Error creating pod: ${text}`);
    return `failed to create vmi migration target pod: ${text}`;
  }

  /** Hotplugged volumes need an attachment pod at the target, too. */
  async #attach({ migration, vmi, source }: MigrationScene, target: Pod): Promise<MigrationSynced> {
    if (source === undefined) return {};
    const { namespace = '' } = vmi.metadata;
    const { claim } = storageIn(this.#caches, namespace);
    const fresh = { ...vmi, status: { ...vmi.status, volumeStatus: [] } };
    const rendered = renderAttachmentPod(fresh, target, hotplugVolumes(vmi, source), claim);
    const { metadata } = rendered;
    const marked = {
      ...rendered,
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, [labels.job]: migration.metadata.uid ?? '' },
        annotations: { ...metadata.annotations, [annotations.jobName]: migration.metadata.name ?? '' },
      },
    };
    try {
      const pod = await this.#cluster.client.create(pods, marked, { signal: this.#signal });
      this.#tell(migration, 'Normal', reasons.created, `Created attachment pod ${pod.metadata.name ?? ''}`);
      return {};
    } catch (error) {
      if (isKind(error, 'Aborted')) throw error;
      this.#tell(vmi, 'Warning', reasons.notCreated, `Error creating attachment pod: ${serverWords(error)}`);
      return { error: `failed to create attachment pod: ${serverWords(error)}` };
    }
  }

  async #awaitPod({ migration, vmi }: MigrationScene, target: Pod): Promise<MigrationSynced> {
    const pending = pendingPod(migration, target);
    if (pending === undefined) return {};
    const { namespace = '', name = '' } = vmi.metadata;
    if (pending.unschedulable) {
      const message = `Migration target pod for VMI [${namespace}/${name}] is currently unschedulable.`;
      this.#tell(migration, 'Warning', reasons.unschedulable, message);
    }
    const { creationTimestamp = '' } = target.metadata;
    const left = Date.parse(creationTimestamp) + this.#world.scaled(pending.timeoutMs) - Date.now();
    if (left > 0) return { againAfterMs: left * this.#world.dials.speed };
    const error = await this.#deletePod(migration, target, pending.givenUp, 'Error deleted migration target pod');
    return error === undefined
      ? {}
      : { error: `failed to delete vmi migration target pod that reached pending pod timeout period.: ${error}` };
  }

  async #handOver(
    { migration, vmi, needsAttachment, attachment }: MigrationScene,
    target: Pod,
  ): Promise<MigrationSynced> {
    if (needsAttachment && attachment === undefined) return { error: 'target attachment pod not found' };
    const configuration = configurationIn(this.#caches).whole;
    const handed = handOver(migration, vmi, target, { configuration, attachment });
    const before = stateOf(vmi);
    const known = vmi.metadata.labels;
    try {
      await this.#patchVmi(vmi, [
        ...(before === undefined ? [] : [{ op: 'test', path: '/status/migrationState', value: before } as const]),
        { op: 'add', path: '/status/migrationState', value: handed.state },
        ...(known === undefined ? [] : [{ op: 'test', path: '/metadata/labels', value: known } as const]),
        { op: 'add', path: '/metadata/labels', value: handed.labels },
      ]);
    } catch (error) {
      if (isKind(error, 'Aborted', 'Conflict')) throw error;
      const message = `Failed to set MigrationStat in VMI status. :${serverWords(error)}`;
      this.#tell(migration, 'Warning', reasons.notHandedOver, message);
      return { error: serverWords(error) };
    }
    const message = 'Migration target pod is ready for preparation by virt-handler.';
    this.#tell(migration, 'Normal', reasons.handedOver, message);
    return {};
  }

  /** The target pod ended before virt-handler began, so no virt-handler updates the VMI. */
  async #markFailed(
    { migration, vmi, target, now }: MigrationScene,
    own: MigrationState | undefined,
  ): Promise<MigrationSynced> {
    if (own === undefined || own.failed === true || isSet(own.startTimestamp)) return {};
    if (target !== undefined && !isPodFinal(target)) return {};
    if (Object.keys(own.targetDirectMigrationNodePorts ?? {}).length > 0) return {};
    const value = { ...own, startTimestamp: now, endTimestamp: now, failed: true, completed: true };
    await this.#patchVmi(vmi, [
      { op: 'test', path: '/status/migrationState', value: own },
      { op: 'replace', path: '/status/migrationState', value },
    ]);
    const uid = migration.metadata.uid ?? '';
    const message = `VirtualMachineInstance migration uid ${uid} failed. reason: Target pod is down`;
    this.#tell(vmi, 'Warning', reasons.failed, message);
    return {};
  }

  async #abort({ migration, vmi }: MigrationScene, own: MigrationState): Promise<MigrationSynced> {
    if (own.abortRequested === true) return {};
    try {
      await this.#patchVmi(vmi, [
        { op: 'test', path: '/status/migrationState', value: own },
        { op: 'add', path: '/status/migrationState/abortRequested', value: true },
      ]);
    } catch (error) {
      if (isKind(error, 'Aborted', 'Conflict')) throw error;
      const message = `failed to set MigrationState in VMI status. :${serverWords(error)}`;
      this.#tell(migration, 'Warning', reasons.notAborted, message);
      return { error: message };
    }
    this.#tell(migration, 'Normal', reasons.aborted, 'Migration is ready to be canceled by virt-handler.');
    return {};
  }
}
