/** Which webhooks apply to a request, and in which version of the resource each is called. */
import type { Registry } from '../../../server/api/registry.ts';
import type { Resource } from '../../../server/api/resource.ts';
import { errors } from '../../../server/api/status.ts';
import type { KubeObject } from '../../../values/json.ts';
import { selectorMatches } from '../../../objects/kinds/values/selector.ts';
import type { Store } from '../../../store/store.ts';
import type { AdmissionRequest } from '../admission.ts';
import { stored } from '../stored.ts';
import type { Rule, Webhook } from './webhook-configurations.ts';

const EXEMPT_GROUP = 'admissionregistration.k8s.io';

/** Webhooks are never called for webhook configurations: otherwise a broken one could not be removed. */
export const isExempt = (request: AdmissionRequest): boolean => request.resource.group === EXEMPT_GROUP;

/**
 * The version of the resource with which the webhook is called; undefined when it is not called. Match conditions are
 * not evaluated here.
 */
export function matchWebhook(
  webhook: Webhook,
  request: AdmissionRequest,
  registry: Registry,
  store: Store,
): Resource | undefined {
  const wanted = matchRules(webhook, request, registry);
  if (wanted === undefined || !matchesObject(webhook, request)) return undefined;
  return matchesNamespace(webhook, request, store) ? wanted : undefined;
}

function matchRules(webhook: Webhook, request: AdmissionRequest, registry: Registry): Resource | undefined {
  const { resource } = request;
  if (webhook.rules.some((rule) => matchesRule(rule, request, resource))) return resource;
  if (!webhook.equivalent) return undefined;
  const others = equivalents(request, registry);
  for (const rule of webhook.rules) {
    const found = others.find((other) => matchesRule(rule, request, other));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The other versions in which the same object is served. */
function equivalents({ resource, subresource }: AdmissionRequest, registry: Registry): Resource[] {
  const others = versionsOf(resource, registry);
  return subresource === ''
    ? others
    : others.filter((other) => other.subresources.some(({ name }) => name === subresource));
}

/** Needed for every write that a webhook does not match directly; constant until the registry changes. */
const known = new WeakMap<Registry, Map<Resource, Resource[]>>();

function versionsOf(resource: Resource, registry: Registry): Resource[] {
  let versions = known.get(registry);
  if (versions === undefined) {
    const made = (versions = new Map<Resource, Resource[]>());
    known.set(registry, made);
    registry.onChange(() => made.clear());
  }
  let others = versions.get(resource);
  if (others === undefined) {
    others = registry
      .all()
      .filter((other) => other.table === resource.table && other.apiVersion !== resource.apiVersion);
    versions.set(resource, others);
  }
  return others;
}

function matchesRule(rule: Rule, request: AdmissionRequest, resource: Resource): boolean {
  const has = (list: readonly string[], item: string): boolean => list.includes('*') || list.includes(item);
  return (
    matchesScope(rule.scope, request, resource) &&
    has(rule.operations, request.operation) &&
    has(rule.groups, resource.group) &&
    has(rule.versions, resource.version) &&
    rule.resources.some(
      (of) => ['*', resource.plural].includes(of.resource) && ['*', request.subresource].includes(of.subresource),
    )
  );
}

function matchesScope(scope: string, request: AdmissionRequest, resource: Resource): boolean {
  if (scope === '*') return true;
  const clusterWide = request.namespace === '' || isNamespaces(resource);
  return scope === 'Cluster' ? clusterWide : !clusterWide;
}

const isNamespaces = (resource: Resource): boolean => resource.group === '' && resource.plural === 'namespaces';

function matchesObject({ objectSelector }: Webhook, { object, oldObject }: AdmissionRequest): boolean {
  const matches = (of: KubeObject | undefined): boolean =>
    of !== undefined && selectorMatches(objectSelector, of.metadata.labels ?? {});
  return objectSelector === undefined || matches(object) || matches(oldObject);
}

function matchesNamespace({ namespaceSelector }: Webhook, request: AdmissionRequest, store: Store): boolean {
  const { namespace, resource, operation, object } = request;
  if (namespaceSelector === undefined) return true;
  if (namespace === '' && resource.plural !== 'namespaces') return true;
  const itself =
    resource.plural === 'namespaces' &&
    request.subresource === '' &&
    (operation === 'CREATE' || operation === 'UPDATE');
  const of = itself ? object : stored(store, '/namespaces', '', namespace);
  if (of === undefined) throw errors.notFound({ group: '', resource: 'namespaces' }, namespace);
  return selectorMatches(namespaceSelector, of.metadata.labels ?? {});
}
