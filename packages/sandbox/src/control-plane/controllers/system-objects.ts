/**
 * The objects that every cluster has from the start: the system priority classes, and the API server's Service with its
 * endpoint.
 */
import { SYSTEM_PRIORITY_CLASSES } from '../admission/priority.ts';
import { jsonEqual, type JsonObject, type KubeObject } from '../../values/json.ts';
import { ensureObject } from '../../objects/kinds/values/fields.ts';
import type { Store } from '../../store/store.ts';
import type { LocalClient } from './client.ts';
import { WorkQueue } from './work-queue.ts';

export interface ApiServerAddress {
  /** The first address of the range of cluster IPs. */
  readonly clusterIP: string;
  /** The port that the API server listens on. */
  readonly port: number;
  /** The address at which other hosts reach the server, if there is one. */
  readonly advertised?: string | undefined;
}

const SERVICE = 'default/kubernetes';
/** Contains the date since which the use of tokens in Secrets is recorded in the Secrets. */
const TRACKING = { namespace: 'kube-system', name: 'kube-apiserver-legacy-service-account-token-tracking' };
const TRACKING_KEY = `${TRACKING.namespace}/${TRACKING.name}`;

const KEYS = [SERVICE, TRACKING_KEY, ...SYSTEM_PRIORITY_CLASSES.map(({ name }) => name)];

export class SystemObjects {
  readonly #store: Store;
  readonly #client: LocalClient;
  readonly #address: ApiServerAddress;
  readonly #queue: WorkQueue;
  readonly #stops: (() => void)[];

  /** `client` should write as `kube-apiserver`, like the real server. */
  constructor(
    store: Store,
    client: LocalClient,
    address: ApiServerAddress,
    onError: (error: unknown, key: string) => void,
  ) {
    this.#store = store;
    this.#client = client;
    this.#address = address;
    this.#queue = new WorkQueue((key) => this.#ensureOne(key), onError);
    for (const key of KEYS) this.#queue.add(key);
    this.#stops = [
      ...['/services', '/endpoints', 'discovery.k8s.io/endpointslices'].map((table) =>
        store.listenTo(table, ({ type, entry }) => {
          if (type === 'DELETED' && entry.key === SERVICE) this.#queue.add(SERVICE);
        }),
      ),
      store.listenTo('/configmaps', ({ type, entry }) => {
        if (type === 'DELETED' && entry.key === TRACKING_KEY) this.#queue.add(TRACKING_KEY);
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

  /** Creates all objects at once, for callers that need them before clients connect. */
  async ensure(): Promise<void> {
    for (const key of KEYS) await this.#ensureOne(key);
  }

  #ensureOne(key: string): Promise<void> {
    if (key === SERVICE) return this.#ensureService();
    return key === TRACKING_KEY ? this.#ensureTracking() : this.#ensureClass(key);
  }

  async #ensureTracking(): Promise<void> {
    if (this.#store.table('/namespaces').get(TRACKING.namespace) === undefined) return;
    const maps = this.#client.builtin('', 'v1', 'configmaps');
    if (this.#client.get(maps, TRACKING.namespace, TRACKING.name) !== undefined) return;
    const since = new Date().toISOString().slice(0, 10);
    await this.#client.create(maps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...TRACKING },
      data: { since },
    });
  }

  /** The port may differ from the one before a restart. */
  async #ensureService(): Promise<void> {
    if (this.#store.table('/namespaces').get('default') === undefined) return;
    const { clusterIP, port, advertised } = this.#address;
    const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }];
    await this.#ensure('', 'services', service(clusterIP, ports), (live) =>
      replace(ensureObject(live, 'spec'), 'ports', ports),
    );
    if (advertised === undefined) return;
    const subsets = [{ addresses: [{ ip: advertised }], ports: [{ name: 'https', port, protocol: 'TCP' }] }];
    await this.#ensure('', 'endpoints', endpoints(subsets), (live) => replace(live, 'subsets', subsets));
    const slice = endpointSlice(advertised, port);
    await this.#ensure('discovery.k8s.io', 'endpointslices', slice, (live) =>
      ['endpoints', 'ports'].map((key) => replace(live, key, slice[key] as JsonObject[])).some(Boolean),
    );
  }

  async #ensure(
    group: string,
    plural: string,
    wanted: KubeObject,
    correct: (live: KubeObject) => boolean,
  ): Promise<void> {
    const resource = this.#client.builtin(group, 'v1', plural);
    const live = this.#client.get(resource, 'default', 'kubernetes');
    if (live === undefined) await this.#client.create(resource, wanted);
    else if (correct(live)) await this.#client.update(resource, 'default', 'kubernetes', correct);
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

function replace(parent: JsonObject, key: string, value: JsonObject[]): boolean {
  if (jsonEqual(parent[key], value)) return false;
  parent[key] = value;
  return true;
}

const NAMED = { name: 'kubernetes', namespace: 'default' };

const service = (clusterIP: string, ports: JsonObject[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { ...NAMED, labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: { clusterIP, ipFamilyPolicy: 'SingleStack', ports, sessionAffinity: 'None', type: 'ClusterIP' },
});

const endpoints = (subsets: JsonObject[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { ...NAMED, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
  subsets,
});

const endpointSlice = (address: string, port: number): KubeObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...NAMED, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
  addressType: address.includes(':') ? 'IPv6' : 'IPv4',
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [{ name: 'https', port, protocol: 'TCP' }],
});
