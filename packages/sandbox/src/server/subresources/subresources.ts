/** Subresources that are not a view of the whole object: bindings, evictions, tokens, a namespace's finalizers. */
import { readBody } from '../api/request/body.ts';
import { fieldManagerOf, type Context } from '../api/context.ts';
import { decodeObject } from '../api/request/decoding.ts';
import { writeOptions } from '../api/request/options.ts';
import { sendJson, success } from '../api/render.ts';
import type { ResourcePath } from '../api/request/request-info.ts';
import type { Resource } from '../api/resource.ts';
import type { SpecialHandler } from '../api/serve-resource.ts';
import { errors, fieldError, StatusError } from '../api/status.ts';
import { readEntry } from '../api/present.ts';
import { timestamp, uidConflict, type WriteRequest } from '../api/write/write.ts';
import { isObject, type JsonObject, type KubeObject } from '../../values/json.ts';
import { definition } from '../../objects/kinds/builtin.ts';
import { evict, type EvictionDeps } from './eviction.ts';
import { givenObject } from './given-object.ts';
import { issueToken, type TokenRequestDeps } from './token-request.ts';

export type SubresourceDeps = EvictionDeps & TokenRequestDeps;

export function subresourceHandlers(deps: SubresourceDeps): Map<string, SpecialHandler> {
  return new Map<string, SpecialHandler>([
    ['/pods/binding', (context, resource, path) => bind(deps, context, resource, path, path.name)],
    ['/bindings', (context, resource, path) => bind(deps, context, resource, path, undefined)],
    ['/pods/eviction', (context, resource, path) => evict(deps, context, resource, path)],
    ['/serviceaccounts/token', (context, resource, path) => issueToken(deps, context, resource, path)],
    ['/namespaces/finalize', (context, resource, path) => finalize(deps, context, resource, path)],
  ]);
}

async function readObject(context: Context, apiVersion: string, kind: string, schema: string): Promise<KubeObject> {
  return givenObject(context, await readBody(context.request), { apiVersion, kind }, definition(schema));
}

function request(context: Context, resource: Resource, path: ResourcePath, name: string): WriteRequest {
  const options = writeOptions(context.query, 'CreateOptions');
  return {
    resource,
    subresource: path.subresource,
    namespace: path.namespace,
    name,
    dryRun: options.dryRun,
    manager: fieldManagerOf(options.fieldManager, context.request),
    user: context.user,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    warn: (text) => context.warnings.add(text),
  };
}

function onlyPost(context: Context): void {
  if (context.method !== 'POST') throw errors.methodNotAllowed();
}

async function bind(
  deps: SubresourceDeps,
  context: Context,
  resource: Resource,
  path: ResourcePath,
  named: string | undefined,
): Promise<void> {
  onlyPost(context);
  const binding = await readObject(context, 'v1', 'Binding', 'io.k8s.api.core.v1.Binding');
  const name = named ?? binding.metadata.name ?? '';
  const target = isObject(binding['target']) ? binding['target'] : {};
  checkBinding(binding, name, target);
  const pods = { ...resource, plural: 'pods', kind: 'Pod', table: '/pods' } as Resource;
  const entry = deps.writer.find(pods, path.namespace, name);
  if (entry === undefined) throw errors.notFound({ group: '', resource: 'pods' }, name);
  const pod = readEntry(pods, entry);
  const { uid } = binding.metadata;
  if (uid !== undefined && uid !== entry.uid)
    throw uidConflict({ group: '', plural: 'pods' }, path.namespace, name, uid, entry.uid);
  assignNode(pod, String(target['name'] ?? ''), binding);
  const { dryRun } = request(context, resource, path, name);
  if (!dryRun && deps.writer.store.put('/pods', pod, entry.revision) === undefined)
    throw errors.conflict({ group: '', resource: 'pods' }, name, 'the object has been modified');
  await sendJson(context, 201, { ...success(undefined, 201) });
}

function checkBinding(binding: KubeObject, name: string, target: JsonObject): void {
  if ((binding.metadata.name ?? name) !== name) {
    throw errors.badRequest(`name in URL does not match name in Binding object`);
  }
  const kind = String(target['kind'] ?? '');
  const problems = [
    ...(kind !== '' && kind !== 'Node' ? [fieldError.notSupported('target.kind', kind, ['Node', '<empty>'])] : []),
    ...(String(target['name'] ?? '') === '' ? [fieldError.required('target.name', '')] : []),
  ];
  // The server does not wrap these, so clients get an error without a reason.
  if (problems.length > 0)
    throw new StatusError(500, '', problems.map(({ field, detail }) => `${field}: ${detail}`).join(', '));
}

/** Applies the scheduler's binding to a pod. */
function assignNode(pod: KubeObject, node: string, binding: KubeObject): void {
  const name = pod.metadata.name ?? '';
  const of = { group: '', resource: 'pods/binding' };
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw errors.conflict(of, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  const spec = isObject(pod['spec']) ? pod['spec'] : {};
  if (typeof spec['nodeName'] === 'string' && spec['nodeName'] !== '') {
    throw errors.conflict(of, name, `pod ${name} is already assigned to node ${JSON.stringify(spec['nodeName'])}`);
  }
  pod['spec'] = { ...spec, nodeName: node };
  const { annotations, labels } = binding.metadata;
  if (annotations !== undefined) pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
  if (labels !== undefined) pod.metadata.labels = { ...pod.metadata.labels, ...labels };
  const status = isObject(pod['status']) ? pod['status'] : {};
  const conditions = (Array.isArray(status['conditions']) ? status['conditions'] : []).filter(
    (c) => isObject(c) && c['type'] !== 'PodScheduled',
  );
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timestamp() };
  pod['status'] = { ...status, conditions: [...conditions, scheduled] };
}

async function finalize(
  deps: SubresourceDeps,
  context: Context,
  resource: Resource,
  path: ResourcePath,
): Promise<void> {
  if (context.method !== 'PUT') throw errors.methodNotAllowed();
  const body = await readBody(context.request);
  const wanted = JSON.stringify(decodeObject(context, resource, body, writeOptions(context.query, 'UpdateOptions')));
  const { object } = await deps.writer.update({
    ...request(context, resource, path, path.name),
    change: () => JSON.parse(wanted) as KubeObject,
    allowCreate: false,
    managed: false,
    retry: false,
    uid: undefined,
  });
  await sendJson(context, 200, object);
}
