/** Releases claims and volumes that are being deleted, once no pod uses the claim and the volume is not bound. */
import type { Resource } from '../../server/api/resource.ts';
import { CLAIM_PROTECTION, VOLUME_PROTECTION } from '../admission/storage.ts';
import type { KubeObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { entryKey, parseEntry, type Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { LocalClient } from './client.ts';
import { WorkQueue } from './work-queue.ts';

const CLAIMS = '/persistentvolumeclaims';
const VOLUMES = '/persistentvolumes';
const PODS = '/pods';

export class StorageProtectionController {
  readonly #store: Store;
  readonly #client: LocalClient;
  readonly #queue: WorkQueue;
  readonly #stops: (() => void)[];

  constructor(store: Store, client: LocalClient, onError: (error: unknown, key: string) => void) {
    this.#store = store;
    this.#client = client;
    this.#queue = new WorkQueue((key) => this.#reconcile(key), onError);
    for (const entry of store.table(CLAIMS).range('')) this.#queue.add(entry.key);
    for (const entry of store.table(VOLUMES).range('')) this.#queue.add(entry.key);
    this.#stops = [
      store.listenTo(CLAIMS, ({ entry }) => this.#queue.add(entry.key)),
      store.listenTo(VOLUMES, ({ entry }) => this.#queue.add(entry.key)),
      store.listenTo(PODS, ({ type, entry }) => {
        if (type !== 'ADDED') this.#release(entry);
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#queue.stop();
  }

  /** A pod that is deleted or ends may have been the last user of a claim that is being deleted. */
  #release(pod: Entry): void {
    if (!pod.json.includes('"persistentVolumeClaim"') && !pod.json.includes('"ephemeral"')) return;
    for (const claim of claimsOf(parseEntry(pod))) this.#queue.add(entryKey(pod.namespace, claim));
  }

  /** A key with a namespace belongs to a claim, one without to a volume. */
  async #reconcile(key: string): Promise<void> {
    const isClaim = key.includes('/');
    const entry = this.#store.table(isClaim ? CLAIMS : VOLUMES).get(key);
    if (entry === undefined) return;
    const object = parseEntry(entry);
    const resource = this.#client.builtin('', 'v1', isClaim ? 'persistentvolumeclaims' : 'persistentvolumes');
    const finalizer = isClaim ? CLAIM_PROTECTION : VOLUME_PROTECTION;
    const protectedNow = object.metadata.finalizers?.includes(finalizer) === true;
    const deleting = object.metadata.deletionTimestamp !== undefined;
    if (deleting && protectedNow && !this.#isUsed(object, isClaim))
      await this.#setFinalizers(resource, object, finalizer, false);
    // Objects that are older than the protection, or whose finalizer was removed.
    if (!deleting && !protectedNow) await this.#setFinalizers(resource, object, finalizer, true);
  }

  #isUsed(object: KubeObject, isClaim: boolean): boolean {
    if (!isClaim) return textAt(objectAt(object, 'status'), 'phase') === 'Bound';
    const name = object.metadata.name ?? '';
    for (const entry of this.#store.table(PODS).range(`${object.metadata.namespace ?? ''}/`)) {
      if (entry.json.includes(name) && holdsClaim(parseEntry(entry), name)) return true;
    }
    return false;
  }

  async #setFinalizers(resource: Resource, object: KubeObject, finalizer: string, wanted: boolean): Promise<void> {
    await this.#client.update(resource, object.metadata.namespace ?? '', object.metadata.name ?? '', ({ metadata }) => {
      const others = (metadata.finalizers ?? []).filter((other) => other !== finalizer);
      if (others.length === (metadata.finalizers ?? []).length && !wanted) return false;
      const finalizers = wanted ? [...others, finalizer] : others;
      if (finalizers.length === 0) delete metadata.finalizers;
      else metadata.finalizers = finalizers;
      return true;
    });
  }
}

function claimsOf(pod: KubeObject): string[] {
  return listAt(objectAt(pod, 'spec'), 'volumes').flatMap((volume) => {
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
    if (claim !== '') return [claim];
    return objectAt(volume, 'ephemeral') === undefined ? [] : [`${pod.metadata.name ?? ''}-${textAt(volume, 'name')}`];
  });
}

/** Only a pod with a node counts: a kubelet does not start a pod whose claim is being deleted. */
function holdsClaim(pod: KubeObject, claim: string): boolean {
  return textAt(objectAt(pod, 'spec'), 'nodeName') !== '' && claimsOf(pod).includes(claim);
}
