/**
 * Binds claims and volumes like kube-controller-manager's volume binder: by name when one names the other, otherwise by
 * fit.
 */
import { defaultClassName, namesClass } from '../admission/storage.ts';
import type { KubeObject } from '../../values/json.ts';
import { ensureObject, listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { entryKey, parseEntry, type Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { Resource } from '../../server/api/resource.ts';
import type { LocalClient } from './client.ts';
import {
  claimLost,
  ClaimReporter,
  externalProvisioning,
  firstConsumer,
  noClass,
  noVolume,
  podToBeScheduled,
} from './volume-events.ts';
import { VolumeIndex } from './volume-index.ts';
import { claimKeyOf, classOf, isFor, phaseOf, smallestFit, volumePhase } from './volume-match.ts';
import { WorkQueue } from './work-queue.ts';

const CLAIMS = '/persistentvolumeclaims';
const VOLUMES = '/persistentvolumes';
const CLASSES = 'storage.k8s.io/storageclasses';
const PODS = '/pods';

const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const PROVISIONERS = ['volume.beta.kubernetes.io/storage-provisioner', 'volume.kubernetes.io/storage-provisioner'];
/** The provisioner of a class whose volumes are created manually. */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

export class VolumeBinder {
  readonly #store: Store;
  readonly #client: LocalClient;
  readonly #queue: WorkQueue;
  readonly #reporter: ClaimReporter;
  readonly #index = new VolumeIndex();
  /** The pod that waits for a claim, for Events. */
  readonly #consumers = new Map<string, string>();
  readonly #stops: (() => void)[];

  constructor(store: Store, client: LocalClient, onError: (error: unknown, key: string) => void) {
    this.#store = store;
    this.#client = client;
    this.#reporter = new ClaimReporter(client);
    this.#queue = new WorkQueue((key) => this.#reconcile(key), onError);
    for (const entry of store.table(VOLUMES).range('')) this.#sawVolume(entry);
    for (const entry of store.table(CLAIMS).range('')) this.#queue.add(entry.key);
    for (const entry of store.table(PODS).range('')) this.#sawPod(entry);
    this.#stops = [
      store.listenTo(VOLUMES, ({ type, entry }) =>
        type === 'DELETED' ? this.#lostVolume(entry) : this.#sawVolume(entry),
      ),
      store.listenTo(CLAIMS, ({ type, entry }) => {
        if (type === 'DELETED') this.#lostClaim(entry);
        this.#queue.add(entry.key);
      }),
      store.listenTo(CLASSES, () => this.#waiting()),
      store.listenTo(PODS, ({ type, entry }) => {
        if (type === 'ADDED') this.#sawPod(entry);
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#queue.stop();
  }

  #sawVolume(entry: Entry): void {
    const volume = parseEntry(entry);
    this.#index.saw(volume);
    this.#queue.add(entry.key);
    const claim = claimKeyOf(volume);
    if (claim !== undefined) this.#queue.add(claim);
    else if (phaseOf(volume) === 'Available') this.#waiting();
  }

  #lostVolume(entry: Entry): void {
    const claim = claimKeyOf(parseEntry(entry));
    this.#index.forget(entry.name);
    if (claim !== undefined) this.#queue.add(claim);
  }

  #lostClaim(entry: Entry): void {
    this.#reporter.forget(entry.uid);
    this.#consumers.delete(entry.key);
    for (const name of this.#index.of(entry.key)) this.#queue.add(name);
  }

  #sawPod(entry: Entry): void {
    if (!entry.json.includes('"persistentVolumeClaim"')) return;
    for (const volume of listAt(objectAt(parseEntry(entry), 'spec'), 'volumes')) {
      const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
      if (claim === '') continue;
      const key = entryKey(entry.namespace, claim);
      const waiting = this.#store.table(CLAIMS).get(key)?.json.includes('"phase":"Bound"') === false;
      if (!waiting) continue;
      this.#consumers.set(key, entry.name);
      this.#queue.add(key);
    }
  }

  /** Something new may be what unbound claims wait for. */
  #waiting(): void {
    for (const entry of this.#store.table(CLAIMS).range(''))
      if (!entry.json.includes('"phase":"Bound"')) this.#queue.add(entry.key);
  }

  /** A key with a namespace belongs to a claim, one without to a volume. */
  async #reconcile(key: string): Promise<void> {
    const isClaim = key.includes('/');
    const entry = this.#store.table(isClaim ? CLAIMS : VOLUMES).get(key);
    if (entry === undefined) return;
    await (isClaim ? this.#syncClaim(parseEntry(entry), key) : this.#syncVolume(parseEntry(entry)));
  }

  async #syncVolume(volume: KubeObject): Promise<void> {
    const key = claimKeyOf(volume);
    const claim = key === undefined ? undefined : this.#find(CLAIMS, key);
    const phase = volumePhase(volume, claim);
    if (phase === undefined || phaseOf(volume) === phase) return;
    await this.#setPhase(this.#client.builtin('', 'v1', 'persistentvolumes'), volume, phase);
  }

  async #syncClaim(claim: KubeObject, key: string): Promise<void> {
    if (claim.metadata.annotations?.[BIND_COMPLETED] !== undefined) return this.#syncBound(claim);
    if (claim.metadata.deletionTimestamp !== undefined) return;
    const named = textAt(objectAt(claim, 'spec'), 'volumeName');
    const volume = named === '' ? this.#volumeFor(claim, key) : this.#find(VOLUMES, named);
    if (volume !== undefined && volume.metadata.deletionTimestamp === undefined) {
      if (claimKeyOf(volume) === undefined || isFor(volume, claim)) return this.#bind(claim, volume, named === '');
      return;
    }
    if (named === '') await this.#await(claim, key);
  }

  #volumeFor(claim: KubeObject, key: string): KubeObject | undefined {
    for (const name of this.#index.of(key)) {
      const volume = this.#find(VOLUMES, name);
      if (volume !== undefined && isFor(volume, claim)) return volume;
    }
    const storageClass = classOf(claim);
    if (this.#waitsForConsumer(storageClass)) return undefined;
    const free = this.#index.free(storageClass).flatMap((name) => this.#find(VOLUMES, name) ?? []);
    return smallestFit(claim, free);
  }

  /**
   * Without a volume to bind: asks the provisioner by annotations, and reports in an Event what the claim waits for.
   */
  async #await(claim: KubeObject, key: string): Promise<void> {
    if (await this.#gotDefaultClass(claim)) return;
    const name = classOf(claim);
    if (name === '') return this.#reporter.tell(claim, noVolume);
    const storageClass = this.#find(CLASSES, name);
    if (storageClass === undefined) return this.#reporter.tell(claim, noClass(name));
    if (this.#waitsForConsumer(name) && claim.metadata.annotations?.[SELECTED_NODE] === undefined) {
      const consumer = this.#consumers.get(key);
      return this.#reporter.tell(claim, consumer === undefined ? firstConsumer : podToBeScheduled(consumer));
    }
    const provisioner = textAt(storageClass, 'provisioner');
    if (provisioner === NO_PROVISIONER) return;
    if (PROVISIONERS.some((annotation) => claim.metadata.annotations?.[annotation] !== provisioner)) {
      await this.#change(CLAIM, claim, ({ metadata }) => {
        metadata.annotations ??= {};
        for (const annotation of PROVISIONERS) metadata.annotations[annotation] = provisioner;
      });
    }
    await this.#reporter.tell(claim, externalProvisioning(provisioner));
  }

  /** A claim that is older than the default class gets it now; otherwise it would wait forever. */
  async #gotDefaultClass(claim: KubeObject): Promise<boolean> {
    const name = namesClass(claim) ? undefined : defaultClassName(this.#store);
    if (name === undefined) return false;
    await this.#change(CLAIM, claim, (live) => {
      if (!namesClass(live)) ensureObject(live, 'spec')['storageClassName'] = name;
    });
    return true;
  }

  async #bind(claim: KubeObject, volume: KubeObject, chosen: boolean): Promise<void> {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata;
    if (textAt(objectAt(objectAt(volume, 'spec'), 'claimRef'), 'uid') !== uid) {
      await this.#change(VOLUME, volume, (live) => {
        const free = claimKeyOf(live) === undefined;
        if (!free && !isFor(live, claim)) return;
        ensureObject(live, 'spec')['claimRef'] = {
          kind: 'PersistentVolumeClaim',
          apiVersion: 'v1',
          namespace,
          name,
          uid,
          resourceVersion,
        };
        if (free) (live.metadata.annotations ??= {})[BOUND_BY_CONTROLLER] = 'yes';
      });
      const bound = this.#find(VOLUMES, volume.metadata.name ?? '');
      // Another claim got the volume; this claim is queued again.
      if (bound === undefined || !isFor(bound, claim)) return this.#queue.add(entryKey(namespace, name));
    }
    await this.#setPhase(this.#client.builtin('', 'v1', 'persistentvolumes'), volume, 'Bound');
    await this.#change(CLAIM, claim, (live) => {
      ensureObject(live, 'spec')['volumeName'] = volume.metadata.name ?? '';
      const annotations = (live.metadata.annotations ??= {});
      annotations[BIND_COMPLETED] = 'yes';
      if (chosen) annotations[BOUND_BY_CONTROLLER] = 'yes';
    });
    this.#reporter.forget(uid);
    this.#consumers.delete(entryKey(namespace, name));
    await this.#settle(claim, volume);
  }

  /** Copies the volume's data to a bound claim once; whatever expands it later updates the status itself. */
  async #syncBound(claim: KubeObject): Promise<void> {
    const volume = this.#find(VOLUMES, textAt(objectAt(claim, 'spec'), 'volumeName'));
    if (volume !== undefined && isFor(volume, claim)) {
      if (phaseOf(claim) !== 'Bound') await this.#settle(claim, volume);
      return this.#queue.add(volume.metadata.name ?? '');
    }
    if (phaseOf(claim) === 'Lost' || phaseOf(claim) === 'Pending') return;
    await this.#setPhase(this.#client.builtin('', 'v1', 'persistentvolumeclaims'), claim, 'Lost');
    await this.#reporter.tell(claim, claimLost);
  }

  async #settle(claim: KubeObject, volume: KubeObject): Promise<void> {
    const spec = objectAt(volume, 'spec');
    await this.#change(
      CLAIM,
      claim,
      (live) => {
        const status = ensureObject(live, 'status');
        status['phase'] = 'Bound';
        status['accessModes'] = spec?.['accessModes'] ?? [];
        status['capacity'] = spec?.['capacity'] ?? {};
      },
      'status',
    );
  }

  #waitsForConsumer(className: string): boolean {
    const storageClass = className === '' ? undefined : this.#find(CLASSES, className);
    return storageClass !== undefined && textAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer';
  }

  #find(table: string, key: string): KubeObject | undefined {
    const entry = this.#store.table(table).get(key);
    return entry === undefined ? undefined : parseEntry(entry);
  }

  async #setPhase(resource: Resource, object: KubeObject, phase: string): Promise<void> {
    const { namespace = '', name = '' } = object.metadata;
    const change = (live: KubeObject): boolean => {
      const status = ensureObject(live, 'status');
      if (status['phase'] === phase) return false;
      status['phase'] = phase;
      return true;
    };
    await this.#client.update(resource, namespace, name, change, 'status');
  }

  /** Does nothing when the object was replaced by another one with the same name. */
  async #change(
    plural: string,
    { metadata: { namespace = '', name = '', uid } }: KubeObject,
    change: (live: KubeObject) => void,
    subresource = '',
  ): Promise<void> {
    const apply = (live: KubeObject): boolean => {
      if (live.metadata.uid !== uid) return false;
      change(live);
      return true;
    };
    await this.#client.update(this.#client.builtin('', 'v1', plural), namespace, name, apply, subresource);
  }
}

const CLAIM = 'persistentvolumeclaims';
const VOLUME = 'persistentvolumes';
