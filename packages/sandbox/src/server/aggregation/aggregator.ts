/** The groups and versions that other servers serve: forwards their paths and adds them to discovery and OpenAPI. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context, User } from '../api/context.ts';
import type { ResourcePath } from '../api/request/request-info.ts';
import type { Aggregator, PathHandler } from '../api/server.ts';
import type { RemoteVersion } from '../discovery/served-resource.ts';
import { apiServiceName, type RemoteService, type ServiceReference } from './api-service.ts';
import { forward } from './forward.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import { goPath, hostPort } from './go-url.ts';
import { answerPlain, refuseUpgrade, UNAVAILABLE } from './plain-answer.ts';
import { RemoteApi, type RemoteApiDeps } from './remote-api.ts';
import { ServiceAddressError, type ServiceAddress } from './service-address.ts';

/** Clients request discovery from every server, so one that hangs must not delay them. */
const DISCOVERY_TIMEOUT = 5_000;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export class ApiAggregator implements Aggregator {
  readonly #deps: RemoteApiDeps;
  readonly #apis = new Map<string, RemoteApi>();
  readonly #listeners = new Set<(path: ResourcePath) => void>();

  constructor(deps: RemoteApiDeps) {
    this.#deps = deps;
  }

  /** An APIService with a Service was written. */
  put(service: RemoteService): void {
    const known = this.#apis.get(service.name);
    if (known !== undefined) {
      known.update(service);
      return;
    }
    this.#apis.set(service.name, new RemoteApi(service, this.#deps));
    this.#deps.changed();
  }

  /** An APIService was deleted or became local. */
  remove(name: string): void {
    const known = this.#apis.get(name);
    if (known === undefined) return;
    known.stop();
    this.#apis.delete(name);
    this.#deps.changed();
  }

  /** A Service or its endpoints changed. */
  serviceChanged({ namespace, name }: Omit<ServiceReference, 'port'>): void {
    for (const api of this.#apis.values()) {
      const { service } = api.service;
      if (service.namespace === namespace && service.name === name) api.poke();
    }
  }

  stop(): void {
    for (const api of this.#apis.values()) api.stop();
  }

  remoteVersions(): RemoteVersion[] {
    return [...this.#apis.values()].map(({ version }) => version);
  }

  /** The API of a group and version that another server serves. */
  api(group: string, version: string): RemoteApi | undefined {
    return this.#apis.get(apiServiceName(group, version));
  }

  /** The listener is called after every write that was forwarded to another server. */
  onWritten(listener: (path: ResourcePath) => void): void {
    this.#listeners.add(listener);
  }

  /** For the index of OpenAPI v3. */
  remotePaths(): { [path: string]: string } {
    return Object.assign({}, ...[...this.#apis.values()].map(({ openApi }) => openApi)) as { [path: string]: string };
  }

  serves(group: string, version: string): boolean {
    return this.#apis.size > 0 && this.#apis.has(apiServiceName(group, version));
  }

  async proxy(context: Context, path: ResourcePath | undefined): Promise<void> {
    const group = path === undefined ? groupVersion(context.path) : path;
    const api = group && this.#apis.get(apiServiceName(group.group, group.version));
    await this.#forward(context, api);
    if (path !== undefined && !READS.has(context.method)) for (const listener of this.#listeners) listener(path);
  }

  /**
   * Serves `/apis/GROUP/VERSION` and all paths below it that are not paths of resources, and the OpenAPI documents of
   * other servers.
   */
  readonly paths: PathHandler = async (context) => {
    if (this.#apis.size === 0) return false;
    const api = this.#ofPath(context.path) ?? this.#ofDocument(context.path);
    if (api === undefined) return false;
    await this.#forward(context, api);
    return true;
  };

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, user: User, group: string, version: string): void {
    const auditId = randomUUID();
    const api = this.#apis.get(apiServiceName(group, version));
    const address = api && reachable(api);
    if (api === undefined || address === undefined) {
      refuseUpgrade(socket, 503, UNAVAILABLE, auditId);
      return;
    }
    const path = goPath((request.url ?? '').split('?')[0] ?? '');
    const hop = { host: hostPort(address.host, address.port), path, user, auditId };
    forwardUpgrade({ request, socket, head }, hop, api.connection, address);
  }

  async #forward(context: Context, api: RemoteApi | undefined): Promise<void> {
    const address = api && reachable(api);
    if (api === undefined || address === undefined) {
      answerPlain(context, 503, UNAVAILABLE);
      return;
    }
    const isDiscovery = context.path.split('/').filter(Boolean).length === 3;
    await forward(context, {
      connection: api.connection,
      address,
      ...(isDiscovery ? { timeout: DISCOVERY_TIMEOUT } : {}),
    });
  }

  #ofPath(path: string): RemoteApi | undefined {
    const found = groupVersion(path);
    return found && this.#apis.get(apiServiceName(found.group, found.version));
  }

  #ofDocument(path: string): RemoteApi | undefined {
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const document = path.slice('/openapi/v3/'.length);
    return [...this.#apis.values()].find(({ openApi }) => Object.hasOwn(openApi, document));
  }
}

function groupVersion(path: string): { group: string; version: string } | undefined {
  const match = /^\/apis\/([^/]+)\/([^/]+)(?:\/|$)/.exec(path);
  return match === null ? undefined : { group: match[1] as string, version: match[2] as string };
}

/** Undefined while the APIService is not available or its Service has no address. */
function reachable(api: RemoteApi): ServiceAddress | undefined {
  if (!api.service.available) return undefined;
  try {
    return api.address();
  } catch (error) {
    if (error instanceof ServiceAddressError) return undefined;
    throw error;
  }
}
