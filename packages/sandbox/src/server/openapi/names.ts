/** The names of definitions, operations and tags in Kubernetes' OpenAPI documents. */
import { isCustom } from '../discovery/served-resource.ts';
import type { ServedResource } from '../discovery/served-resource.ts';

export const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** `example.com`, `v1` and `Foo` become `com.example.v1.Foo`. */
function customModelName(group: string, version: string, kind: string): string {
  return [...group.split('.').toReversed(), version, kind].join('.');
}

export function modelName(resource: ServedResource): string {
  return resource.definition ?? customModelName(resource.group, resource.version, resource.kind);
}

export function listKind(resource: ServedResource): string {
  return resource.listKind ?? `${resource.kind}List`;
}

export function listModelName(resource: ServedResource): string {
  if (isCustom(resource)) return customModelName(resource.group, resource.version, listKind(resource));
  return `${modelName(resource)}List`;
}

/** `/api/v1` or `/apis/GROUP/VERSION`. */
export function groupVersionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** For example `core_v1` or `shopExampleCom_v1`. */
export function tag(group: string, version: string): string {
  return `${camelCase(shortGroup(group), false)}_${camelCase(version, false)}`;
}

/**
 * For example `readShopExampleComV1NamespacedWidgetStatus`, for the verb `read` and the rest `NamespacedWidgetStatus`.
 */
export function operationId(verb: string, group: string, version: string, rest: string): string {
  return verb + camelCase(shortGroup(group), true) + camelCase(version, true) + camelCase(rest, true);
}

function shortGroup(group: string): string {
  return group === '' ? 'core' : group.replace(/\.k8s\.io$/, '');
}

/** Removes characters that are not allowed in an identifier and capitalizes the letter after them. */
function camelCase(text: string, raiseFirst: boolean): string {
  const words = text.split(/[^\p{L}\p{Nd}_]+/u).filter((word) => word !== '');
  return words.map((word, i) => (i > 0 || raiseFirst ? word.charAt(0).toUpperCase() + word.slice(1) : word)).join('');
}
