/** Receives an object at a path that answers instead of storing it: the common part of all such paths. */
import { trackUpdate } from '../../objects/apply/managed-fields.ts';
import { readBody } from '../api/request/body.ts';
import type { Context } from '../api/context.ts';
import { decodeObject } from '../api/request/decoding.ts';
import { writeRequest } from '../api/write/write-request.ts';
import { writeOptions } from '../api/request/options.ts';
import type { ResourcePath } from '../api/request/request-info.ts';
import type { Resource } from '../api/resource.ts';
import { errors } from '../api/status.ts';
import { timestamp, type WriteRequest } from '../api/write/write.ts';
import type { KubeObject } from '../../values/json.ts';

export interface Received {
  readonly object: KubeObject;
  /** The request for the path's resource, whose kind may differ from the object's. */
  readonly request: WriteRequest;
}

/** Reads, decodes and tracks a POST. `kindOf` returns the expected kind of the body. */
export async function receive(
  context: Context,
  resource: Resource,
  path: ResourcePath,
  kindOf: (body: Buffer) => Resource,
): Promise<Received> {
  if (context.method !== 'POST') throw errors.methodNotAllowed();
  const body = await readBody(context.request);
  const options = writeOptions(context.query, 'CreateOptions');
  const kind = kindOf(body);
  const object = decodeObject(context, kind, body, options);
  const request = writeRequest(context, resource, path, options, 'CreateOptions');
  matchNamespace(object, kind.namespaced ? path.namespace : '');
  return { object: track(object, kind, request), request };
}

function matchNamespace({ metadata }: KubeObject, namespace: string): void {
  const given = metadata.namespace ?? '';
  if (given !== '' && namespace !== '' && given !== namespace) {
    throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
}

function track(object: KubeObject, kind: Resource, { manager, subresource }: WriteRequest): KubeObject {
  return trackUpdate({
    live: undefined,
    object,
    schema: kind.schema,
    manager,
    subresource,
    now: timestamp(),
    resetFields: [],
  });
}
