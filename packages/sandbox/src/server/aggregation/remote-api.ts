/** One group and version behind an APIService: its address, its availability, and its resources when last read. */
import type { User } from '../api/context.ts';
import type { KeyPair } from '@ssvirt/base/tls/authority';
import type { LocalClient } from '../../control-plane/controllers/client.ts';
import type { RemoteVersion } from '../discovery/served-resource.ts';
import { jsonEqual, type JsonObject } from '../../values/json.ts';
import { remoteService, setAvailable, type AggregatedCondition, type RemoteService } from './api-service.ts';
import { AGGREGATOR, probeDiscovery, serviceProblem } from './availability.ts';
import { ExtensionConnection, type Fetched, type Sent } from './extension-connection.ts';
import { fetchResources } from './remote-discovery.ts';
import { OPENAPI_AGGREGATOR, openApiPaths } from './remote-openapi.ts';
import { Repeater } from './repeater.ts';
import { serviceAddress, type ServiceAddress } from './service-address.ts';

export interface RemoteApiDeps {
  readonly client: LocalClient;
  /** The certificate by which extension servers recognize the front proxy. */
  readonly certificate: KeyPair;
  /** Called when discovery and OpenAPI must be rebuilt. */
  changed(): void;
  onError(error: unknown, name: string): void;
}

/** kube-aggregator checks every APIService at this interval, even without changes. */
const RESYNC = 30_000;
const FIRST_RETRY = 100;
const LAST_RETRY = 5_000;
const TIMEOUT = 5_000;
const CALL_TIMEOUT = 30_000;

interface Seen {
  readonly resources?: readonly JsonObject[];
  readonly stale?: true;
}

export class RemoteApi {
  readonly #deps: RemoteApiDeps;
  readonly #repeater: Repeater;
  readonly #stop = new AbortController();
  #service: RemoteService;
  #connection: ExtensionConnection;
  #seen: Seen = { stale: true };
  #openApi: { readonly [path: string]: string } = {};
  #failures = 0;

  constructor(service: RemoteService, deps: RemoteApiDeps) {
    this.#deps = deps;
    this.#service = service;
    this.#connection = new ExtensionConnection(service, deps.certificate);
    this.#repeater = new Repeater(
      () => this.#check(),
      (error) => deps.onError(error, service.name),
    );
    this.#repeater.poke();
  }

  get service(): RemoteService {
    return this.#service;
  }

  get connection(): ExtensionConnection {
    return this.#connection;
  }

  get version(): RemoteVersion {
    const { group, version, groupPriorityMinimum, versionPriority } = this.#service;
    return { group, version, groupPriorityMinimum, versionPriority, ...this.#seen };
  }

  get openApi(): { readonly [path: string]: string } {
    return this.#openApi;
  }

  /** Throws a ServiceAddressError. */
  address(): ServiceAddress {
    return serviceAddress(this.#deps.client, this.#service.service);
  }

  /** A request by the control plane itself. Throws when the server cannot be reached. */
  call(request: Pick<Sent, 'method' | 'path' | 'headers'> & { readonly body?: string }, user: User): Promise<Fetched> {
    return this.#connection.call(this.address(), { ...request, signal: this.#stop.signal }, user, CALL_TIMEOUT);
  }

  /** The APIService was written. */
  update(service: RemoteService): void {
    const before = this.#service;
    this.#service = service;
    if (isReachedDifferently(before, service)) {
      this.#connection.retire();
      this.#connection = new ExtensionConnection(service, this.#deps.certificate);
    }
    if (
      before.groupPriorityMinimum !== service.groupPriorityMinimum ||
      before.versionPriority !== service.versionPriority
    )
      this.#deps.changed();
    this.poke();
  }

  /** A dependency changed. */
  poke(): void {
    this.#failures = 0;
    this.#repeater.poke();
  }

  stop(): void {
    this.#repeater.stop();
    this.#stop.abort();
    this.#connection.retire();
  }

  async #check(): Promise<number> {
    const service = this.#service;
    const condition = serviceProblem(this.#deps.client, service) ?? (await this.#probe(service));
    // Resources are read first, so that clients that see the APIService available find them in discovery.
    if (condition.status === 'True') await this.#look(service);
    else this.#see({ stale: true }, this.#openApi);
    if (this.#stop.signal.aborted) return RESYNC;
    await this.#report(condition);
    if (condition.reason !== 'FailedDiscoveryCheck') return RESYNC;
    return Math.min(FIRST_RETRY * 2 ** this.#failures++, LAST_RETRY);
  }

  #probe(service: RemoteService): Promise<AggregatedCondition> {
    return probeDiscovery(this.#deps.client, service, (address, path) =>
      this.#connection.get(address, path, AGGREGATOR, {}, this.#stop.signal, TIMEOUT),
    );
  }

  async #look(service: RemoteService): Promise<void> {
    const address = this.address();
    const signal = this.#stop.signal;
    try {
      const resources = await fetchResources(service, (path, headers) =>
        this.#connection.get(address, path, AGGREGATOR, headers, signal, TIMEOUT),
      );
      const index = await this.#connection.get(address, '/openapi/v3', OPENAPI_AGGREGATOR, {}, signal, TIMEOUT);
      this.#see(resources === undefined ? {} : { resources }, openApiPaths(service.group, index));
    } catch {
      // The server stopped answering or sent an invalid document; discovery reports it to clients as stale.
      this.#see({ stale: true }, this.#openApi);
    }
  }

  #see(seen: Seen, openApi: { readonly [path: string]: string }): void {
    const same =
      seen.stale === this.#seen.stale &&
      jsonEqual([...(seen.resources ?? [])], [...(this.#seen.resources ?? [])]) &&
      jsonEqual(openApi, this.#openApi);
    this.#seen = seen;
    this.#openApi = openApi;
    if (!same) this.#deps.changed();
  }

  async #report(condition: AggregatedCondition): Promise<void> {
    const { client } = this.#deps;
    const resource = client.builtin('apiregistration.k8s.io', 'v1', 'apiservices');
    await client.update(
      resource,
      '',
      this.#service.name,
      (live) => remoteService(live) !== undefined && setAvailable(live, condition),
      'status',
    );
  }
}

function isReachedDifferently(a: RemoteService, b: RemoteService): boolean {
  const facts = ({ service, insecureSkipTLSVerify, caBundle }: RemoteService): JsonObject => ({
    service: { ...service },
    insecureSkipTLSVerify,
    caBundle,
  });
  return !jsonEqual(facts(a), facts(b));
}
