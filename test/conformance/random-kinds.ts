/** What random scripts write: the fields that they set for each kind, and the values to choose from. */
import { array, object } from './builders.ts';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';

export interface FieldChoice {
  readonly path: readonly string[];
  /** Values for a scalar field. */
  readonly values?: readonly Json[];
  /** Items for a list, of which some are chosen. */
  readonly items?: readonly Json[];
  /** The key of the items of a list map: a strategic patch deletes by it. */
  readonly key?: string;
}

export interface RandomKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly path: (namespace: string) => string;
  readonly fields: readonly FieldChoice[];
  /** Required fields of the kind. */
  readonly base: JsonObject;
  readonly status?: readonly FieldChoice[];
}

const metadata: readonly FieldChoice[] = [
  { path: ['metadata', 'labels', 'app'], values: ['web', 'db'] },
  { path: ['metadata', 'labels', 'tier'], values: ['front', 'back', 'Not Valid!'] },
  { path: ['metadata', 'annotations', 'note'], values: ['x', 'y'] },
  { path: ['metadata', 'finalizers'], items: ['example.com/a', 'example.com/b'] },
];
const texts = (path: string[], keys: string[], values: Json[] = ['1', '2', '3']): FieldChoice[] =>
  keys.map((key) => ({ path: [...path, key], values }));
const ports = [
  { name: 'http', port: 80 },
  { name: 'https', port: 443, targetPort: 8443 },
  { name: 'dns', port: 53, protocol: 'UDP' },
  { name: 'dns-tcp', port: 53 },
  { name: 'alt', port: 80, targetPort: 'web' },
];
const containers = [
  { name: 'main', image: 'app:1' },
  { name: 'main', image: 'app:2', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] },
  { name: 'main', env: [{ name: 'B', value: '2' }] },
  { name: 'side', image: 'side:1', resources: { limits: { cpu: '1' } } },
  {
    name: 'side',
    image: 'side:2',
    env: [
      { name: 'A', value: '3' },
      { name: 'C', value: '4' },
    ],
  },
];

export const randomGroup = 'random.conformance.example.com';

export const randomCrd: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${randomGroup}` },
  spec: {
    group: randomGroup,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: object({
            spec: object(
              {
                size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
                colour: { type: 'string', enum: ['red', 'green'] },
                tags: array({ type: 'string' }, { 'x-kubernetes-list-type': 'set' }),
                words: array({ type: 'string' }),
                ports: array(
                  object(
                    {
                      name: { type: 'string' },
                      port: { type: 'integer' },
                      protocol: { type: 'string', default: 'TCP' },
                    },
                    { required: ['name', 'protocol'] },
                  ),
                  { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'protocol'] },
                ),
                options: { type: 'object', additionalProperties: { type: 'string' } },
                sealed: object(
                  { a: { type: 'string' }, b: { type: 'integer' } },
                  { 'x-kubernetes-map-type': 'atomic' },
                ),
                nested: object({
                  on: { type: 'boolean', default: false },
                  inner: object({ depth: { type: 'integer' }, name: { type: 'string' } }),
                }),
                limit: { 'x-kubernetes-int-or-string': true },
                free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
              {
                'x-kubernetes-validations': [
                  {
                    rule: '!has(self.sealed) || !has(self.sealed.b) || self.sealed.b <= self.size',
                    message: 'b must not be above size',
                  },
                ],
              },
            ),
            status: object({
              phase: { type: 'string' },
              count: { type: 'integer' },
              conditions: array(
                object({ type: { type: 'string' }, status: { type: 'string' } }, { required: ['type'] }),
                { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
              ),
            }),
          }),
        },
      },
    ],
  },
};

export const randomKinds: readonly RandomKind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    path: (ns) => `/api/v1/namespaces/${ns}/configmaps`,
    base: {},
    fields: [
      ...metadata,
      ...texts(['data'], ['k', 'l', 'm']),
      { path: ['data', 'n'], values: ['1', 5] },
      { path: ['binaryData', 'b'], values: ['AAE=', 'AAI='] },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    path: (ns) => `/api/v1/namespaces/${ns}/secrets`,
    base: {},
    fields: [
      ...metadata,
      ...texts(['data'], ['k', 'l'], ['YQ==', 'Yg==', '%']),
      ...texts(['stringData'], ['k', 's'], ['plain', 'text']),
      { path: ['type'], values: ['Opaque', 'Opaque', 'Opaque', 'example.com/own'] },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    plural: 'services',
    path: (ns) => `/api/v1/namespaces/${ns}/services`,
    base: { spec: { ports: [{ name: 'http', port: 80 }] } },
    fields: [
      ...metadata,
      { path: ['spec', 'ports'], items: ports, key: 'port' },
      ...texts(['spec', 'selector'], ['app', 'tier'], ['web', 'db']),
      { path: ['spec', 'sessionAffinity'], values: ['None', 'ClientIP', 'Sometimes'] },
      { path: ['spec', 'publishNotReadyAddresses'], values: [true, false] },
    ],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    plural: 'deployments',
    path: (ns) => `/apis/apps/v1/namespaces/${ns}/deployments`,
    base: {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'app:0' }] } },
      },
    },
    fields: [
      ...metadata,
      { path: ['spec', 'replicas'], values: [0, 1, 2, -1] },
      { path: ['spec', 'paused'], values: [true, false] },
      { path: ['spec', 'strategy', 'type'], values: ['RollingUpdate', 'RollingUpdate', 'Recreate'] },
      { path: ['spec', 'template', 'metadata', 'labels', 'extra'], values: ['1', '2'] },
      { path: ['spec', 'template', 'spec', 'containers'], items: containers, key: 'name' },
      { path: ['spec', 'template', 'spec', 'nodeSelector', 'zone'], values: ['a', 'b'] },
      {
        path: ['spec', 'template', 'spec', 'tolerations'],
        items: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Equal', value: 'c', effect: 'NoSchedule' },
        ],
      },
    ],
  },
  {
    apiVersion: `${randomGroup}/v1`,
    kind: 'Widget',
    plural: 'widgets',
    path: (ns) => `/apis/${randomGroup}/v1/namespaces/${ns}/widgets`,
    base: {},
    fields: [
      ...metadata,
      { path: ['spec', 'size'], values: [1, 2, 5, 11, 'big'] },
      { path: ['spec', 'colour'], values: ['red', 'green', 'green', 'pink'] },
      { path: ['spec', 'tags'], items: ['a', 'b', 'c', 'd'] },
      { path: ['spec', 'words'], items: ['x', 'y', 'x'] },
      {
        path: ['spec', 'ports'],
        items: [{ name: 'a', port: 1 }, { name: 'b', port: 2 }, { name: 'a', port: 3, protocol: 'UDP' }, { name: 'c' }],
        key: 'name',
      },
      ...texts(['spec', 'options'], ['o', 'p']),
      { path: ['spec', 'sealed'], values: [{ a: 'x' }, { b: 2 }, { a: 'y', b: 1 }] },
      { path: ['spec', 'nested', 'on'], values: [true, false] },
      { path: ['spec', 'nested', 'inner', 'depth'], values: [1, 2] },
      { path: ['spec', 'limit'], values: [5, '50%', '50%'] },
      { path: ['spec', 'free', 'any'], values: [1, [1, 2], { deep: true }] },
      { path: ['spec', 'unknown'], values: [1, 'x'] },
    ],
    status: [
      { path: ['status', 'phase'], values: ['Up', 'Down'] },
      { path: ['status', 'count'], values: [1, 2, 'many'] },
      {
        path: ['status', 'conditions'],
        items: [
          { type: 'Ready', status: 'True' },
          { type: 'Ready', status: 'False' },
          { type: 'Synced', status: 'True' },
        ],
      },
    ],
  },
];
