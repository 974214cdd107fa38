/**
 * DELETE: with a grace period where the kind has one, held back by finalizers, with the garbage collector's policies.
 */
import type { Admission } from '../../../control-plane/admission/admission.ts';
import type { KubeObject, ObjectMeta } from '../../../values/json.ts';
import type { Entry } from '../../../store/entry.ts';
import type { DeleteOptions } from '../request/options.ts';
import { canonical, readEntry } from '../present.ts';
import { errors } from '../status.ts';
import { admissionRequest, timestamp, type WriteRequest, type Writer } from './write.ts';

export interface DeleteRequest extends WriteRequest {
  readonly deletion: DeleteOptions;
}

export interface Deleted {
  readonly object: KubeObject;
  /** False while finalizers or a grace period hold the object. */
  readonly gone: boolean;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

export class Deleter {
  readonly #writer: Writer;
  readonly #admission: () => Admission;

  constructor(writer: Writer, admission: () => Admission) {
    this.#writer = writer;
    this.#admission = admission;
  }

  async delete(request: DeleteRequest): Promise<Deleted> {
    for (;;) {
      const entry = this.#writer.find(request.resource, request.namespace, request.name);
      if (entry === undefined) throw errors.notFound(request.resource, request.name);
      const live = readEntry(request.resource, entry);
      checkPreconditions(request, live.metadata);
      const admission = admissionRequest(request, 'DELETE', undefined, live);
      await this.#admission().mutate(admission);
      await this.#admission().validate(admission);
      const deleted = this.#tryDelete(request, entry);
      if (deleted !== undefined) return deleted;
    }
  }

  #tryDelete(request: DeleteRequest, entry: Entry): Deleted | undefined {
    const { resource, deletion } = request;
    const object = readEntry(resource, entry);
    const { metadata } = object;
    if (metadata.deletionTimestamp === undefined && resource.strategy.prepareForDelete !== undefined) {
      resource.strategy.prepareForDelete(object);
      return this.#put(request, object, entry);
    }
    if (isNamespace(request)) return this.#deleteNamespace(request, object, entry);
    const grace = graceOf(request, object);
    if (grace === 'pending') return { object, gone: false };
    if (grace !== undefined) startGrace(metadata, grace);
    setPolicyFinalizers(metadata, deletion, resource.plural === 'events');
    const held = (metadata.finalizers?.length ?? 0) > 0;
    if (grace === undefined && held) markDeleting(metadata);
    if (held || (grace ?? 0) > 0) return this.#put(request, object, entry);
    return this.#removeNow(request, object, entry, grace !== undefined);
  }

  /**
   * A kind with graceful deletion is marked first even when the grace period is zero, so that watchers see both events.
   */
  #removeNow(request: DeleteRequest, object: KubeObject, entry: Entry, marked: boolean): Deleted | undefined {
    const { resource } = request;
    if (request.dryRun) return { object, gone: true };
    const { store } = this.#writer;
    const last = marked
      ? store.put(resource.table, canonical(resource.toStorage(object), resource.custom), entry.revision)
      : entry;
    const removed = last && store.remove(resource.table, last.key, last.revision);
    return removed === undefined ? undefined : { object: readEntry(resource, removed), gone: true };
  }

  #put(request: DeleteRequest, object: KubeObject, entry: Entry): Deleted | undefined {
    const { resource } = request;
    const changed = JSON.stringify(object) !== JSON.stringify(readEntry(resource, entry));
    if (request.dryRun || !changed) return { object, gone: false };
    const stored = this.#writer.store.put(
      resource.table,
      canonical(resource.toStorage(object), resource.custom),
      entry.revision,
    );
    return stored === undefined ? undefined : { object: readEntry(resource, stored), gone: false };
  }

  /** A namespace is removed when its content is gone and both of its lists of finalizers are empty. */
  #deleteNamespace(request: DeleteRequest, object: KubeObject, entry: Entry): Deleted | undefined {
    const spec = object['spec'] as { finalizers?: string[] } | undefined;
    if (object.metadata.deletionTimestamp === undefined) {
      object.metadata.deletionTimestamp = timestamp();
      object['status'] = { ...(object['status'] as object), phase: 'Terminating' };
      return this.#put(request, object, entry);
    }
    if ((spec?.finalizers?.length ?? 0) > 0 || (object.metadata.finalizers?.length ?? 0) > 0)
      return { object, gone: false };
    if (request.dryRun) return { object, gone: true };
    const removed = this.#writer.store.remove(request.resource.table, entry.key, entry.revision);
    return removed === undefined ? undefined : { object: readEntry(request.resource, removed), gone: true };
  }
}

function isNamespace(request: DeleteRequest): boolean {
  return request.resource.group === '' && request.resource.plural === 'namespaces';
}

function checkPreconditions(request: DeleteRequest, meta: ObjectMeta): void {
  const { deletion, resource, name } = request;
  const of = { group: resource.group, resource: resource.kind };
  if (deletion.uid !== undefined && deletion.uid !== meta.uid) {
    throw errors.conflict(
      of,
      name,
      `the UID in the precondition (${deletion.uid}) does not match the UID in record (${meta.uid ?? ''}). The object might have been deleted and then recreated`,
    );
  }
  if (deletion.resourceVersion !== undefined && deletion.resourceVersion !== meta.resourceVersion) {
    throw errors.conflict(
      of,
      name,
      `the ResourceVersion in the precondition (${deletion.resourceVersion}) does not match the ResourceVersion in record (${meta.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}

/**
 * The grace period in seconds; undefined for a kind without one; 'pending' when an earlier deletion ends no later than
 * this one would.
 */
function graceOf(request: DeleteRequest, object: KubeObject): number | 'pending' | undefined {
  const asked = request.deletion.gracePeriodSeconds;
  const requested = asked !== undefined && asked < 0 ? 1 : asked;
  const { metadata } = object;
  const running = metadata.deletionGracePeriodSeconds ?? 0;
  const own = request.resource.strategy.gracePeriodSeconds(object, requested);
  if (metadata.deletionTimestamp === undefined || own === undefined) return own;
  if (running === 0) return undefined;
  return requested === undefined || requested >= running ? 'pending' : requested;
}

/** The last moment that a timestamp can represent: longer grace periods end there. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

function startGrace(meta: ObjectMeta, seconds: number): void {
  if (meta.deletionTimestamp === undefined) {
    meta.deletionTimestamp = timestamp(new Date(Math.min(Date.now() + seconds * 1000, END_OF_TIME)));
    raiseGeneration(meta);
  } else {
    const began = Date.parse(meta.deletionTimestamp) - (meta.deletionGracePeriodSeconds ?? 0) * 1000;
    meta.deletionTimestamp = timestamp(new Date(Math.max(began + seconds * 1000, Date.now())));
  }
  meta.deletionGracePeriodSeconds = seconds;
}

function markDeleting(meta: ObjectMeta): void {
  if (meta.deletionTimestamp === undefined) raiseGeneration(meta);
  if (meta.deletionTimestamp === undefined || Date.parse(meta.deletionTimestamp) > Date.now())
    meta.deletionTimestamp = timestamp();
  meta.deletionGracePeriodSeconds = 0;
}

function raiseGeneration(meta: ObjectMeta): void {
  if ((meta.generation ?? 0) > 0) meta.generation = (meta.generation as number) + 1;
}

/** The policy of the caller is passed to the garbage collector as a finalizer. */
function setPolicyFinalizers(meta: ObjectMeta, options: DeleteOptions, unsupported: boolean): void {
  if (unsupported) return;
  const had = meta.finalizers ?? [];
  const others = had.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  const wanted = policyFinalizer(options, had);
  const finalizers = wanted === undefined ? others : [...others, wanted];
  const same = finalizers.length === had.length && finalizers.every((finalizer) => had.includes(finalizer));
  if (same) return;
  if (finalizers.length === 0) delete meta['finalizers'];
  else meta.finalizers = finalizers;
}

function policyFinalizer(options: DeleteOptions, had: readonly string[]): string | undefined {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? ORPHAN : undefined;
  switch (options.propagationPolicy) {
    case 'Orphan':
      return ORPHAN;
    case 'Foreground':
      return FOREGROUND;
    case 'Background':
      return undefined;
    default:
      return had.find((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND);
  }
}
