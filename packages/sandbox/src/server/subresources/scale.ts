/** The scale subresource: the number of replicas as an autoscaling/v1 Scale. */
import { isObject, type Json, type JsonObject, type KubeObject } from '../../values/json.ts';
import { mediaType, readBody } from '../api/request/body.ts';
import type { Context } from '../api/context.ts';
import { writeRequest } from '../api/write/write-request.ts';
import { writeOptions } from '../api/request/options.ts';
import { patchType, readPatch } from '../api/write/patch.ts';
import { readEntry } from '../api/present.ts';
import { negotiate, type Output } from '../api/request/negotiate.ts';
import { sendJson } from '../api/render.ts';
import type { ResourcePath } from '../api/request/request-info.ts';
import type { Resource } from '../api/resource.ts';
import type { SpecialHandler } from '../api/serve-resource.ts';
import { errors, fieldError } from '../api/status.ts';
import { transformObject } from '../api/transform.ts';
import { timestamp, type Writer } from '../api/write/write.ts';
import { trackUpdate } from '../../objects/apply/managed-fields.ts';
import { parentEntries, scaleEntries } from '../../objects/apply/scale.ts';
import { definition } from '../../objects/kinds/builtin.ts';
import { DecodeError, normalise } from '../../objects/kinds/values/decode.ts';
import { unusableResult } from '../../objects/patch/rejection.ts';
import { customScaleColumns } from '../table/printer-columns.ts';
import type { TableKind } from '../table/render.ts';
import { givenObject } from './given-object.ts';

/** The paths of a kind's replicas; all built-in kinds use the same ones. */
type ScalePaths = NonNullable<Resource['scale']>;

const BUILTIN: ScalePaths = {
  spec: ['spec', 'replicas'],
  status: ['status', 'replicas'],
  selector: ['spec', 'selector'],
};

const SCALE_SCHEMA = definition('io.k8s.api.autoscaling.v1.Scale');
const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale' };

export function scaleHandler(writer: Writer): SpecialHandler {
  return async (context, resource, path) => {
    const paths = resource.custom ? resource.scale : BUILTIN;
    if (paths === undefined) throw errors.noSuchPath();
    const output = negotiate(context.request.headers.accept, resource.custom);
    switch (context.method) {
      case 'GET': {
        const entry = writer.find(resource, path.namespace, path.name);
        if (entry === undefined) throw errors.notFound(resource, path.name);
        return send(context, scaleOf(readEntry(resource, entry), paths, resource), resource, output);
      }
      case 'PUT':
      case 'PATCH':
        return write(writer, context, resource, path, paths, output);
      default:
        throw errors.methodNotAllowed();
    }
  };
}

async function write(
  writer: Writer,
  context: Context,
  resource: Resource,
  path: ResourcePath,
  paths: ScalePaths,
  output: Output,
): Promise<void> {
  const body = await readBody(context.request);
  const isPatch = context.method === 'PATCH';
  const options = writeOptions(context.query, isPatch ? 'PatchOptions' : 'UpdateOptions');
  const change = isPatch
    ? patchedScale(context, resource, body.toString('utf8'), options.fieldValidation)
    : givenScale(context, body);
  const request = writeRequest(context, resource, path, options, 'UpdateOptions');
  const { object } = await writer.update({
    ...request,
    // The parent is written as a whole; only admission sees the subresource.
    change: (live) => scaled(live as KubeObject, change, paths, resource, request.manager),
    allowCreate: false,
    managed: true,
    retry: true,
    uid: undefined,
  });
  await send(context, scaleOf(object, paths, resource), resource, output);
}

/** `kubectl get --subresource=scale` requests a table; that of a custom resource has other column names. */
const TABLE: TableKind = { group: 'autoscaling', kind: 'Scale' };
const CUSTOM_TABLE: TableKind = { ...TABLE, printerColumns: customScaleColumns };

function send(context: Context, scale: KubeObject, resource: Resource, output: Output): Promise<void> {
  const table = resource.custom ? CUSTOM_TABLE : TABLE;
  return sendJson(context, 200, transformObject(table, shown(scale), output, context), output);
}

/** Owners are tracked but not shown. */
function shown({ metadata: { managedFields: _, ...metadata }, ...scale }: KubeObject): KubeObject {
  return { ...scale, metadata };
}

/** Returns the parent with the replicas of the changed Scale, owned by the manager that changed them. */
function scaled(
  live: KubeObject,
  change: (scale: KubeObject) => KubeObject,
  paths: ScalePaths,
  resource: Resource,
  manager: string,
): KubeObject {
  const before = scaleOf(live, paths, resource);
  const wanted = change(before);
  const after = trackUpdate({
    live: before,
    object: wanted,
    schema: SCALE_SCHEMA,
    manager,
    subresource: 'scale',
    now: timestamp(),
  });
  const parent = withReplicas(structuredClone(live), wanted, paths, resource);
  const entries = parentEntries(
    live.metadata.managedFields ?? [],
    after.metadata.managedFields ?? [],
    resource.apiVersion,
    { [resource.apiVersion]: paths.spec },
  );
  if (entries.length > 0) parent.metadata.managedFields = entries;
  return parent;
}

function givenScale(context: Context, body: Buffer): () => KubeObject {
  const scale = givenObject(context, body, SCALE, SCALE_SCHEMA);
  return () => structuredClone(scale);
}

function patchedScale(
  context: Context,
  resource: Resource,
  body: string,
  validation: 'Ignore' | 'Warn' | 'Strict',
): (scale: KubeObject) => KubeObject {
  const type = patchType(mediaType(context.request), resource);
  if (type === 'apply') throw errors.unsupportedMediaType('apply is not supported on scale in the sandbox');
  const patch = readPatch(type, body, { ...resource, schema: SCALE_SCHEMA }, validation);
  return (scale) => {
    const { object } = patch.apply(scale);
    try {
      return normalise(SCALE_SCHEMA, object);
    } catch (error) {
      throw error instanceof DecodeError ? unusableResult(JSON.stringify(object), error.message) : error;
    }
  };
}

function withReplicas(object: KubeObject, scale: KubeObject, paths: ScalePaths, resource: Resource): KubeObject {
  const spec = isObject(scale['spec']) ? scale['spec'] : {};
  const replicas = typeof spec['replicas'] === 'number' ? spec['replicas'] : 0;
  // For a custom resource, its own schema decides.
  if (replicas < 0 && !resource.custom) {
    throw errors.invalid('autoscaling', 'Scale', object.metadata.name ?? '', [
      fieldError.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const given = scale.metadata.resourceVersion ?? '';
  if (given !== '') object.metadata.resourceVersion = given;
  if (scale.metadata.uid !== undefined && scale.metadata.uid !== object.metadata.uid) {
    throw errors.conflict(
      resource,
      object.metadata.name ?? '',
      `Precondition failed: UID in precondition: ${scale.metadata.uid}, UID in object meta: ${object.metadata.uid ?? ''}`,
    );
  }
  let at: JsonObject = object;
  for (const part of paths.spec.slice(0, -1)) {
    const next = at[part];
    at = isObject(next) ? next : (at[part] = {});
  }
  at[paths.spec.at(-1) as string] = replicas;
  return object;
}

function scaleOf(object: KubeObject, paths: ScalePaths, resource: Resource): KubeObject {
  const owners = scaleEntries(object.metadata.managedFields ?? [], { [resource.apiVersion]: paths.spec });
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector === undefined ? undefined : selectorText(at(object, paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(owners.length === 0 ? {} : { managedFields: owners }),
    },
    spec: replicasOrNothing(at(object, paths.spec)),
    status: {
      replicas: Number(at(object, paths.status) ?? 0),
      ...(selector === undefined || selector === '' ? {} : { selector }),
    },
  };
}

function replicasOrNothing(value: Json | undefined): JsonObject {
  return typeof value === 'number' && value !== 0 ? { replicas: value } : {};
}

function at(object: Json | undefined, path: readonly string[]): Json | undefined {
  let value = object;
  for (const part of path) value = isObject(value) ? value[part] : undefined;
  return value;
}

function selectorText(selector: Json | undefined): string {
  if (typeof selector === 'string') return selector;
  if (!isObject(selector)) return '';
  const labels = isObject(selector['matchLabels'])
    ? selector['matchLabels']
    : 'matchExpressions' in selector
      ? {}
      : selector;
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join(',');
}
