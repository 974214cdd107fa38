/**
 * Follows the Secrets of KubevirtConfigs. Caches hold only their metadata, never their content: a Secret is read when
 * its version has changed.
 */
import type { Informer, Projected, Registration } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { ObjectKey } from '@ssvirt/kube/object';
import { secrets } from '../kinds.ts';

interface Followed {
  readonly informer: Informer<Projected>;
  readonly registration: Registration;
}

export class SecretWatch {
  readonly #local: Cluster;
  readonly #changed: (key: ObjectKey) => void;
  readonly #followed = new Map<string, Followed>();

  constructor(local: Cluster, changed: (key: ObjectKey) => void) {
    this.#local = local;
    this.#changed = changed;
  }

  /** Returns the version of a Secret; null if it certainly does not exist, undefined if only a request can tell. */
  versionOf({ namespace = '', name }: ObjectKey): string | null | undefined {
    const informer = this.#follow(namespace).informer;
    const version = informer.get({ namespace, name })?.metadata.resourceVersion;
    if (version !== undefined) return version;
    return informer.hasSynced && informer.health().trouble === 'none' ? null : undefined;
  }

  /** Stops following the namespaces that no KubevirtConfig names any more. */
  keep(namespaces: ReadonlySet<string>): void {
    for (const namespace of this.#followed.keys()) if (!namespaces.has(namespace)) this.#drop(namespace);
  }

  stop(): void {
    this.keep(new Set());
  }

  #follow(namespace: string): Followed {
    const known = this.#followed.get(namespace);
    if (known !== undefined) return known;
    const informer = this.#local.informers.informer(secrets, { namespaces: [namespace], metadataOnly: true });
    const tell = ({ metadata: { name = '' } }: Projected): void => this.#changed({ namespace, name });
    const registration = informer.addHandler({
      name: 'kubeconfig secrets',
      added: tell,
      updated: (_before, after) => tell(after),
      deleted: tell,
    });
    const followed = { informer, registration };
    this.#followed.set(namespace, followed);
    return followed;
  }

  #drop(namespace: string): void {
    const followed = this.#followed.get(namespace);
    this.#followed.delete(namespace);
    followed?.registration.remove();
    followed?.informer.release();
  }
}
