/** The operations of a resource and its subresources, from which the paths of both OpenAPI versions are built. */
import { answersDeleted, isCustom } from '../discovery/served-resource.ts';
import type { ServedResource, ServedSubresource } from '../discovery/served-resource.ts';
import { groupVersionPath, listModelName, meta, modelName, operationId, tag } from './names.ts';
import { parametersOf } from './parameters.ts';
import type { Action, Parameter } from './parameters.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Route {
  readonly path: string;
  readonly method: Method;
  readonly action: Action;
  readonly tag: string;
  readonly operationId: string;
  readonly description: string;
  readonly kind: GroupVersionKind;
  readonly custom: boolean;
  readonly parameters: readonly Parameter[];
  /** The definition of the request's body, if there is one. */
  readonly reads?: string;
  readonly writes: string;
  readonly codes: readonly number[];
}

interface ActionRow {
  readonly method: Method;
  /** The corresponding verb in discovery. */
  readonly verb: string;
  readonly operation: string;
  readonly codes: readonly number[];
}

const rows: { readonly [action in Action]: ActionRow } = {
  list: { method: 'get', verb: 'list', operation: 'list', codes: [200] },
  post: { method: 'post', verb: 'create', operation: 'create', codes: [200, 201, 202] },
  deletecollection: { method: 'delete', verb: 'deletecollection', operation: 'delete', codes: [200] },
  get: { method: 'get', verb: 'get', operation: 'read', codes: [200] },
  put: { method: 'put', verb: 'update', operation: 'replace', codes: [200, 201] },
  delete: { method: 'delete', verb: 'delete', operation: 'delete', codes: [200, 202] },
  patch: { method: 'patch', verb: 'patch', operation: 'patch', codes: [200, 201] },
};
const collectionActions: readonly Action[] = ['list', 'post', 'deletecollection'];
const itemActions: readonly Action[] = ['get', 'put', 'delete', 'patch'];

export function routesOf(resource: ServedResource): Route[] {
  const root = groupVersionPath(resource.group, resource.version);
  const scope = resource.namespaced ? 'Namespaced' : '';
  const collection = `${root}${resource.namespaced ? '/namespaces/{namespace}' : ''}/${resource.name}`;
  const routes: Route[] = [];
  const add = (path: string, action: Action, rest: string, subresource?: ServedSubresource): void => {
    const verbs = subresource?.verbs ?? resource.verbs;
    if (verbs.includes(rows[action].verb)) routes.push(route(resource, path, action, rest, subresource));
  };
  if (resource.namespaced) add(`${root}/${resource.name}`, 'list', `${resource.kind}ForAllNamespaces`);
  for (const action of collectionActions) {
    add(collection, action, `${action === 'deletecollection' ? 'Collection' : ''}${scope}${resource.kind}`);
  }
  for (const action of itemActions) add(`${collection}/{name}`, action, `${scope}${resource.kind}`);
  for (const subresource of resource.subresources ?? []) {
    const rest = `${scope}${resource.kind}${subresource.name.charAt(0).toUpperCase()}${subresource.name.slice(1)}`;
    for (const action of ['post', ...itemActions] as const) {
      add(`${collection}/{name}/${subresource.name}`, action, rest, subresource);
    }
  }
  return routes;
}

function route(resource: ServedResource, path: string, action: Action, rest: string, sub?: ServedSubresource): Route {
  const custom = isCustom(resource);
  const { method, operation, codes } = rows[action];
  const own = sub === undefined ? modelName(resource) : subresourceModel(resource, sub);
  const reads = requestModel(action, own, custom);
  return {
    path,
    method,
    action,
    tag: tag(resource.group, resource.version),
    operationId: operationId(operation, resource.group, resource.version, rest),
    description: describe(action, resource.kind, custom, sub?.name),
    kind: kindOf(resource, custom ? undefined : sub),
    custom,
    parameters: parametersOf(action, path, custom),
    ...(reads === undefined ? {} : { reads }),
    writes: responseModel(action, resource, own),
    codes: custom && action === 'patch' ? [200] : codes,
  };
}

function kindOf({ group, version, kind }: ServedResource, subresource?: ServedSubresource): GroupVersionKind {
  return {
    group: subresource?.group ?? group,
    version: subresource?.version ?? version,
    kind: subresource?.kind ?? kind,
  };
}

/** The kind of a subresource is either the resource's own or belongs to one of Kubernetes' API packages. */
function subresourceModel(resource: ServedResource, { kind, group, version }: ServedSubresource): string {
  if (kind === resource.kind) return modelName(resource);
  const { group: owner, version: ownVersion } = {
    group: group ?? resource.group,
    version: version ?? resource.version,
  };
  return `io.k8s.api.${owner === '' ? 'core' : owner.replace(/\.k8s\.io$/, '')}.${ownVersion}.${kind}`;
}

function requestModel(action: Action, own: string, custom: boolean): string | undefined {
  if (action === 'post' || action === 'put') return own;
  if (action === 'patch') return `${meta}.Patch`;
  return action === 'delete' || (action === 'deletecollection' && !custom) ? `${meta}.DeleteOptions` : undefined;
}

function responseModel(action: Action, resource: ServedResource, own: string): string {
  if (action === 'list') return listModelName(resource);
  if (action === 'delete' && !isCustom(resource) && answersDeleted.has(resource.name)) return own;
  return action === 'delete' || action === 'deletecollection' ? `${meta}.Status` : own;
}

function describe(action: Action, kind: string, custom: boolean, subresource?: string): string {
  const of = subresource === undefined ? '' : ` ${subresource} of`;
  const one = `${article(kind)}${kind}`;
  const texts: { readonly [action in Action]: string } = {
    list: `${custom ? 'list' : 'list or watch'} objects of kind ${kind}`,
    post: `create${of} ${one}`,
    deletecollection: `delete collection of ${kind}`,
    get: `read${of} the specified ${kind}`,
    put: `replace${of} the specified ${kind}`,
    delete: `delete ${one}`,
    patch: `partially update${of} the specified ${kind}`,
  };
  return texts[action];
}

/** Empty before a plural such as Endpoints. */
function article(kind: string): string {
  if (/[^s]s$/.test(kind)) return '';
  return /^[aeiou]/i.test(kind) ? 'an ' : 'a ';
}
