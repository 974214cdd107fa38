/** One sandbox cluster: a store, the API over it, and the controllers that a real control plane would run. */
import { Admission } from './admission/admission.ts';
import { defaultPlugins } from './admission/plugins.ts';
import { createAggregation } from './aggregation/aggregation.ts';
import { Authenticator } from './api/auth.ts';
import type { Context } from './api/context.ts';
import { Handlers } from './api/handlers.ts';
import { discoveryPaths, health, openApiPaths, version } from './api/paths.ts';
import { Registry } from './api/registry.ts';
import type { Resource } from './api/resource.ts';
import { ApiServer, type SpecialHandler } from './api/server.ts';
import { WATCH_TIMES, type WatchTimes } from './api/watch.ts';
import { Writer } from './api/write.ts';
import { emptyObject } from './apply/zero.ts';
import { LocalClient } from './controllers/client.ts';
import { advertisedAddress } from './controllers/advertised-address.ts';
import { DefinitionController } from './controllers/definitions.ts';
import { DisruptionController } from './controllers/disruption.ts';
import { EventExpiry } from './controllers/event-expiry.ts';
import { GarbageCollector } from './controllers/garbage-collector.ts';
import { ResourceQuotaController } from './controllers/resource-quota.ts';
import { StorageProtectionController } from './controllers/storage-protection.ts';
import { SystemObjects } from './controllers/system-objects.ts';
import { markTokenUsed, TokenSecretsController } from './controllers/token-secrets.ts';
import { NamespaceController } from './controllers/namespaces.ts';
import { controlPaths } from './control.ts';
import { Discovery } from './discovery/discovery.ts';
import type { ServedResource } from './discovery/served-resource.ts';
import { Faults } from './faults/faults.ts';
import type { Identity } from './identity.ts';
import { OpenApi } from './openapi/documents.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { reviewHandlers } from './special/reviews.ts';
import { scaleHandler } from './special/scale.ts';
import { subresourceHandlers } from './special/subresources.ts';
import { Journal } from './store/journal.ts';
import { Store } from './store/store.ts';
import { allBuiltinResources } from './strategies/builtin.ts';

/** The first address of the default range of cluster IPs. */
const API_SERVICE_IP = '10.96.0.1';

export interface ClusterOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly identity: Identity;
  readonly eventWindow: number;
  /** Where the state is kept; without it, it ends with the process. */
  readonly data?: string;
  readonly watchTimes?: WatchTimes;
  /** How often everything older is compacted away, in milliseconds; 0 for never. */
  readonly compactionInterval?: number;
  /** Told of defects of the sandbox itself. */
  onDefect?(error: unknown, where: string): void;
}

export interface Cluster {
  readonly name: string;
  readonly url: string;
  readonly store: Store;
  readonly faults: Faults;
  stop(): Promise<void>;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { identity } = options;
  const onDefect = options.onDefect ?? ((error, where): void => console.error(`sandbox: defect in ${where}:`, error));
  const store = new Store({ eventWindow: options.eventWindow, ...(options.data === undefined ? {} : { journal: new Journal(options.data) }) });
  const registry = new Registry();
  registry.add(...allBuiltinResources());
  const admission = new Admission(defaultPlugins({ store, registry }));
  const writer = new Writer(store, () => admission);
  const handlers = new Handlers({ writer, admission: () => admission, watchTimes: options.watchTimes ?? WATCH_TIMES, empty });
  const local = { registry, writer, deleter: handlers.deleter };
  const client = new LocalClient(local);
  const ownClient = new LocalClient(local, 'kube-apiserver');

  const authenticator = new Authenticator();
  authenticator.addToken(identity.token, { name: 'kubernetes-admin', uid: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] });
  const tokens = await ServiceAccountTokens.load(store, identity.tokenKeys, (namespace, secret) => markTokenUsed(store, ownClient, namespace, secret));
  authenticator.addVerifier((token) => tokens.verify(token));

  const served = servedResources(registry);
  const changed = (): void => {
    discovery.invalidate();
    documents.invalidate();
  };
  const aggregation = await createAggregation({
    store,
    client: ownClient,
    authority: identity.authority,
    changed,
    onDefect,
  });
  const { aggregator } = aggregation;
  const discovery = new Discovery({ resources: served, remote: () => aggregator.remoteVersions() });
  const documents = new OpenApi({ resources: served, remotePaths: () => aggregator.remotePaths() });
  registry.onChange(changed);

  const faults = new Faults();
  let address = '';
  const special = new Map<string, SpecialHandler>([
    ...reviewHandlers(authenticator, tokens),
    ...subresourceHandlers({ writer, admission, tokens, client: ownClient }),
    ['*/scale', scaleHandler(writer)],
  ]);
  const server = new ApiServer({
    registry,
    handlers,
    authenticator,
    faults,
    paths: [health, version, aggregator.paths, discoveryPaths(discovery, () => address), openApiPaths(documents), controlPaths({ faults, store })],
    special,
    aggregator,
    certificate: identity.serving,
    clientAuthority: identity.authority.certificate,
    onDefect: (error: unknown, context: Context) => onDefect(error, `${context.method} ${context.path}`),
  });

  const reporter = (name: string) => (error: unknown, key: string) => onDefect(error, `${name}, ${key}`);
  const definitions = new DefinitionController(store, ownClient, reporter('definition controller'));
  await furnish(client);
  await aggregation.start();
  const controllers: { stop(): void }[] = [
    definitions,
    aggregation,
    new GarbageCollector(store, client, reporter('garbage collector')),
    new NamespaceController(store, client, identity.authority.certificate, reporter('namespace controller')),
    new ResourceQuotaController(store, client, reporter('quota controller')),
    new StorageProtectionController(store, client, reporter('storage protection')),
    new DisruptionController(store, client, reporter('disruption controller')),
    new TokenSecretsController({ store, client, tokens, authority: identity.authority.certificate }, reporter('token controller')),
    new EventExpiry(store),
  ];
  const compaction = options.compactionInterval ? setInterval(() => store.compactBefore(options.compactionInterval as number), options.compactionInterval) : undefined;
  const port = await server.listen(options.port, options.host);
  address = `${options.host}:${port}`;
  const system = new SystemObjects(store, ownClient, { clusterIP: API_SERVICE_IP, port, advertised: advertisedAddress(options.host) }, reporter('system objects'));
  controllers.push(system);
  // Done before the first connection can be served: nothing in it waits for anything outside.
  await system.ensure();
  return {
    name: options.name,
    url: `https://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    store,
    faults,
    stop: async () => {
      clearInterval(compaction);
      for (const controller of controllers) controller.stop();
      await server.close();
      store.close();
    },
  };
}

/** What every cluster has from the start. `kube-system`'s uid is the cluster's identity. */
async function furnish(client: LocalClient): Promise<void> {
  const namespaces = client.builtin('', 'v1', 'namespaces');
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    if (client.get(namespaces, '', name) === undefined) {
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  }
}

function empty(resource: Resource): ReturnType<typeof emptyObject> {
  return emptyObject(resource.schema, resource.apiVersion, resource.kind);
}

/** The registry as discovery and OpenAPI want it; entries stay the same objects until they change. */
function servedResources(registry: Registry): () => ServedResource[] {
  const known = new WeakMap<Resource, ServedResource>();
  return () =>
    registry.all().map((resource) => {
      const entry = known.get(resource) ?? toServed(resource);
      known.set(resource, entry);
      return entry;
    });
}

function toServed(resource: Resource): ServedResource {
  const { group, version: of, plural, singular, kind, listKind, namespaced, verbs, shortNames, categories, subresources } = resource;
  return {
    group,
    version: of,
    name: plural,
    singularName: singular,
    kind,
    listKind,
    namespaced,
    verbs,
    subresources,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
    ...(resource.definition === undefined ? { schema: resource.schema } : { definition: resource.definition }),
    ...(resource.selectableFields === undefined ? {} : { selectableFields: resource.selectableFields }),
  };
}
