/** The versions of the Secrets that Machines refer to. */
import { defined } from '@ssvirt/base/values/defined';
import type { Informer, Projected, Projection } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { KubeObject, ObjectKey } from '@ssvirt/kube/object';
import { secrets } from '../../../fleet/kinds.ts';

interface Followed {
  readonly informer: Informer<Projected>;
  /** Names that were requested before the first list was complete. */
  readonly waiting: Set<string>;
}

/**
 * `SecretVersions` follows the versions of Secrets in the namespaces where a Machine refers to one. A Secret is read
 * only when its version has changed, and no cache keeps its contents.
 */
export class SecretVersions {
  readonly #cluster: Cluster;
  readonly #changed: (key: ObjectKey) => void;
  readonly #followed = new Map<string, Followed>();

  constructor(cluster: Cluster, changed: (key: ObjectKey) => void) {
    this.#cluster = cluster;
    this.#changed = changed;
  }

  /**
   * Null if the Secret certainly does not exist. Undefined if that is not known yet: `changed` is called when it is.
   */
  versionOf({ namespace = '', name }: ObjectKey): string | null | undefined {
    const { informer, waiting } = this.#follow(namespace);
    const found = informer.get({ namespace, name })?.metadata;
    if (found !== undefined) return `${found.uid ?? ''}/${found.resourceVersion ?? ''}`;
    if (informer.hasSynced) return null;
    waiting.add(name);
    return undefined;
  }

  /** Whether Secrets of that namespace may not be read, as far as is known. */
  isClosed(namespace: string): boolean {
    return this.#follow(namespace).informer.health().trouble === 'forbidden';
  }

  /** Call it when no Machine of the namespace refers to a Secret any more. */
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
      projection: secretProjection,
    });
    const waiting = new Set<string>();
    const tell = ({ metadata: { name = '' } }: Projected): void => this.#changed({ namespace, name });
    const synced = (): void => {
      // A Secret that does not exist causes no event.
      for (const name of waiting) this.#changed({ namespace, name });
      waiting.clear();
    };
    informer.addHandler({
      name: 'cloud-init secrets',
      added: tell,
      updated: (_, after) => tell(after),
      deleted: tell,
    });
    // Rejects when the informer was released; then no caller waits.
    informer.synced().then(synced, () => waiting.clear());
    const followed = { informer, waiting };
    this.#followed.set(namespace, followed);
    return followed;
  }
}

const secretProjection: Projection<KubeObject, Projected> = {
  name: 'secret version',
  project: ({ metadata: { name, namespace, uid, resourceVersion } }) => ({
    metadata: {
      ...defined({ name, namespace, uid, resourceVersion }),
    },
  }),
};
