/** Handles requests on resources: reads, writes and deletes, with one implementation of each verb for all kinds. */
import type { Admission } from '../../control-plane/admission/admission.ts';
import { cloneJson, isObject, type JsonObject, type KubeObject } from '../../values/json.ts';
import { asStatusError, mediaType, readBody, refuseUnknownFormat } from './request/body.ts';
import type { Context } from './context.ts';
import { decodeObject, decodePatched, decodeMerged, checkName, inMemoryWords, quotation } from './request/decoding.ts';
import { Deleter } from './write/delete.ts';
import { listPage, parseRevision, tooLarge } from './list.ts';
import { negotiate, type Output } from './request/negotiate.ts';
import { listOptions, writeOptions, type WriteOptions } from './request/options.ts';
import { applied, decodeApplyBody, patchType, readPatch, type ReadPatch } from './write/patch.ts';
import { entryText, readEntry } from './present.ts';
import { sendJson, sendStored, sendText, success } from './render.ts';
import type { ResourcePath } from './request/request-info.ts';
import type { Resource } from './resource.ts';
import { selection } from './select.ts';
import { errors } from './status.ts';
import { listText, transformObject, watchTransform, type ListMeta } from './transform.ts';
import type { Entry } from '../../store/entry.ts';
import { Watch, type WatchTimes } from './watch.ts';
import { writeRequest, deleteRequest, readDeleteOptions } from './write/write-request.ts';
import type { Writer, WriteRequest, Written } from './write/write.ts';

export interface HandlerDeps {
  readonly writer: Writer;
  readonly admission: () => Admission;
  readonly watchTimes: WatchTimes;
  /** How many revisions a list lags behind, when a fault requests that. */
  staleness(context: Context): number;
  /** An object of the kind that contains only its type, for bookmarks. */
  empty(resource: Resource): JsonObject;
}

export class Handlers {
  readonly #deps: HandlerDeps;
  readonly #writer: Writer;
  readonly #deleter: Deleter;

  constructor(deps: HandlerDeps) {
    this.#deps = deps;
    this.#writer = deps.writer;
    this.#deleter = new Deleter(deps.writer, deps.admission);
  }

  get deleter(): Deleter {
    return this.#deleter;
  }

  async handle(context: Context, resource: Resource, path: ResourcePath): Promise<void> {
    if (resource.deprecation !== undefined) context.warnings.add(resource.deprecation);
    const verb = verbOf(context, resource, path);
    if (resource.namespaced && path.namespace === '' && path.name !== '') throw errors.noSuchPath();
    if (!resource.namespaced && path.namespace !== '' && resource.plural !== 'namespaces') {
      if (!resource.custom) throw errors.noSuchPath();
      return sendText(context, 404, '404 page not found\n', 'text/plain; charset=utf-8');
    }
    if (path.name.includes('/')) throw errors.noSuchPath();
    if (!allowed(resource, path, verb)) throw errors.methodNotAllowed();
    switch (verb) {
      case 'get':
        return this.#get(context, resource, path);
      case 'list':
      case 'watch':
        return this.#list(context, resource, path);
      case 'create':
        return this.#create(context, resource, path);
      case 'update':
        return this.#update(context, resource, path);
      case 'patch':
        return this.#patch(context, resource, path);
      case 'delete':
        return this.#delete(context, resource, path);
      case 'deletecollection':
        return this.#deleteCollection(context, resource, path);
    }
  }

  async #get(context: Context, resource: Resource, path: ResourcePath): Promise<void> {
    const output = negotiate(context.request.headers.accept, resource.custom);
    const asked = parseRevision(context.query.get('resourceVersion') ?? '');
    if (asked !== undefined && asked > this.#writer.store.revision) throw tooLarge(asked, this.#writer.store.revision);
    const entry = this.#writer.find(resource, path.namespace, path.name);
    if (entry === undefined) throw errors.notFound(resource, path.name);
    await sendEntry(context, 200, resource, entry, output);
  }

  async #list(context: Context, resource: Resource, path: ResourcePath): Promise<void> {
    const output = negotiate(context.request.headers.accept, resource.custom, true);
    const options = listOptions(context.query, path.watch);
    const wanted = selection(resource, options, path.name);
    const namespace = resource.namespaced ? path.namespace : '';
    if (options.watch) {
      this.#watch(context, resource, namespace, options, wanted, output);
      return;
    }
    const behind = this.#deps.staleness(context);
    const page = listPage(this.#writer.store, resource, namespace, options, wanted, behind);
    const meta: ListMeta = {
      resourceVersion: String(page.revision),
      ...(page.continueToken === '' ? {} : { continue: page.continueToken }),
      ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
    };
    const text = listText(resource, page.entries, meta, output, context);
    if (output.encoding === 'yaml') await sendJson(context, 200, JSON.parse(text) as JsonObject, output);
    else await sendText(context, 200, `${text}\n`);
  }

  #watch(
    context: Context,
    resource: Resource,
    namespace: string,
    options: ReturnType<typeof listOptions>,
    wanted: ReturnType<typeof selection>,
    output: Output,
  ): void {
    const deps = {
      store: this.#writer.store,
      times: this.#deps.watchTimes,
      transform: watchTransform,
      empty: (of: Resource, revision: number, annotations: Record<string, string> | undefined): string => {
        const object = this.#deps.empty(of);
        const metadata = {
          ...(isObject(object['metadata']) ? object['metadata'] : {}),
          resourceVersion: String(revision),
          ...(annotations === undefined ? {} : { annotations }),
        };
        return JSON.stringify({ ...object, metadata });
      },
    };
    new Watch(deps, context, resource, namespace, options, wanted, output).start();
  }

  async #create(context: Context, resource: Resource, path: ResourcePath): Promise<void> {
    const output = negotiate(context.request.headers.accept, resource.custom);
    refuseUnknownFormat(context.request);
    const body = await readBody(context.request);
    const options = writeOptions(context.query, 'CreateOptions');
    const object = decodeObject(context, resource, body, options);
    const request = writeRequest(context, resource, path, options, 'CreateOptions');
    const written = await this.#writer.create({ ...request, name: object.metadata.name ?? '' }, object);
    await sendWritten(context, resource, written, output);
  }

  async #update(context: Context, resource: Resource, path: ResourcePath): Promise<void> {
    const output = negotiate(context.request.headers.accept, resource.custom);
    const body = await readBody(context.request);
    const options = writeOptions(context.query, 'UpdateOptions');
    const object = decodeObject(context, resource, body, options);
    checkName(path.name, object);
    const uid = object.metadata.uid;
    const retry = (object.metadata.resourceVersion ?? '') === '';
    const written = await this.#writer.update({
      ...writeRequest(context, resource, path, options, 'UpdateOptions'),
      // A write may change its argument, and only a retry needs the original again.
      change: () => (retry ? cloneJson(object) : object),
      allowCreate: resource.strategy.allowCreateOnUpdate && path.subresource === '',
      managed: false,
      retry,
      uid: uid === undefined || uid === '' ? undefined : uid,
    });
    await sendWritten(context, resource, written, output);
  }

  async #patch(context: Context, resource: Resource, path: ResourcePath): Promise<void> {
    const type = patchType(mediaType(context.request), resource);
    const output = negotiate(context.request.headers.accept, resource.custom);
    const body = (await readBody(context.request)).toString('utf8');
    const options = writeOptions(context.query, 'PatchOptions', type === 'apply');
    const request = writeRequest(context, resource, path, options, 'PatchOptions');
    const written =
      type === 'apply'
        ? await this.#apply(resource, path, body, options, request)
        : await this.#patchWith(context, resource, type, body, options, request);
    await sendWritten(context, resource, written, output);
  }

  async #patchWith(
    context: Context,
    resource: Resource,
    type: 'json' | 'merge' | 'strategic',
    body: string,
    options: WriteOptions,
    request: WriteRequest,
  ): Promise<Written> {
    let read: ReadPatch | undefined;
    let named = false;
    const written = await this.#writer.update({
      ...request,
      change: (live) => {
        if (live === undefined) throw errors.notFound(resource, request.name);
        // The patch is read only now: a missing object is reported before an error in the patch.
        const patch = (read ??= readPatch(type, body, resource, options.fieldValidation));
        const { object: raw, shown } = patch.apply(live);
        // Decoding drops fields that the kind does not have, but an error message quotes the object with them.
        const quoted = shown ?? (() => quotation(resource, patch.apply(live).object));
        const words = shown === undefined ? (why: string) => why : inMemoryWords;
        const object = decodePatched(resource, raw, { quoted, words }, options, patch.complaints, (text) =>
          context.warnings.add(text),
        );
        checkName(request.name, object);
        named = object.metadata.resourceVersion !== live.metadata.resourceVersion;
        return object;
      },
      allowCreate: false,
      managed: false,
      get retry() {
        return !named;
      },
      uid: undefined,
    });
    return written;
  }

  async #apply(
    resource: Resource,
    path: ResourcePath,
    body: string,
    options: WriteOptions,
    request: WriteRequest,
  ): Promise<Written> {
    const config = decodeApplyBody(body);
    return this.#writer.update({
      ...request,
      manager: options.fieldManager,
      change: (live) => {
        const merged = applied(structuredClone(config), live, resource, {
          manager: options.fieldManager,
          force: options.force,
          subresource: path.subresource,
        });
        const object = decodeMerged(resource, merged, config);
        checkName(request.name, object);
        return object;
      },
      allowCreate: path.subresource === '',
      managed: true,
      retry: true,
      uid: undefined,
    });
  }

  async #delete(context: Context, resource: Resource, path: ResourcePath): Promise<void> {
    const output = negotiate(context.request.headers.accept, resource.custom);
    const deletion = await readDeleteOptions(context);
    const { object, gone } = await this.#deleter.delete(deleteRequest(context, resource, path, deletion));
    const code = !gone && deletion.orphanDependents === false ? 202 : 200;
    const whole = !gone || resource.strategy.returnDeletedObject;
    const answer = whole
      ? transformObject(resource, object, output, context)
      : success(deletedDetails(resource, object));
    await sendJson(context, code, answer, output);
  }

  async #deleteCollection(context: Context, resource: Resource, path: ResourcePath): Promise<void> {
    const output = negotiate(context.request.headers.accept, resource.custom);
    const options = listOptions(context.query);
    const wanted = selection(resource, options);
    const deletion = await readDeleteOptions(context);
    const namespace = resource.namespaced ? path.namespace : '';
    const page = listPage(this.#writer.store, resource, namespace, { ...options, limit: 0 }, wanted);
    for (const entry of page.entries) {
      const at = { ...path, namespace: entry.namespace, name: entry.name };
      try {
        await this.#deleter.delete(deleteRequest(context, resource, at, deletion));
      } catch (error) {
        // Another client has deleted it already.
        if (asStatusError(error)?.code !== 404) throw error;
      }
    }
    // The answer is the list before the deletion.
    await sendText(
      context,
      200,
      `${listText(resource, page.entries, { resourceVersion: String(page.revision) }, output, context)}\n`,
    );
  }
}

function sendEntry(context: Context, code: number, resource: Resource, entry: Entry, output: Output): Promise<void> {
  if (output.as === 'Object') return sendStored(context, code, entryText(resource, entry), output);
  return sendJson(context, code, transformObject(resource, readEntry(resource, entry), output, context), output);
}

function sendWritten(context: Context, resource: Resource, written: Written, output: Output): Promise<void> {
  const code = written.created ? 201 : 200;
  if (written.entry !== undefined) return sendEntry(context, code, resource, written.entry, output);
  return sendJson(context, code, transformObject(resource, written.object, output, context), output);
}

type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

function verbOf(context: Context, resource: Resource, path: ResourcePath): Verb {
  const named = path.name !== '';
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return path.watch ? 'watch' : named ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      throw resource.custom ? errors.methodNotSupported(resource, '') : errors.methodNotAllowed();
  }
}

function allowed(resource: Resource, path: ResourcePath, verb: Verb): boolean {
  const needsName = verb === 'update' || verb === 'patch';
  if (needsName && path.name === '') return false;
  if (verb === 'create' && path.name !== '' && path.subresource === '') return false;
  if (resource.namespaced && path.namespace === '' && verb !== 'list' && verb !== 'watch') return false;
  if (path.subresource !== '') {
    return resource.subresources.some((sub) => sub.name === path.subresource && sub.verbs.includes(verb));
  }
  // While a CRD is being deleted, discovery lists neither verb; but a client that added a finalizer to its objects must
  // be able to remove it.
  if (resource.custom && needsName) return true;
  return resource.verbs.includes(verb);
}

function deletedDetails(resource: Resource, object: KubeObject): JsonObject {
  return {
    name: object.metadata.name ?? '',
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
    uid: object.metadata.uid ?? '',
  };
}
