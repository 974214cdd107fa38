/** One sandbox cluster: a store, the API on top of it, and the controllers of a control plane. */
import { Admission } from '../control-plane/admission/admission.ts';
import { defaultPlugins } from '../control-plane/admission/plugins.ts';
import { createAggregation, type Aggregation } from './aggregation/aggregation.ts';
import { Authenticator } from './api/request/auth.ts';
import type { Context } from './api/context.ts';
import { Handlers } from './api/handlers.ts';
import { discoveryPaths, health, openApiPaths, version } from './api/request/paths.ts';
import { Registry } from './api/registry.ts';
import { rootPaths } from './api/root-paths.ts';
import { ApiServer } from './api/server.ts';
import { WATCH_TIMES, type WatchTimes } from './api/watch.ts';
import { Writer } from './api/write/write.ts';
import { emptyObject } from '../objects/apply/zero.ts';
import { controlPaths } from '../cli/control.ts';
import { advertisedAddress } from '../control-plane/controllers/advertised-address.ts';
import { LocalClient } from '../control-plane/controllers/client.ts';
import {
  createSystemNamespaces,
  startControlPlane,
  type Reporter,
  type Stoppable,
} from '../control-plane/controllers/control-plane.ts';
import { DefinitionController } from '../control-plane/controllers/definitions.ts';
import { SystemObjects } from '../control-plane/controllers/system-objects.ts';
import { markTokenUsed } from '../control-plane/controllers/token-secrets.ts';
import { Discovery } from './discovery/discovery.ts';
import { Faults } from './faults/faults.ts';
import type { Identity } from './identity.ts';
import type { Logger } from '@ssvirt/base/config/log';
import type { ConnectionLimits } from '@ssvirt/base/net/connection-limits';
import { OpenApi } from './openapi/documents.ts';
import { servedResources } from './served-resources.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { reviewHandlers } from './subresources/reviews.ts';
import { scaleHandler } from './subresources/scale.ts';
import { subresourceHandlers } from './subresources/subresources.ts';
import { Journal } from '../store/journal.ts';
import { Store } from '../store/store.ts';
import { allBuiltinResources } from '../objects/strategies/builtin.ts';

/** The first address of the default range of cluster IPs. */
const API_SERVICE_IP = '10.96.0.1';

export interface ClusterOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly identity: Identity;
  readonly eventWindow: number;
  /** The folder for the state; without it, the state ends with the process. */
  readonly data?: string;
  readonly watchTimes?: WatchTimes;
  /** How often older revisions are compacted, in milliseconds; 0 for never. */
  readonly compactionInterval?: number;
  readonly log?: Logger;
  /** Limits on idle clients. The defaults are kube-apiserver's. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Called for defects of the sandbox itself, in addition to the log. */
  readonly onDefect?: (error: unknown, where: string) => void;
}

export interface Cluster {
  readonly name: string;
  readonly url: string;
  readonly store: Store;
  readonly faults: Faults;
  stop(): Promise<void>;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const core = createCore(options);
  const { store, client, ownClient, identity, reporter } = core;
  const definitions = new DefinitionController(store, ownClient, reporter('definition controller'));
  await createSystemNamespaces(client);
  const tokens = await ServiceAccountTokens.load(store, identity.tokenKeys, (namespace, secret) =>
    markTokenUsed(store, ownClient, namespace, secret),
  );
  const edge = await createEdge(core, tokens, options.limits);
  await edge.aggregation.start();
  const authority = identity.authority.certificate;
  const running: Stoppable[] = [
    definitions,
    edge.aggregation,
    ...startControlPlane({ store, client, tokens, authority, remote: edge.aggregation.content, reporter }),
    startCompaction(store, options.compactionInterval ?? 0),
  ];
  const stop = async (): Promise<void> => {
    for (const one of running) one.stop();
    await edge.server.close();
    store.close();
  };
  const port = await listen(edge.server, options, stop);
  edge.address.text = `${options.host}:${port}`;
  const place = { clusterIP: API_SERVICE_IP, port, advertised: advertisedAddress(options.host) };
  const system = new SystemObjects(store, ownClient, place, reporter('system objects'));
  running.push(system);
  // Complete before the first connection is served: nothing in it waits for anything external.
  await system.ensure();
  return {
    name: options.name,
    url: `https://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    store,
    faults: core.faults,
    stop,
  };
}

/** A cluster that cannot listen leaves nothing running. */
async function listen(server: ApiServer, { port, host }: ClusterOptions, stop: () => Promise<void>): Promise<number> {
  try {
    return await server.listen(port, host);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Everything below HTTP. */
interface Core {
  readonly store: Store;
  readonly registry: Registry;
  readonly admission: Admission;
  readonly writer: Writer;
  readonly handlers: Handlers;
  readonly faults: Faults;
  /** Acts as the controller manager. */
  readonly client: LocalClient;
  /** Acts as the API server itself. */
  readonly ownClient: LocalClient;
  readonly identity: Identity;
  readonly report: (error: unknown, where: string) => void;
  readonly reporter: Reporter;
  readonly log: Logger | undefined;
}

function createCore(options: ClusterOptions): Core {
  const { identity, log } = options;
  const journal = options.data === undefined ? {} : { journal: new Journal(options.data) };
  const report = (error: unknown, where: string): void => {
    log?.error({ err: error, where }, 'defect of the sandbox');
    options.onDefect?.(error, where);
  };
  const onDefect = (error: unknown): void => report(error, 'listener of the store');
  const store = new Store({ eventWindow: options.eventWindow, onDefect, ...journal });
  const registry = new Registry();
  registry.add(...allBuiltinResources());
  // Watches of built-in kinds may resume from the start on, so every table exists from the start.
  for (const { table } of registry.all()) store.table(table);
  const admission = new Admission(defaultPlugins({ store, registry }));
  const writer = new Writer(store, () => admission);
  const faults = new Faults();
  const handlers = new Handlers({
    writer,
    admission: () => admission,
    staleness: (context) => faults.staleness(context),
    watchTimes: options.watchTimes ?? WATCH_TIMES,
    empty: (resource) => emptyObject(resource.schema, resource.apiVersion, resource.kind),
  });
  const local = { registry, writer, deleter: handlers.deleter };
  return {
    store,
    registry,
    admission,
    writer,
    handlers,
    faults,
    client: new LocalClient(local),
    ownClient: new LocalClient(local, 'kube-apiserver'),
    identity,
    report,
    reporter: (name) => (error, key) => report(error, `${name}, ${key}`),
    log,
  };
}

interface Edge {
  readonly server: ApiServer;
  readonly aggregation: Aggregation;
  /** Known once the server listens. */
  readonly address: { text: string };
}

async function createEdge(
  core: Core,
  tokens: ServiceAccountTokens,
  limits: ClusterOptions['limits'] = {},
): Promise<Edge> {
  const { store, registry, writer, handlers, faults, admission, ownClient, identity, report, log } = core;
  const authenticator = new Authenticator();
  const groups = ['system:masters', 'system:authenticated'];
  authenticator.addToken(identity.token, { name: 'kubernetes-admin', uid: 'kubernetes-admin', groups });
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
    onDefect: report,
  });
  const { aggregator } = aggregation;
  const discovery = new Discovery({ resources: served, remote: () => aggregator.remoteVersions() });
  const documents = new OpenApi({ resources: served, remotePaths: () => aggregator.remotePaths() });
  registry.onChange(changed);

  const address = { text: '' };
  const server = new ApiServer({
    registry,
    handlers,
    authenticator,
    faults,
    paths: [
      health,
      version,
      aggregator.paths,
      rootPaths(discovery),
      discoveryPaths(discovery, () => address.text),
      openApiPaths(documents),
      controlPaths({ faults, store }),
    ],
    special: new Map([
      ...reviewHandlers(authenticator, tokens),
      ...subresourceHandlers({ writer, admission, tokens, client: ownClient }),
      ['*/scale', scaleHandler(writer)],
    ]),
    aggregator,
    certificate: identity.serving,
    clientAuthority: identity.authority.certificate,
    limits,
    onDefect: (error: unknown, context: Context) => report(error, `${context.method} ${context.path}`),
    ...(log?.isLevelEnabled('debug')
      ? { onAnswer: (context: Context, ms: number) => logAnswer(log, context, ms) }
      : {}),
  });
  return { server, aggregation, address };
}

function logAnswer(log: Logger, context: Context, milliseconds: number): void {
  const { method, path, response, user } = context;
  log.debug({ method, path, status: response.statusCode, user: user.name, milliseconds }, 'answered');
}

function startCompaction(store: Store, interval: number): Stoppable {
  if (interval === 0) return { stop: () => {} };
  // Node treats a longer interval as one millisecond.
  const timer = setInterval(() => store.compactBefore(interval), Math.min(interval, 0x7fffffff));
  return { stop: () => clearInterval(timer) };
}
