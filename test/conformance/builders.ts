/** The objects that the cases use. */
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';

export const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
export const core = (namespace: string, resource: string): string => `/api/v1/namespaces/${namespace}/${resource}`;

export function configMap(name: string, data: { [key: string]: string } = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], ...spec },
  };
}

export interface CrdOptions {
  readonly schema?: JsonObject;
  /** More fields of the version: subresources, additionalPrinterColumns, selectableFields. */
  readonly version?: JsonObject;
  /** More fields of the spec: several versions, preserveUnknownFields. */
  readonly spec?: JsonObject;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly plural?: string;
  readonly kind?: string;
}

/** A definition of widgets.TOKEN.example.com/v1, by default with an open spec and a status subresource. */
export function crd(token: string, options: CrdOptions = {}): JsonObject {
  const { scope = 'Namespaced', plural = 'widgets', kind = 'Widget' } = options;
  const group = groupOf(token);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: options.schema ?? widgetSchema },
          subresources: { status: {} },
          ...options.version,
        },
      ],
      ...options.spec,
    },
  };
}

export const groupOf = (token: string): string => `${token}.example.com`;
export const widgets = (token: string, namespace: string, version = 'v1', plural = 'widgets'): string =>
  `/apis/${groupOf(token)}/${version}/namespaces/${namespace}/${plural}`;

export function widget(token: string, name: string, rest: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: `${groupOf(token)}/v1`, kind: 'Widget', metadata: { name, ...metadata }, ...rest };
}

export const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...rest,
});
export const array = (items: Json, rest: JsonObject = {}): JsonObject => ({ type: 'array', items, ...rest });

/** One field of each type that a structural schema knows. */
export const widgetSchema: JsonObject = object({
  spec: object({
    size: { type: 'integer', minimum: 1, maximum: 100, default: 3 },
    colour: { type: 'string', enum: ['red', 'green', 'blue'] },
    name: { type: 'string', maxLength: 12, pattern: '^[a-z]*$' },
    limit: { 'x-kubernetes-int-or-string': true },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    tags: array({ type: 'string' }, { 'x-kubernetes-list-type': 'set' }),
    words: array({ type: 'string' }),
    ports: array(
      object(
        { name: { type: 'string' }, port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
        { required: ['name'] },
      ),
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ),
    options: { type: 'object', additionalProperties: { type: 'string' } },
    sealed: object({ a: { type: 'string' }, b: { type: 'string' } }, { 'x-kubernetes-map-type': 'atomic' }),
    nested: object({ on: { type: 'boolean', default: false }, depth: { type: 'integer' } }, { default: {} }),
  }),
  status: object({
    phase: { type: 'string' },
    replicas: { type: 'integer' },
    conditions: array(
      object(
        { type: { type: 'string' }, status: { type: 'string' }, reason: { type: 'string' } },
        { required: ['type'] },
      ),
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
    ),
  }),
});
