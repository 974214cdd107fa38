/** What the VMI controller does in the cluster before it writes a status: it creates and deletes pods. */
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Cluster } from '@ssvirt/kube/cluster';
import { keyOfObject } from '@ssvirt/kube/object';
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import { serverWords } from '../../server-words.ts';
import { persistentVolumeClaims, pods, type Pod, type VirtualMachineInstance } from '../objects.ts';
import { renderStateClaim } from './backend-storage.ts';
import { MIGRATED_VMI_INDEX, STATE_INDEX, type VmiCaches } from './caches.ts';
import type { VmiSyncError } from './conditions.ts';
import { domainOf, needsBackendStorage } from './domain.ts';
import { findAttachment, hotplugVolumes, planHotplug } from './hotplug.ts';
import { renderAttachmentPod, renderTriggerPod } from './launcher/attachment-pod.ts';
import { renderLauncherPod } from './launcher/pod.ts';
import { ClaimNotFound } from './launcher/volumes.ts';
import { annotations, reasons } from './names.ts';
import { isFinal, isReady, isTemporary, isTerminating } from './pods.ts';
import { launcherContextOf } from './launcher-context.ts';
import { bootVolumes, type Storage } from './volumes.ts';

export interface SyncScene {
  readonly vmi: VirtualMachineInstance;
  /** All pods that the VMI controls. */
  readonly pods: readonly Pod[];
  readonly pod: Pod | undefined;
  readonly attachmentsOf: (launcher: Pod) => readonly Pod[];
  readonly storage: Storage;
}

export interface Synced {
  /** The current pod, which may be a new one. */
  readonly pod: Pod | undefined;
  readonly error?: VmiSyncError;
}

export class Sync {
  readonly #cluster: Cluster;
  readonly #caches: VmiCaches;
  readonly #signal: AbortSignal;

  constructor(cluster: Cluster, caches: VmiCaches, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#caches = caches;
    this.#signal = signal;
  }

  async run(scene: SyncScene): Promise<Synced> {
    const { vmi, pod } = scene;
    if (vmi.metadata.deletionTimestamp !== undefined) return this.#deletePods(scene);
    if (vmi.status?.phase === 'Succeeded' || vmi.status?.phase === 'Failed') {
      for (const attachment of pod === undefined ? [] : scene.attachmentsOf(pod)) await this.#detach(vmi, attachment);
      return { pod };
    }
    for (const done of scene.pods.filter(isFinal))
      for (const attachment of scene.attachmentsOf(done)) await this.#detach(vmi, attachment);
    const volumes = bootVolumes(vmi, scene.storage);
    if (volumes.error !== undefined) {
      const { reason, message } = volumes.error;
      const type = reason === reasons.failedPvcNotFound ? 'Normal' : 'Warning';
      this.#tell(vmi, type, reasons.failedPvcNotFound, message);
      return { pod, error: volumes.error };
    }
    if (pod === undefined) return volumes.ready ? this.#launch(scene, volumes.waitsForConsumer) : { pod };
    if (!volumes.waitsForConsumer) await this.#endTemporary(scene);
    if (isTemporary(pod) || !isReady(pod)) return { pod };
    const marked = await this.#markEviction(vmi, pod);
    return this.#syncHotplug(scene, marked);
  }

  #tell(vmi: VirtualMachineInstance, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#cluster.recorder.event(vmi, type, reason, message);
  }

  /** Deletes each pod once; pods that have ended are deleted again until they are gone. */
  async #deletePods({ vmi, pods: owned, pod }: SyncScene): Promise<Synced> {
    for (const doomed of owned) {
      if (isTerminating(doomed) && !isFinal(doomed)) continue;
      const { name = '' } = doomed.metadata;
      try {
        await this.#delete(doomed);
      } catch (error) {
        this.#tell(vmi, 'Warning', reasons.failedDelete, `Failed to delete virtual machine pod ${name}`);
        return { pod, error: failure(reasons.failedDelete, `failed to delete pod: ${serverWords(error)}`) };
      }
      this.#tell(vmi, 'Normal', reasons.successfulDelete, `Deleted virtual machine pod ${name}`);
    }
    return { pod };
  }

  async #delete(pod: Pod, gracePeriodSeconds?: number): Promise<void> {
    const { uid } = pod.metadata;
    try {
      await this.#cluster.client.delete(pods, keyOfObject(pod), {
        signal: this.#signal,
        ...(uid === undefined ? {} : { uid }),
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      });
    } catch (error) {
      // The pod is gone, or another one has its name.
      if (!isNotFound(error) && !isKind(error, 'Conflict')) throw error;
    }
  }

  async #launch(scene: SyncScene, temporary: boolean): Promise<Synced> {
    const { vmi, storage } = scene;
    const { phase = '' } = vmi.status ?? {};
    if (phase !== '' && phase !== 'Pending') return { pod: undefined };
    const { namespace = '', name = '' } = vmi.metadata;
    const migrations = this.#caches.migrations.byIndex(MIGRATED_VMI_INDEX, `${namespace}/${name}`);
    if (migrations.some(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed'))
      return { pod: undefined, error: failure(reasons.failedCreate, 'active migration exists') };
    const backend = await this.#backendClaim(scene);
    if (typeof backend === 'object') return { pod: undefined, error: backend };
    let rendered: Pod;
    try {
      rendered = renderLauncherPod(vmi, {
        claim: storage.claim,
        temporary,
        surroundings: launcherContextOf(this.#caches, namespace),
        ...(backend === undefined ? {} : { backendClaim: backend }),
      });
    } catch (error) {
      return { pod: undefined, error: this.#notRendered(vmi, error) };
    }
    return this.#create(vmi, rendered);
  }

  #notRendered(vmi: VirtualMachineInstance, error: unknown): VmiSyncError {
    const message = `failed to render launch manifest: ${serverWords(error)}`;
    if (!(error instanceof ClaimNotFound)) return failure(reasons.failedCreate, message);
    this.#tell(vmi, 'Warning', reasons.failedPvcNotFound, message);
    return { ...failure(reasons.failedPvcNotFound, message), retry: false };
  }

  async #create(vmi: VirtualMachineInstance, rendered: Pod): Promise<Synced> {
    try {
      const pod = await this.#cluster.client.create(pods, rendered, { signal: this.#signal });
      const { name = '' } = pod.metadata;
      this.#tell(vmi, 'Normal', reasons.successfulCreate, `Created virtual machine pod ${name}`);
      return { pod };
    } catch (error) {
      if (isKind(error, 'Aborted')) throw error;
      return { pod: undefined, error: this.#refused(vmi, error) };
    }
  }

  #refused(vmi: VirtualMachineInstance, error: unknown): VmiSyncError {
    const { namespace = '', name = '' } = vmi.metadata;
    const text = serverWords(error);
    if (isKind(error, 'Forbidden') && text.includes('violates PodSecurity')) {
      const message = `failed to create pod for vmi ${namespace}/${name}, it needs a privileged namespace to run: ${text}`;
      this.#tell(vmi, 'Warning', reasons.failedCreate, `failed to render launch manifest: ${message}`);
      return failure(reasons.failedCreate, message);
    }
    this.#tell(vmi, 'Warning', reasons.failedCreate, `Error creating pod: ${text}`);
    return failure(reasons.failedCreate, `failed to create virtual machine pod: ${text}`);
  }

  /**
   * Returns the name of the PVC, which is created if it is missing; undefined if none is needed, an error while it is
   * not bound.
   */
  async #backendClaim({ vmi, storage }: SyncScene): Promise<string | undefined | VmiSyncError> {
    if (!needsBackendStorage(domainOf(vmi))) return undefined;
    const { namespace = '', name = '' } = vmi.metadata;
    let [claim] = this.#caches.claims.byIndex(STATE_INDEX, `${namespace}/${name}`);
    try {
      claim ??= await this.#cluster.client.create(persistentVolumeClaims, renderStateClaim(vmi, storage.claim), {
        signal: this.#signal,
      });
    } catch (error) {
      if (isKind(error, 'Aborted')) throw error;
      return failure(reasons.failedBackendStorageCreate, serverWords(error));
    }
    if (claim.status?.phase === 'Lost') return failure(reasons.backendStorageNotReady, 'PVC pending');
    return claim.metadata.name;
  }

  /** The import has started: the temporary pods that triggered it are deleted. */
  async #endTemporary({ vmi, pods: owned, pod, attachmentsOf }: SyncScene): Promise<void> {
    const triggers = pod === undefined ? [] : attachmentsOf(pod);
    for (const done of [...owned, ...triggers].filter(isTemporary)) {
      const { phase } = done.status ?? {};
      if (phase !== undefined && phase !== 'Pending') await this.#delete(done, 0);
      const message = `Deleted WaitForFirstConsumer temporary pod ${done.metadata.name ?? ''}`;
      this.#tell(vmi, 'Normal', reasons.successfulDelete, message);
    }
  }

  /** Tells a descheduler that the VMI is already being evacuated. */
  async #markEviction({ status }: VirtualMachineInstance, pod: Pod): Promise<Pod> {
    const wanted = (status?.['evacuationNodeName'] ?? '') !== '';
    const isMarked = pod.metadata.annotations?.[annotations.evictionInProgress] !== undefined;
    if (wanted === isMarked) return pod;
    const value = wanted ? 'true' : null;
    const body = { metadata: { annotations: { [annotations.evictionInProgress]: value } } };
    const patch = { type: 'merge', body } as const;
    return this.#cluster.client.patch(pods, keyOfObject(pod), patch, { signal: this.#signal });
  }

  async #syncHotplug({ vmi, storage, attachmentsOf }: SyncScene, pod: Pod): Promise<Synced> {
    if (isTerminating(pod)) return { pod };
    const attachments = attachmentsOf(pod).filter((attachment) => !isTemporary(attachment));
    const triggers = attachmentsOf(pod).filter(isTemporary);
    const plan = planHotplug(hotplugVolumes(vmi, pod), attachments, storage);
    for (const volume of plan.populate) {
      if (findAttachment(volume.name, triggers) !== undefined) continue;
      const claim = storage.claim(volume.dataVolume?.name ?? volume.persistentVolumeClaim?.claimName ?? '');
      await this.#cluster.client.create(pods, renderTriggerPod(pod, volume, claim), { signal: this.#signal });
      this.#tell(vmi, 'Normal', reasons.successfulCreate, `Created hotplug trigger pod for volume ${volume.name}`);
    }
    // The attachment pod needs the launcher's SELinux context, which virt-handler reports.
    if (plan.attach !== undefined && (vmi.status?.['selinuxContext'] ?? '') !== '') {
      const error = await this.#attach(vmi, renderAttachmentPod(vmi, pod, plan.attach, storage.claim));
      if (error !== undefined) return { pod, error };
    }
    for (const old of plan.remove) await this.#detach(vmi, old);
    return { pod };
  }

  async #attach(vmi: VirtualMachineInstance, rendered: Pod): Promise<VmiSyncError | undefined> {
    try {
      const { metadata } = await this.#cluster.client.create(pods, rendered, { signal: this.#signal });
      this.#tell(vmi, 'Normal', reasons.successfulCreate, `Created attachment pod ${metadata.name ?? ''}`);
      return undefined;
    } catch (error) {
      if (isKind(error, 'Aborted')) throw error;
      const message = serverWords(error);
      this.#tell(vmi, 'Warning', reasons.failedCreate, `Error creating attachment pod: ${message}`);
      return failure(reasons.failedCreate, `Error creating attachment pod ${message}`);
    }
  }

  async #detach(vmi: VirtualMachineInstance, attachment: Pod): Promise<void> {
    if (isTerminating(attachment) || controllerOf(attachment)?.kind !== 'Pod') return;
    await this.#delete(attachment, 0);
    const message = `Deleted attachment pod ${attachment.metadata.name ?? ''}`;
    this.#tell(vmi, 'Normal', reasons.successfulDelete, message);
  }
}

const failure = (reason: string, message: string): VmiSyncError => ({ reason, message, retry: true });
