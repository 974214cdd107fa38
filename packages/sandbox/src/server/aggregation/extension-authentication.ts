/**
 * The ConfigMap kube-system/extension-apiserver-authentication. It contains the authorities that an extension server
 * must trust and the headers in which the front proxy sends the client's identity. It is recreated after deletion.
 */
import { WorkQueue } from '../../control-plane/controllers/work-queue.ts';
import type { LocalClient } from '../../control-plane/controllers/client.ts';
import { isObject, type KubeObject } from '../../values/json.ts';
import type { Store } from '../../store/store.ts';

export const FRONT_PROXY = 'front-proxy-client';

const NAMESPACE = 'kube-system';
const NAME = 'extension-apiserver-authentication';

export class ExtensionAuthentication {
  readonly #client: LocalClient;
  readonly #data: { readonly [key: string]: string };
  readonly #queue: WorkQueue;
  readonly #unlisten: () => void;

  constructor(store: Store, client: LocalClient, authority: string, onError: (error: unknown, key: string) => void) {
    this.#client = client;
    this.#data = authenticationData(authority);
    this.#queue = new WorkQueue(() => this.publish(), onError);
    this.#unlisten = store.listenTo('/configmaps', ({ type, entry }) => {
      if (type === 'DELETED' && entry.name === NAME && entry.namespace === NAMESPACE) this.#queue.add(NAME);
    });
  }

  async publish(): Promise<void> {
    const maps = this.#client.builtin('', 'v1', 'configmaps');
    if (this.#client.get(maps, NAMESPACE, NAME) === undefined) {
      await this.#client.create(maps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: NAME, namespace: NAMESPACE },
        data: { ...this.#data },
      });
      return;
    }
    await this.#client.update(maps, NAMESPACE, NAME, (live) => this.#bringUpToDate(live));
  }

  stop(): void {
    this.#unlisten();
    this.#queue.stop();
  }

  #bringUpToDate(live: KubeObject): boolean {
    const data = isObject(live['data']) ? live['data'] : {};
    if (Object.entries(this.#data).every(([key, value]) => data[key] === value)) return false;
    live['data'] = { ...data, ...this.#data };
    return true;
  }
}

function authenticationData(authority: string): { [key: string]: string } {
  const pem = `${authority.trimEnd()}\n`;
  return {
    'client-ca-file': pem,
    'requestheader-client-ca-file': pem,
    'requestheader-allowed-names': JSON.stringify([FRONT_PROXY]),
    'requestheader-username-headers': JSON.stringify(['X-Remote-User']),
    'requestheader-group-headers': JSON.stringify(['X-Remote-Group']),
    'requestheader-extra-headers-prefix': JSON.stringify(['X-Remote-Extra-']),
  };
}
