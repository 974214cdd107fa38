/** Keeps the aggregator and the APIServices up to date with APIServices, CRDs, Services and endpoints. */
import type { LocalClient } from '../../control-plane/controllers/client.ts';
import { WorkQueue } from '../../control-plane/controllers/work-queue.ts';
import { parseEntry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { StoreEvent } from '../../store/table.ts';
import type { ApiAggregator } from './aggregator.ts';
import { API_SERVICES, LOCALLY_AVAILABLE, remoteService, setAvailable } from './api-service.ts';
import { AutoRegistration } from './auto-registration.ts';

const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions';
const SERVICES = '/services';
const ENDPOINT_SLICES = 'discovery.k8s.io/endpointslices';

export class ApiServices {
  readonly #client: LocalClient;
  readonly #aggregator: ApiAggregator;
  readonly #registration: AutoRegistration;
  readonly #queue: WorkQueue;
  readonly #cleanup: readonly (() => void)[];

  constructor(
    store: Store,
    client: LocalClient,
    aggregator: ApiAggregator,
    onError: (error: unknown, name: string) => void,
  ) {
    this.#client = client;
    this.#aggregator = aggregator;
    this.#registration = new AutoRegistration(client);
    this.#queue = new WorkQueue((name) => this.#sync(name), onError);
    for (const entry of store.table(DEFINITIONS).range(''))
      this.#registration.setDefinition(entry.name, parseEntry(entry));
    for (const entry of store.table(API_SERVICES).range('')) this.#look(entry.name);
    this.#cleanup = [
      store.listenTo(API_SERVICES, ({ entry }) => {
        this.#look(entry.name);
        this.#queue.add(entry.name);
      }),
      store.listenTo(DEFINITIONS, (event) => this.#onDefinition(event)),
      store.listenTo(SERVICES, ({ entry }) => aggregator.serviceChanged(entry)),
      store.listenTo(ENDPOINT_SLICES, ({ entry }) =>
        aggregator.serviceChanged({
          namespace: entry.namespace,
          name: entry.labels?.['kubernetes.io/service-name'] ?? '',
        }),
      ),
    ];
  }

  /** Resolves when the APIServices of all local groups exist: a ready server has them. */
  async start(): Promise<void> {
    for (const name of this.#registration.names()) await this.#sync(name);
  }

  stop(): void {
    for (const stop of this.#cleanup) stop();
    this.#queue.stop();
    this.#aggregator.stop();
  }

  /** Updates whether a group and version belongs to another server; requests see the result at once. */
  #look(name: string): void {
    const object = this.#client.get(this.#apiServices, '', name);
    const remote = object && remoteService(object);
    if (remote === undefined) this.#aggregator.remove(name);
    else this.#aggregator.put(remote);
  }

  #onDefinition({ type, entry }: StoreEvent): void {
    const definition = type === 'DELETED' ? undefined : parseEntry(entry);
    for (const name of this.#registration.setDefinition(entry.name, definition)) this.#queue.add(name);
  }

  async #sync(name: string): Promise<void> {
    await this.#registration.sync(name);
    const object = this.#client.get(this.#apiServices, '', name);
    if (object === undefined || remoteService(object) !== undefined) return;
    await this.#client.update(
      this.#apiServices,
      '',
      name,
      (live) => remoteService(live) === undefined && setAvailable(live, LOCALLY_AVAILABLE),
      'status',
    );
  }

  get #apiServices(): ReturnType<LocalClient['builtin']> {
    return this.#client.builtin('apiregistration.k8s.io', 'v1', 'apiservices');
  }
}
