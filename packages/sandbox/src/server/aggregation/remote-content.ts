/**
 * The objects of other servers, found through their discovery: the control plane lists and deletes them like local
 * ones.
 */
import type { User } from '../api/context.ts';
import { apiVersionOf } from '../api/resource.ts';
import type { RemoteKind, RemoteObjects } from '../../control-plane/controllers/remote-objects.ts';
import { isObject, type Json, type JsonObject, type KubeObject } from '../../values/json.ts';
import type { ApiAggregator } from './aggregator.ts';
import type { Fetched } from './extension-connection.ts';

const CONTROLLER: User = {
  name: 'system:kube-controller-manager',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
};
/** Requests only metadata from servers that support it. */
const LISTED = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

export function remoteContent(aggregator: ApiAggregator): RemoteObjects {
  const call = async (
    kind: RemoteKind,
    { method, key, ...rest }: { method: string; key: Key; accept?: string; type?: string; body?: JsonObject },
  ): Promise<Fetched> => {
    const api = aggregator.api(kind.group, kind.version);
    if (api === undefined) throw new Error(`${kind.plural}.${kind.group} is not served any more`);
    const { accept = 'application/json', type = 'application/json', body } = rest;
    const headers = { Accept: accept, ...(body === undefined ? {} : { 'Content-Type': type }) };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return api.call({ method, path: pathOf(kind, key), headers, ...text }, CONTROLLER);
  };
  return {
    kinds: () => preferred(allKinds(aggregator)),
    unknown: () =>
      aggregator
        .remoteVersions()
        .filter(({ stale }) => stale === true)
        .map(({ group, version }) => apiVersionOf(group, version)),
    kindOf: (apiVersion, name) =>
      allKinds(aggregator).find(
        ({ group, version, kind, verbs }) =>
          kind === name && apiVersionOf(group, version) === apiVersion && verbs.includes('get'),
      ),
    async list(kind, namespace) {
      const answer = await call(kind, { method: 'GET', key: { namespace }, accept: LISTED });
      const { items } = understood(answer, `cannot list ${kind.plural}.${kind.group}`);
      return (Array.isArray(items) ? items : []).filter(isObject).map((item) => item as KubeObject);
    },
    async find(kind, namespace, name) {
      const answer = await call(kind, { method: 'GET', key: { namespace, name } });
      if (answer.status === 404) return undefined;
      return understood(answer, `cannot get ${kind.plural}.${kind.group} "${namespace}/${name}"`) as KubeObject;
    },
    async deleteAll(kind, namespace) {
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
      const answer = await call(kind, { method: 'DELETE', key: { namespace }, body });
      understood(answer, `cannot delete ${kind.plural}.${kind.group} in "${namespace}"`);
    },
    async patch(kind, { metadata }, change) {
      const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
      const body = { metadata: { ...change, uid, resourceVersion } };
      const type = 'application/merge-patch+json';
      const answer = await call(kind, { method: 'PATCH', key: { namespace, name }, type, body });
      if (answer.status === 404 || answer.status === 409) return;
      understood(answer, `cannot patch ${kind.plural}.${kind.group} "${namespace}/${name}"`);
    },
    onWritten: (listener) => aggregator.onWritten(listener),
  };
}

interface Key {
  readonly namespace: string;
  readonly name?: string;
}

function pathOf({ group, version, plural, namespaced }: RemoteKind, { namespace, name }: Key): string {
  const scope = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const end = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `/apis/${group}/${version}${scope}/${plural}${end}`;
}

function understood({ status, body }: Fetched, what: string): JsonObject {
  const value = JSON.parse(body === '' ? '{}' : body) as Json;
  if (status < 300 && isObject(value)) return value;
  const why = isObject(value) && typeof value['message'] === 'string' ? value['message'] : `the answer is ${status}`;
  throw new Error(`${what}: ${why}`);
}

function allKinds(aggregator: ApiAggregator): readonly RemoteKind[] {
  return aggregator
    .remoteVersions()
    .toSorted((a, b) => b.versionPriority - a.versionPriority)
    .flatMap(({ group, version, resources = [] }) =>
      resources.map((resource) => ({
        group,
        version,
        kind: isObject(resource['responseKind']) ? String(resource['responseKind']['kind'] ?? '') : '',
        plural: String(resource['resource']),
        namespaced: resource['scope'] === 'Namespaced',
        verbs: Array.isArray(resource['verbs']) ? resource['verbs'].map(String) : [],
      })),
    );
}

/** The first version of each kind. */
function preferred(kinds: readonly RemoteKind[]): readonly RemoteKind[] {
  const found = new Map<string, RemoteKind>();
  for (const kind of kinds) {
    const name = `${kind.plural}.${kind.group}`;
    if (!found.has(name)) found.set(name, kind);
  }
  return [...found.values()];
}
