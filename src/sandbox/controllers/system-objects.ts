/** What every cluster has from its first moment: the system priority classes, and the Service of the API server itself. */
import { SYSTEM_PRIORITY_CLASSES } from '../admission/priority.ts';
import type { Store } from '../store/store.ts';
import type { LocalClient } from './client.ts';
import { WorkQueue } from './work-queue.ts';

export interface ApiServerAddress {
  /** The first address of the range of cluster IPs. */
  readonly clusterIP: string;
  /** The port that the API server listens on. */
  readonly port: number;
}

const SERVICE = 'default/kubernetes';

export class SystemObjects {
  readonly #store: Store;
  readonly #client: LocalClient;
  readonly #address: ApiServerAddress;
  readonly #queue: WorkQueue;
  readonly #stops: (() => void)[];

  /** `client` should write as `kube-apiserver`, as the real one does. */
  constructor(
    store: Store,
    client: LocalClient,
    address: ApiServerAddress,
    onError: (error: unknown, key: string) => void,
  ) {
    this.#store = store;
    this.#client = client;
    this.#address = address;
    this.#queue = new WorkQueue((key) => (key === SERVICE ? this.#ensureService() : this.#ensureClass(key)), onError);
    this.#queue.add(SERVICE);
    for (const { name } of SYSTEM_PRIORITY_CLASSES) this.#queue.add(name);
    this.#stops = [
      store.listenTo('/services', ({ type, entry }) => {
        if (type === 'DELETED' && entry.key === SERVICE) this.#queue.add(SERVICE);
      }),
      store.listenTo('/namespaces', ({ type, entry }) => {
        if (type === 'ADDED' && entry.name === 'default') this.#queue.add(SERVICE);
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#queue.stop();
  }

  async #ensureService(): Promise<void> {
    if (this.#store.table('/services').get(SERVICE) !== undefined) return;
    if (this.#store.table('/namespaces').get('default') === undefined) return;
    await this.#client.create(this.#client.builtin('', 'v1', 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'kubernetes',
        namespace: 'default',
        labels: { component: 'apiserver', provider: 'kubernetes' },
      },
      spec: {
        clusterIP: this.#address.clusterIP,
        ipFamilyPolicy: 'SingleStack',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: this.#address.port }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
    });
  }

  async #ensureClass(name: string): Promise<void> {
    const known = SYSTEM_PRIORITY_CLASSES.find((item) => item.name === name);
    const classes = this.#client.builtin('scheduling.k8s.io', 'v1', 'priorityclasses');
    if (known === undefined || this.#client.get(classes, '', name) !== undefined) return;
    const { value, description } = known;
    await this.#client.create(classes, {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  }
}
