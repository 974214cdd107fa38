/** The virt-handlers of the simulated nodes: each reconcile of a VMI takes one step. */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import { annotationChanged } from '@ssvirt/kube/controller/predicates';
import type { Result } from '@ssvirt/kube/controller/request';
import type { Source } from '@ssvirt/kube/controller/source';
import { watches } from '@ssvirt/kube/controller/sources';
import { keyOfObject, type ObjectKey } from '@ssvirt/kube/object';
import { textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import { suffers } from '../../faults.ts';
import { virtualMachineInstances, type Pod, type VirtualMachineInstance } from '../../kubevirt/objects.ts';
import { faultsTurned } from '../../sources.ts';
import { Stopwatch } from '../../stopwatch.ts';
import type { World } from '../../world.ts';
import { isEnded, isLauncher, nodeCaches, vmiNameOf, type NodeCaches } from '../caches.ts';
import { indexOfNode, nodeAddress, SIMULATED_LABEL } from '../fleet.ts';
import { vmisMeant } from '../meant.ts';
import { sufferingVmi } from '../sufferers.ts';
import { timestamp } from '../timestamp.ts';
import { signaled, toldAt } from './ending.ts';
import { isMigrating } from './migration.ts';
import { nextStep } from './next-step.ts';
import type { Happening, Scene, StatusWrite } from './step.ts';

export function virtHandlers(world: World): Controller {
  const cluster = world.as('virt-handler');
  const part = new VirtHandlers(world, nodeCaches(cluster));
  const controller = createController({
    name: 'virt-handler',
    concurrency: 64,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => part.sources(),
    reconcile: (key) => part.sync(key),
  });
  controller.engage(cluster);
  return controller;
}

class VirtHandlers {
  readonly #world: World;
  readonly #caches: NodeCaches;
  readonly #watch = new Stopwatch();
  /** Guests that were asked to shut down: the event is emitted once, and again after a restart of virt-handler. */
  readonly #signaled = new Set<string>();

  constructor(world: World, caches: NodeCaches) {
    this.#world = world;
    this.#caches = caches;
    caches.vmis.addHandler({
      name: 'virt-handler-memory',
      added: () => {},
      updated: () => {},
      deleted: ({ metadata: { uid = '' } }) => {
        this.#watch.forget(uid);
        this.#signaled.delete(uid);
      },
    });
  }

  sources(): readonly Source[] {
    const caches = this.#caches;
    return [
      watches(caches.vmis, enqueueObject, ({ object }) => object.status?.nodeName !== undefined),
      watches(
        caches.pods,
        enqueueMapped((pod) => this.#vmisOf(pod)),
        (change) =>
          change.type !== 'updated' ||
          change.before.status?.phase !== change.object.status?.phase ||
          change.before.status?.podIP !== change.object.status?.podIP ||
          change.before.status?.conditions !== change.object.status?.conditions ||
          change.before.metadata.deletionTimestamp !== change.object.metadata.deletionTimestamp,
      ),
      watches(
        caches.vms,
        enqueueMapped(({ metadata }) => [keyOfObject({ metadata })]),
        annotationChanged,
      ),
      faultsTurned(this.#world, (fault) => vmisMeant(caches, fault)),
    ];
  }

  /** Returns the VMI of a launcher, or of the launcher that owns an attachment pod. */
  #vmisOf(pod: Pod): readonly ObjectKey[] {
    const { namespace = '', labels, ownerReferences } = pod.metadata;
    if (isLauncher(pod)) {
      const name = vmiNameOf(pod);
      return name === undefined ? [] : [{ namespace, name }];
    }
    if (labels?.['kubevirt.io'] !== 'hotplug-disk') return [];
    const launcher = ownerReferences?.find(({ kind }) => kind === 'Pod')?.name;
    const owner = launcher === undefined ? undefined : this.#caches.pods.get({ namespace, name: launcher });
    const name = owner === undefined ? undefined : vmiNameOf(owner);
    return name === undefined ? [] : [{ namespace, name }];
  }

  async sync(key: ObjectKey): Promise<Result | void> {
    const vmi = this.#caches.vmis.get(key);
    const node = vmi?.status?.nodeName;
    if (vmi === undefined || node === undefined || !this.#isAlive(node)) return;
    const scene = this.#scene(vmi, node);
    if (isMigrating(scene) && !this.#isAlive(textAt(vmi.status?.migrationState, 'targetNode'))) return;
    this.#signal(scene);
    const step = nextStep(scene);
    if (step === undefined) return;
    if (step.kind === 'wait') return { requeueAfterMs: Math.max(1, step.ms) };
    await this.#write(vmi, step);
  }

  #isAlive(node: string): boolean {
    const ours = this.#caches.nodes.get({ name: node })?.metadata.labels?.[SIMULATED_LABEL] === 'true';
    return ours && !suffers(this.#world.dials, 'node-lost', { node });
  }

  #scene(vmi: VirtualMachineInstance, node: string): Scene {
    const { uid = '', namespace = '' } = vmi.metadata;
    const launchers = this.#caches.launchersOf(uid).filter((pod) => !isEnded(pod));
    const sufferer = sufferingVmi(this.#caches, vmi);
    const target = textAt(vmi.status?.migrationState, 'targetPod');
    return {
      vmi,
      node,
      pod: launchers.find((pod) => pod.spec.nodeName === node),
      targetPod: launchers.find((pod) => pod.metadata.name === target),
      dials: this.#world.dials,
      now: timestamp(),
      hasFault: (kind) => suffers(this.#world.dials, kind, sufferer),
      left: (stage, ms, since) => this.#watch.left(uid, stage, this.#world.scaled(ms), since),
      accessModes: (name) => {
        const claim = this.#caches.claims.get({ namespace, name });
        return claim === undefined ? undefined : textsAt(claim.spec, 'accessModes');
      },
      isRunning: (name) => this.#caches.pods.get({ namespace, name })?.status?.phase === 'Running',
      addressOf: (name) => nodeAddress(indexOfNode(name)),
    };
  }

  #signal(scene: Scene): void {
    const { uid = '' } = scene.vmi.metadata;
    if (scene.vmi.status?.phase !== 'Running' || this.#signaled.has(uid) || toldAt(scene) === undefined) return;
    this.#signaled.add(uid);
    this.#tell(scene.vmi, scene.node, [signaled]);
  }

  async #write(vmi: VirtualMachineInstance, step: StatusWrite): Promise<void> {
    this.#tell(vmi, step.node, step.before ?? []);
    const next: VirtualMachineInstance = {
      ...vmi,
      metadata: {
        ...vmi.metadata,
        ...(step.labels === undefined ? {} : { labels: { ...vmi.metadata.labels, ...step.labels } }),
      },
      status: { ...vmi.status, ...step.status },
    };
    await this.#world.as('virt-handler', { node: step.node }).client.update(virtualMachineInstances, next);
    this.#tell(vmi, step.node, step.after ?? []);
  }

  #tell(vmi: VirtualMachineInstance, node: string, happenings: readonly Happening[]): void {
    const subject = { ...vmi, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance' };
    for (const { type, reason, message, host = node } of happenings)
      this.#world.as('virt-handler', { node: host }).recorder.event(subject, type, reason, message);
  }
}
