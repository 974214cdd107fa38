/** Which version a Secret has that a Machine refers to, for as long as one does. */
import type { Informer, Projected, Projection } from '../../kube/cache/informer.ts';
import type { Cluster } from '../../kube/cluster.ts';
import type { KubeObject, ObjectKey } from '../../kube/object.ts';
import { secrets } from '../../fleet/kubevirt-config.ts';

interface Followed {
  readonly informer: Informer<Projected>;
  /** Those that were asked for before it was known whether they are there. */
  readonly waiting: Set<string>;
}

/**
 * The versions of Secrets that Machines refer to, in the namespaces where one does: a Secret is read when its version has changed, and what it holds is in no
 * cache.
 */
export class SecretVersions {
  readonly #cluster: Cluster;
  readonly #changed: (key: ObjectKey) => void;
  readonly #followed = new Map<string, Followed>();

  constructor(cluster: Cluster, changed: (key: ObjectKey) => void) {
    this.#cluster = cluster;
    this.#changed = changed;
  }

  /** Null when it is surely not there, undefined when that is not known yet: whoever asked is woken. */
  versionOf({ namespace = '', name }: ObjectKey): string | null | undefined {
    const { informer, waiting } = this.#follow(namespace);
    const found = informer.get({ namespace, name })?.metadata;
    if (found !== undefined) return `${found.uid ?? ''}/${found.resourceVersion ?? ''}`;
    if (informer.hasSynced) return null;
    waiting.add(name);
    return undefined;
  }

  /** Whether Secrets of that namespace are closed to us, as far as is known. */
  isClosed(namespace: string): boolean {
    return this.#follow(namespace).informer.health().trouble === 'forbidden';
  }

  /** No Machine there refers to one any more. */
  release(namespace: string): void {
    this.#followed.get(namespace)?.informer.release();
    this.#followed.delete(namespace);
  }

  #follow(namespace: string): Followed {
    const known = this.#followed.get(namespace);
    if (known !== undefined) return known;
    const informer = this.#cluster.informers.informer(secrets, {
      namespaces: [namespace],
      metadataOnly: true,
      projection: keptSecret,
    });
    const waiting = new Set<string>();
    const tell = ({ metadata: { name = '' } }: Projected): void => this.#changed({ namespace, name });
    const synced = (): void => {
      // Of one that is not there nobody else tells.
      for (const name of waiting) this.#changed({ namespace, name });
      waiting.clear();
    };
    informer.addHandler({
      name: 'cloud-init secrets',
      added: tell,
      updated: (_, after) => tell(after),
      deleted: tell,
    });
    // One that has ended has nobody who waits.
    informer.synced().then(synced, () => waiting.clear());
    const followed = { informer, waiting };
    this.#followed.set(namespace, followed);
    return followed;
  }
}

const keptSecret: Projection<KubeObject, Projected> = {
  name: 'secret version',
  project: ({ metadata: { name, namespace, uid, resourceVersion } }) => ({
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  }),
};
