/**
 * Writes, in kube-apiserver's order: managed fields, mutating admission, preparation, validation, validating admission,
 * store. HTTP handlers and the sandbox's own controllers use the same Writer, so every write passes the same rules.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { Admission, AdmissionRequest, Operation } from '../../../control-plane/admission/admission.ts';
import { isNoOp, trackUpdate } from '../../../objects/apply/managed-fields.ts';
import {
  cloneJson,
  isObject,
  jsonEqual,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
} from '../../../values/json.ts';
import { entryKey, type Entry } from '../../../store/entry.ts';
import type { Store } from '../../../store/store.ts';
import type { User } from '../context.ts';
import { metadataProblems, metadataUpdateProblems } from '../metadata.ts';
import { canonical, readEntry } from '../present.ts';
import type { Resource } from '../resource.ts';
import { errors, fieldError, StatusError } from '../status.ts';

export interface WriteRequest {
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly manager: string;
  readonly user: User;
  /** CreateOptions, UpdateOptions or PatchOptions, as webhooks see them. */
  readonly options: JsonObject;
  warn(text: string): void;
}

export interface UpdateRequest extends WriteRequest {
  /**
   * Returns the new object for the live one (undefined when it is to be created), or undefined when there is nothing to
   * write. Called again after a conflict.
   */
  change(live: KubeObject | undefined): KubeObject | undefined;
  /** Whether a missing object is created: for some kinds on PUT, for every kind on apply. */
  readonly allowCreate: boolean;
  /** `change` has already written managedFields (server-side apply). */
  readonly managed: boolean;
  /** A patch without a resourceVersion is retried after a conflict. */
  readonly retry: boolean;
  /** The uid in the body, which must equal the stored one. */
  readonly uid: string | undefined;
}

export interface Written {
  /** The stored object. It is parsed on access, because most clients only need the text. */
  readonly object: KubeObject;
  readonly created: boolean;
  /** Absent when nothing was stored: nothing changed, a dry run, or the object is gone. */
  readonly entry?: Entry;
}

const OPTIMISTIC_LOCK = 'the object has been modified; please apply your changes to the latest version and try again';

export class Writer {
  readonly store: Store;
  readonly #admission: () => Admission;

  constructor(store: Store, admission: () => Admission) {
    this.store = store;
    this.#admission = admission;
  }

  find(resource: Resource, namespace: string, name: string): Entry | undefined {
    return this.store.table(resource.table).get(entryKey(resource.namespaced ? namespace : '', name));
  }

  async create(request: WriteRequest, object: KubeObject): Promise<Written> {
    wipeSystemFields(object.metadata);
    ensureNamespace(request, object.metadata);
    dedupOwners(object.metadata, request);
    const tracked = track(request, undefined, object);
    const admission = admissionRequest(request, 'CREATE', tracked, undefined);
    await this.#admission().mutate(admission);
    return this.#finishCreate(request, admission);
  }

  async #finishCreate(request: WriteRequest, admission: AdmissionRequest): Promise<Written> {
    const { resource } = request;
    const object = admission.object as KubeObject;
    fillSystemFields(object.metadata);
    ensureNamespace(request, object.metadata);
    if ((object.metadata.resourceVersion ?? '') !== '') {
      throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
    }
    resource.strategy.prepareForCreate(object);
    const problems = resource.strategy.validate(object);
    if (problems.length === 0) problems.push(...metadataProblems(resource, object.metadata));
    if (problems.length > 0)
      throw errors.invalid(
        resource.errorGroup ?? resource.group,
        resource.custom ? object.kind : resource.kind,
        object.metadata.name ?? '',
        problems,
      );
    for (const text of resource.strategy.warnings(object, undefined)) request.warn(text);
    await this.#admission().validate({ ...admission, object, name: object.metadata.name ?? '' });
    return this.#store(request, admission, object, undefined);
  }

  async update(request: UpdateRequest): Promise<Written> {
    // Unlimited, as in kube-apiserver: a client that names no version never gets a conflict.
    for (;;) {
      const written = await this.#tryUpdate(request);
      if (written !== undefined) return written;
      if (!request.retry) throw errors.conflict(request.resource, request.name, OPTIMISTIC_LOCK);
    }
  }

  /** One attempt; resolves to undefined when the object changed between the read and the write. */
  async #tryUpdate(request: UpdateRequest): Promise<Written | undefined> {
    const { resource, name } = request;
    const entry = this.find(resource, request.namespace, name);
    if (entry === undefined) {
      if (request.uid !== undefined && request.allowCreate && !request.managed)
        throw uidConflict(resource, request.namespace, name, request.uid, '', request.dryRun);
      return this.#createOrLose(request);
    }
    if (request.uid !== undefined && request.uid !== entry.uid)
      throw uidConflict(resource, request.namespace, name, request.uid, entry.uid, request.dryRun);
    const live = readEntry(resource, entry);
    const changed = request.change(live);
    if (changed === undefined) return { object: live, created: false };
    const tracked = request.managed ? changed : track(request, live, changed);
    const admission = admissionRequest(request, 'UPDATE', tracked, live);
    await this.#admission().mutate(admission);
    const object = this.#prepareUpdate(request, admission.object as KubeObject, live);
    await this.#admission().validate({ ...admission, object });
    return this.#finishUpdate(request, admission, object, live, entry);
  }

  /** Resolves to undefined when another client has created the object meanwhile: then it is an update. */
  async #createOrLose(request: UpdateRequest): Promise<Written | undefined> {
    try {
      return await this.#createOnUpdate(request);
    } catch (error) {
      const lost = error instanceof StatusError && error.reason === 'AlreadyExists';
      if (lost && this.find(request.resource, request.namespace, request.name) !== undefined) return undefined;
      throw error;
    }
  }

  async #createOnUpdate(request: UpdateRequest): Promise<Written> {
    if (!request.allowCreate) throw errors.notFound(request.resource, request.name);
    const object = request.change(undefined);
    if (object === undefined) throw errors.notFound(request.resource, request.name);
    const uid = object.metadata.uid ?? '';
    if (uid !== '') {
      throw errors.conflict(
        request.resource,
        request.name,
        `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      );
    }
    const tracked = request.managed ? object : track(request, undefined, object);
    delete tracked.metadata.resourceVersion;
    const admission = admissionRequest(request, 'CREATE', tracked, undefined);
    await this.#admission().mutate(admission);
    return this.#finishCreate(request, admission);
  }

  #prepareUpdate(request: UpdateRequest, object: KubeObject, live: KubeObject): KubeObject {
    const { resource, subresource, name } = request;
    this.#checkRevision(request, object, live);
    ensureNamespace(request, object.metadata);
    setOrDelete(object.metadata, 'generation', live.metadata.generation);
    resource.strategy.prepareForUpdate(object, live, subresource);
    keepSystemFields(object.metadata, live.metadata);
    const problems = [
      ...metadataProblems(resource, object.metadata),
      ...metadataUpdateProblems(object.metadata, live.metadata),
      ...resource.strategy.validateUpdate(object, live, subresource),
    ];
    if (problems.length > 0)
      throw errors.invalid(
        resource.errorGroup ?? resource.group,
        resource.custom ? object.kind : resource.kind,
        name,
        problems,
      );
    for (const text of resource.strategy.warnings(object, live)) request.warn(text);
    dedupOwners(object.metadata, request);
    if (isNoOp(live, object)) setOrDelete(object.metadata, 'managedFields', live.metadata.managedFields);
    return object;
  }

  #checkRevision(request: UpdateRequest, object: KubeObject, live: KubeObject): void {
    const { resource, name } = request;
    const given = object.metadata.resourceVersion ?? '';
    if (given === '' || given === '0') {
      if (!resource.strategy.allowUnconditionalUpdate) {
        throw errors.invalid(resource.group, resource.plural, name, [
          fieldError.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
        ]);
      }
      setOrDelete(object.metadata, 'resourceVersion', live.metadata.resourceVersion);
      return;
    }
    if (!/^\d+$/.test(given)) {
      throw new StatusError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
    }
    if (given !== live.metadata.resourceVersion) throw errors.conflict(resource, name, OPTIMISTIC_LOCK);
  }

  #finishUpdate(
    request: UpdateRequest,
    admission: AdmissionRequest,
    object: KubeObject,
    live: KubeObject,
    entry: Entry,
  ): Written | undefined {
    if (shouldDelete(object, live.metadata, request.resource)) {
      if (!request.dryRun) {
        if (this.store.remove(request.resource.table, entry.key, entry.revision) === undefined) return undefined;
      }
      return { object, created: false };
    }
    if (jsonEqual(object, live)) return { object: live, created: false };
    if (request.dryRun) return { object, created: false };
    const current = this.find(request.resource, request.namespace, request.name);
    if (current?.revision !== entry.revision) return undefined;
    return this.#store(request, admission, object, entry);
  }

  /** The last check and the write run without yielding to the event loop. */
  #store(request: WriteRequest, admission: AdmissionRequest, object: KubeObject, entry: Entry | undefined): Written {
    const { resource } = request;
    const name = object.metadata.name ?? '';
    const there = entry === undefined ? this.find(resource, request.namespace, name) : undefined;
    if (there !== undefined) throw alreadyThere(resource, name, readEntry(resource, there));
    this.#admission().commit({ ...admission, object, name });
    const created = entry === undefined;
    if (request.dryRun) return { object, created };
    const stored = this.store.put(resource.table, storageForm(resource, object), entry?.revision ?? 0);
    if (stored === undefined) throw errors.conflict(resource, name, OPTIMISTIC_LOCK);
    return writtenAs(resource, stored, created);
  }
}

function writtenAs(resource: Resource, entry: Entry, created: boolean): Written {
  let object: KubeObject | undefined;
  return {
    created,
    entry,
    get object() {
      return (object ??= readEntry(resource, entry));
    },
  };
}

/** Conversion may modify its argument, so it gets a clone. Without conversion, the canonical form is already a copy. */
function storageForm(resource: Resource, object: KubeObject): KubeObject {
  const converts = resource.apiVersion !== resource.storageApiVersion;
  return canonical(converts ? resource.toStorage(cloneJson(object)) : object, resource.custom);
}

function alreadyThere(resource: Resource, name: string, object: KubeObject): StatusError {
  const refusal = errors.alreadyExists(resource, name);
  if (object.metadata.deletionTimestamp === undefined) return refusal;
  return new StatusError(409, 'AlreadyExists', `object is being deleted: ${refusal.message}`, refusal.details);
}

export function admissionRequest(
  request: WriteRequest,
  operation: Operation,
  object: KubeObject | undefined,
  oldObject: KubeObject | undefined,
): AdmissionRequest {
  const { resource, subresource, namespace, dryRun, user, options } = request;
  const name = request.name === '' ? (object?.metadata.name ?? '') : request.name;
  // For admission, a namespace is inside itself.
  const inside =
    resource.group === '' && resource.plural === 'namespaces' ? name : resource.namespaced ? namespace : '';
  return {
    operation,
    resource,
    subresource,
    namespace: inside,
    name,
    object,
    oldObject,
    options,
    dryRun,
    user,
    warn: (text) => request.warn(text),
  };
}

function track(request: WriteRequest, live: KubeObject | undefined, object: KubeObject): KubeObject {
  const { resource, subresource, manager } = request;
  return trackUpdate({
    live,
    object,
    schema: resource.schema,
    manager,
    subresource,
    now: timestamp(),
    resetFields: resource.strategy.resetFields(subresource),
    versions: resource.versions,
  });
}

export function timestamp(date: Date = new Date()): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function setOrDelete<K extends keyof ObjectMeta>(
  meta: ObjectMeta,
  key: K,
  value: ObjectMeta[K] | undefined,
): void {
  if (value === undefined) delete meta[key];
  else meta[key] = value;
}

function wipeSystemFields(meta: ObjectMeta): void {
  delete meta['creationTimestamp'];
  delete meta['deletionTimestamp'];
  delete meta['deletionGracePeriodSeconds'];
  delete meta['uid'];
  delete meta['selfLink'];
}

// Vowels and lookalikes are left out, so that no words appear by chance.
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

function fillSystemFields(meta: ObjectMeta): void {
  meta.creationTimestamp = timestamp();
  meta.uid = randomUUID();
  if ((meta.name ?? '') === '' && (meta.generateName ?? '') !== '') {
    const base = (meta.generateName as string).slice(0, 58);
    let suffix = '';
    for (let i = 0; i < 5; i++) suffix += SUFFIX_ALPHABET[randomInt(SUFFIX_ALPHABET.length)];
    meta.name = base + suffix;
  }
}

/** Restores the fields that an update can never change. */
function keepSystemFields(meta: ObjectMeta, live: ObjectMeta): void {
  if ((meta.uid ?? '') === '') setOrDelete(meta, 'uid', live.uid);
  if (live.creationTimestamp !== undefined) meta.creationTimestamp = live.creationTimestamp;
  if (live.deletionTimestamp !== undefined) meta.deletionTimestamp = live.deletionTimestamp;
  if (live.deletionGracePeriodSeconds !== undefined && meta.deletionGracePeriodSeconds === undefined) {
    meta.deletionGracePeriodSeconds = live.deletionGracePeriodSeconds;
  }
}

function ensureNamespace(request: WriteRequest, meta: ObjectMeta): void {
  const expected = request.resource.namespaced ? request.namespace : '';
  const given = meta.namespace ?? '';
  if (given === expected) {
    if (expected === '') delete meta['namespace'];
    return;
  }
  if (given === '') meta.namespace = expected;
  else if (expected === '') delete meta['namespace'];
  else throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function dedupOwners(meta: ObjectMeta, request: WriteRequest): void {
  const owners = meta.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const seen = new Map<string, JsonObject[]>();
  const doubled = new Set<string>();
  meta.ownerReferences = owners.filter((owner) => {
    const same = seen.get(owner.uid) ?? [];
    if (same.some((other) => jsonEqual(other, owner))) {
      doubled.add(owner.uid);
      return false;
    }
    seen.set(owner.uid, [...same, owner]);
    return true;
  });
  if (doubled.size === 0) return;
  request.warn(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...doubled].join(', ')}`,
  );
}

/** A uid in the body is a precondition of the storage. Its error has the storage's text, with the key. */
export function uidConflict(
  of: { readonly group: string; readonly plural: string },
  namespace: string,
  name: string,
  wanted: string,
  actual: string,
  dryRun = false,
): StatusError {
  // Services and Endpoints have a common prefix in etcd.
  const folder = { services: 'services/specs', endpoints: 'services/endpoints' }[of.plural] ?? of.plural;
  // A dry run uses another key prefix.
  const key = `${dryRun ? '' : '/registry'}/${of.group === '' ? '' : `${of.group}/`}${folder}/${entryKey(namespace, name)}`;
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`;
  return errors.conflict(
    of,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

/** An object that is being deleted is removed when an update removes its last finalizer. */
function shouldDelete(object: KubeObject, live: ObjectMeta, resource: Resource): boolean {
  if ((object.metadata.finalizers?.length ?? 0) > 0 || live.deletionTimestamp === undefined) return false;
  // Namespaces have a second list of finalizers, in their spec.
  if (resource.group === '' && resource.plural === 'namespaces' && hasSpecFinalizers(object)) return false;
  return (live.deletionGracePeriodSeconds ?? 0) === 0;
}

function hasSpecFinalizers(namespace: KubeObject): boolean {
  const spec = namespace['spec'];
  return isObject(spec) && Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0;
}
