/**
 * The API of an extension server: kinds with their own store, all verbs on them, discovery and OpenAPI, built from the
 * parts of the API server. The caller of `answer` has already authenticated the user.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Admission, type AdmissionPlugin } from '../control-plane/admission/admission.ts';
import { contextOf, type Context, type User } from '../server/api/context.ts';
import { sendFailure } from '../server/api/failure.ts';
import { Handlers } from '../server/api/handlers.ts';
import { discoveryPaths } from '../server/api/request/paths.ts';
import { Registry } from '../server/api/registry.ts';
import { parseResourcePath } from '../server/api/request/request-info.ts';
import type { Resource } from '../server/api/resource.ts';
import { serveResource, type SpecialHandler } from '../server/api/serve-resource.ts';
import type { PathHandler } from '../server/api/server.ts';
import { errors } from '../server/api/status.ts';
import { WATCH_TIMES } from '../server/api/watch.ts';
import { Writer } from '../server/api/write/write.ts';
import { emptyObject } from '../objects/apply/zero.ts';
import { Discovery } from '../server/discovery/discovery.ts';
import { OpenApi } from '../server/openapi/documents.ts';
import { servedResources } from '../server/served-resources.ts';
import { Journal } from '../store/journal.ts';
import { Store } from '../store/store.ts';

/** How many events of each kind a watch can resume from. */
const EVENT_WINDOW = 10_000;

export interface ExtensionOptions {
  /** In the order of discovery: when two share a kind, clients use the last. */
  readonly resources: readonly Resource[];
  /** Answers resources that are not stored, by `group/plural`. */
  readonly special?: ReadonlyMap<string, SpecialHandler>;
  readonly plugins?: readonly AdmissionPlugin[];
  /** The folder of the journal; without it, the objects are lost when the process ends. */
  readonly data?: string;
  /** Aborted when the server stops: watches end, and the journal is closed. */
  readonly signal: AbortSignal;
  readonly onDefect: (error: unknown, where: string) => void;
}

export class ExtensionApi {
  readonly documents: OpenApi;
  readonly #registry = new Registry();
  readonly #handlers: Handlers;
  readonly #special: ReadonlyMap<string, SpecialHandler>;
  readonly #discovery: PathHandler;
  readonly #options: ExtensionOptions;

  constructor(options: ExtensionOptions) {
    const { resources, special = new Map(), plugins = [] } = options;
    this.#options = options;
    this.#special = special;
    this.#registry.add(...resources);
    const admission = new Admission(plugins);
    const store = this.#openStore();
    this.#handlers = new Handlers({
      writer: new Writer(store, () => admission),
      admission: () => admission,
      watchTimes: WATCH_TIMES,
      staleness: () => 0,
      empty: (resource) => emptyObject(resource.schema, resource.apiVersion, resource.kind),
    });
    const served = servedResources(this.#registry);
    this.#discovery = discoveryPaths(new Discovery({ resources: served }), () => '');
    // A kind is described once, by its storage version.
    this.documents = new OpenApi({ resources: () => served().filter(({ verbs }) => verbs.includes('get')) });
  }

  /** Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse, user: User): Promise<void> {
    const context = contextOf(request, response, user, this.#options.signal);
    // The server in front has already set this header.
    response.removeHeader('Audit-Id');
    try {
      await this.#route(context);
    } catch (error) {
      await sendFailure(context, error, (defect) =>
        this.#options.onDefect(defect, `${context.method} ${context.path}`),
      );
    }
  }

  async #route(context: Context): Promise<void> {
    const target = parseResourcePath(context.path);
    const resource = target && this.#registry.find(target.group, target.version, target.resource);
    if (target !== undefined && resource !== undefined)
      return serveResource({ handlers: this.#handlers, special: this.#special }, context, resource, target);
    if (!(await this.#discovery(context))) throw errors.noSuchPath();
  }

  #openStore(): Store {
    const { data, signal, onDefect, resources } = this.#options;
    const store = new Store({
      eventWindow: EVENT_WINDOW,
      onDefect: (error) => onDefect(error, 'listener of the store'),
      ...(data === undefined ? {} : { journal: new Journal(data) }),
    });
    for (const { table } of resources) store.table(table);
    signal.addEventListener('abort', () => store.close(), { once: true });
    return store;
  }
}
