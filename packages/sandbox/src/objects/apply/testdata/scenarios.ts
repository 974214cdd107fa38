/**
 * Histories of objects. `record.ts` plays them on a real kube-apiserver, and `observed.test.ts` on this implementation.
 */
import type { JsonObject } from '../../../values/json.ts';

export interface Step {
  readonly verb: 'create' | 'put' | 'patch' | 'apply';
  readonly manager: string;
  readonly body: JsonObject;
  readonly subresource?: string;
  readonly force?: boolean;
  /** Paths that the server fills in after ownership is computed. */
  readonly allocated?: readonly string[];
}

export interface Scenario {
  readonly name: string;
  /** The plural of a built-in kind, or `widgets`. */
  readonly resource: string;
  readonly steps: readonly Step[];
}

const create = (manager: string, body: JsonObject, rest: Partial<Step> = {}): Step => ({
  verb: 'create',
  manager,
  body,
  ...rest,
});
const patch = (manager: string, body: JsonObject, rest: Partial<Step> = {}): Step => ({
  verb: 'patch',
  manager,
  body,
  ...rest,
});
const apply = (manager: string, body: JsonObject, rest: Partial<Step> = {}): Step => ({
  verb: 'apply',
  manager,
  body,
  ...rest,
});
const forced = { force: true };
const status = { subresource: 'status' };

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const configMaps: Scenario[] = [
  {
    name: 'a created ConfigMap is owned by its creator',
    resource: 'configmaps',
    steps: [create('creator', { metadata: { labels: { a: '1' }, annotations: { b: '2' } }, data: { x: '1', y: '2' } })],
  },
  {
    name: 'an applied ConfigMap is owned key by key',
    resource: 'configmaps',
    steps: [
      apply('one', { data: { x: '1', y: '2' } }),
      apply('one', { data: { x: '1', y: '2' } }),
      apply('two', { data: { z: '3' } }),
      apply('two', { data: { z: '3', x: '1' } }),
      apply('two', { data: { z: '3', x: '2' } }),
      apply('two', { data: { z: '3', x: '2' } }, forced),
      apply('one', { data: { y: '2' } }),
      apply('one', {}),
      apply('two', { data: { z: '3' } }),
    ],
  },
  {
    name: 'an update takes fields from an applier',
    resource: 'configmaps',
    steps: [
      apply('one', { data: { x: '1', y: '2' } }),
      patch('editor', { data: { x: '9' } }),
      apply('one', { data: { x: '1', y: '2' } }),
      apply('one', { data: { x: '1', y: '2' } }, forced),
      patch('editor', { data: { y: null } }),
      patch('editor', { data: null }),
    ],
  },
  {
    name: 'an update of an object that was never applied is tracked',
    resource: 'configmaps',
    steps: [
      create('creator', { data: { x: '1' } }),
      patch('editor', { data: { x: '2', y: '3' }, metadata: { labels: { l: 'v' } } }),
      patch('editor', { data: { x: '2' } }),
      patch('', { data: { w: '2' } }),
      apply('applier', { data: { x: '5' } }),
      apply('applier', { data: { v: '5' } }),
    ],
  },
  {
    name: 'an empty list of managedFields forgets ownership until the next apply',
    resource: 'configmaps',
    steps: [
      create('creator', { data: { x: '1' } }),
      patch('resetter', { metadata: { managedFields: [] } }),
      patch('editor', { data: { y: '1' } }),
      apply('applier', { data: { z: '1' } }),
      apply('applier', { data: { x: '2' } }),
      patch('resetter', { metadata: { managedFields: [{}] } }),
    ],
  },
  {
    name: 'valid managedFields in a body are taken over, invalid ones are not',
    resource: 'configmaps',
    steps: [
      create('creator', { data: { x: '1', y: '1' } }),
      patch('cheat', {
        metadata: {
          managedFields: [
            {
              manager: 'somebody',
              operation: 'Apply',
              apiVersion: 'v1',
              time: '2020-01-02T03:04:05Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { 'f:y': {}, '.': {}, 'f:x': {} } },
            },
          ],
        },
      }),
      patch('cheat', {
        metadata: { managedFields: [{ manager: 'x', operation: 'Get', apiVersion: 'v1', fieldsType: 'FieldsV1' }] },
      }),
      patch('cheat', { metadata: { managedFields: [{ manager: 'x', operation: 'Update', apiVersion: 'v1' }] } }),
      patch('cheat', {
        metadata: {
          managedFields: [
            { manager: 'y', operation: 'Update', apiVersion: 'v2', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } },
          ],
        },
      }),
    ],
  },
  {
    name: 'an entry of an apiVersion that does not exist is dropped on the next change',
    resource: 'configmaps',
    steps: [
      create('creator', {
        data: { x: '1' },
        metadata: {
          managedFields: [
            {
              manager: 'old',
              operation: 'Update',
              apiVersion: 'v0',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { 'f:x': {} } },
            },
          ],
        },
      }),
      apply('one', { data: { z: '1' } }),
    ],
  },
  {
    name: 'the eleventh updater makes the oldest ancient',
    resource: 'configmaps',
    steps: [
      create('m00', { data: { x: '1' } }),
      ...Array.from({ length: 12 }, (_, i) =>
        patch(`m${String(i + 1).padStart(2, '0')}`, { data: { [`k${i}`]: '1' } }),
      ),
    ],
  },
  {
    name: 'kubectl takes over what it applied from the client side',
    resource: 'configmaps',
    steps: [
      create('kubectl-client-side-apply', {
        metadata: {
          annotations: {
            [LAST_APPLIED]:
              '{"apiVersion":"v1","data":{"x":"1","y":"2"},"kind":"ConfigMap","metadata":{"name":"NAME","namespace":"default"}}\n',
          },
        },
        data: { x: '1', y: '2' },
      }),
      patch('editor', { data: { y: '3' } }),
      apply('kubectl', { data: { x: '5', y: '6' } }),
      apply('kubectl', { data: { x: '5' } }),
      apply('kubectl', { data: { x: '5', '<&>': 'ü' }, metadata: { labels: { l: 'v' } } }),
    ],
  },
  {
    name: 'metadata is owned in parts, names and versions are not',
    resource: 'configmaps',
    steps: [
      apply('one', {
        metadata: {
          labels: { a: '1' },
          annotations: { b: '1' },
          finalizers: ['example.test/b', 'example.test/a'],
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '1' }],
        },
      }),
      apply('two', { metadata: { finalizers: ['example.test/c', 'example.test/a'], labels: { c: '1' } } }),
      apply('one', { metadata: { finalizers: ['example.test/b'] } }),
      patch('three', { metadata: { finalizers: null } }),
      apply('four', {}),
      apply('four', { metadata: { labels: {} } }),
    ],
  },
  {
    name: 'bodies that are refused',
    resource: 'configmaps',
    steps: [
      apply('one', { data: { x: '1' }, foo: 1 }),
      apply('one', { data: { x: 1 } }),
      apply('one', { data: 'x' }),
      apply('one', { data: ['x'] }),
      apply('one', { immutable: 'yes' }),
      apply('one', { data: { x: { y: 1 } } }),
      apply('one', { kind: 'Secret' }),
      apply('one', { apiVersion: 'v2' }),
      apply('one', { apiVersion: 'apps/v1' }),
      apply('one', { metadata: { managedFields: [] } }),
      apply('one', { metadata: { managedFields: null } }),
      apply('one', { metadata: { finalizers: ['example.test/a', 'example.test/a'] } }),
      apply('one', { metadata: { finalizers: [null] } }),
      apply('one', { metadata: { ownerReferences: [{ name: 'a' }] } }),
      apply('one', { data: { x: 1000000 }, metadata: { labels: { a: true } } }),
    ],
  },
  {
    name: 'applying nulls and empty maps',
    resource: 'configmaps',
    steps: [
      apply('one', { data: { x: '1' } }),
      apply('two', { data: {} }),
      apply('one', { data: {} }),
      apply('three', { data: null }),
      apply('four', { data: { x: null } }),
      apply('one', { data: { x: '1', y: '2' }, binaryData: {} }),
      apply('one', { data: { x: null, y: '2' } }),
    ],
  },
];

const clusterIp = { allocated: ['spec.clusterIP', 'spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy'] };

const builtins: Scenario[] = [
  {
    name: 'ports of a Service are keyed by port and protocol, which has a default',
    resource: 'services',
    steps: [
      apply('one', { spec: { selector: { a: 'b' }, ports: [{ port: 80, name: 'http' }] } }),
      apply('one', { spec: { selector: { a: 'b' }, ports: [{ port: 80, protocol: 'TCP', name: 'http' }] } }),
      apply('two', {
        spec: {
          ports: [
            { port: 53, protocol: 'UDP', name: 'dns' },
            { port: 443, name: 'https', targetPort: 'web' },
          ],
        },
      }),
      apply('three', { spec: { ports: [{ port: 80, name: 'www' }] } }),
      apply('three', { spec: { ports: [{ port: 80, name: 'www' }] } }, forced),
      apply('one', { spec: { selector: { a: 'b' } } }),
      apply('two', {
        spec: {
          ports: [
            { port: 443, name: 'https', targetPort: 'web' },
            { port: 8443, name: 'more' },
          ],
        },
      }),
      apply('four', {
        spec: {
          ports: [
            { port: 9000, name: 'a' },
            { port: 9000, protocol: 'TCP', name: 'b' },
          ],
        },
      }),
      apply('four', { spec: { ports: [{ name: 'a' }] } }),
      apply('four', { spec: { ports: [] } }),
      patch('editor', { spec: { selector: { c: 'd' } } }),
      apply('one', { spec: { selector: { a: 'c' } } }),
      patch('editor', { status: { loadBalancer: { ingress: [{ ip: '10.1.1.1' }] } } }, status),
    ],
  },
  {
    name: 'a created Service',
    resource: 'services',
    steps: [
      create(
        'creator',
        {
          spec: {
            selector: { a: 'b' },
            ports: [{ port: 80 }, { port: 443, name: 'https', targetPort: 'web' }].map((p) => ({ name: 'http', ...p })),
          },
        },
        clusterIp,
      ),
    ],
  },
  {
    name: 'a Deployment that several managers share',
    resource: 'deployments',
    steps: [
      apply('one', deployment({ replicas: 1 })),
      patch('scaler', { spec: { replicas: 3 } }),
      apply('one', deployment({ replicas: 1 })),
      apply('one', deployment({})),
      patch(
        'controller',
        { status: { replicas: 3, observedGeneration: 1, conditions: [condition('Available', 'True')] } },
        status,
      ),
      patch('controller', { status: { replicas: 2 } }, status),
      apply('observer', { status: { conditions: [condition('Progressing', 'False')] } }, status),
      apply('observer', { status: { conditions: [condition('Available', 'False')] }, spec: { replicas: 7 } }, status),
      apply('sidecars', {
        spec: {
          template: {
            spec: {
              containers: [
                {
                  name: 'side',
                  image: 'side:1',
                  env: [
                    { name: 'B', value: '2' },
                    { name: 'A', value: '1' },
                  ],
                  args: ['a'],
                },
              ],
            },
          },
        },
      }),
      apply('sidecars', {
        spec: {
          template: { spec: { containers: [{ name: 'side', image: 'side:1', env: [{ name: 'A', value: '1' }] }] } },
        },
      }),
      apply('sidecars', { spec: { template: { spec: { containers: [{ name: 'main', image: 'other:1' }] } } } }),
      apply('sidecars', { spec: { template: { metadata: { labels: { extra: 'x' } } } } }),
      apply('sidecars', { spec: { selector: { matchLabels: { app: 'b' } } } }),
      apply('sidecars', { status: { replicas: 9 } }),
      apply('sidecars', { spec: { template: { spec: { containers: [{ image: 'no-name' }] } } } }),
      apply('sidecars', {
        spec: { template: { spec: { containers: [{ name: 'x', image: 'x', imagee: 'y' }] } } },
      }),
      apply('one', { metadata: { labels: { only: 'this' } } }),
    ],
  },
  {
    name: 'a created Deployment is owned with its defaults',
    resource: 'deployments',
    steps: [
      create('creator', deployment({ replicas: 2 })),
      patch('editor', { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } }),
    ],
  },
  {
    name: 'a created Pod with volumes, ports and resources',
    resource: 'pods',
    steps: [
      create(
        'creator',
        {
          metadata: { labels: { a: 'b' } },
          spec: {
            automountServiceAccountToken: false,
            tolerations: [{ key: 'a', operator: 'Exists' }],
            nodeSelector: { x: 'y' },
            volumes: [
              { name: 'v', emptyDir: {} },
              { name: 'c', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
            ],
            containers: [
              {
                name: 'main',
                image: 'main:1',
                ports: [{ containerPort: 80 }, { containerPort: 8080, protocol: 'UDP' }],
                resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } },
                volumeMounts: [{ name: 'v', mountPath: '/v' }],
                livenessProbe: { httpGet: { path: '/', port: 80 } },
              },
            ],
          },
        },
        { allocated: ['status', 'spec.priority', 'spec.preemptionPolicy'] },
      ),
      patch(
        'kubelet',
        {
          status: {
            phase: 'Running',
            podIPs: [{ ip: '10.0.0.1' }],
            podIP: '10.0.0.1',
            conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }],
          },
        },
        status,
      ),
      apply('applier', { metadata: { labels: { a: 'c' } }, spec: { containers: [{ name: 'main', image: 'main:2' }] } }),
    ],
  },
  {
    name: 'a Secret with stringData',
    resource: 'secrets',
    steps: [
      apply('one', { stringData: { a: 'b' } }),
      apply('one', { data: { a: 'Yg==' } }),
      apply('two', { type: 'Opaque', data: { c: 'Yg==' } }),
    ],
  },
];

function deployment(spec: JsonObject): JsonObject {
  return {
    metadata: { labels: { app: 'a' } },
    spec: {
      ...spec,
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: {
          containers: [
            { name: 'main', image: 'main:1', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] },
          ],
        },
      },
    },
  };
}

function condition(type: string, value: string): JsonObject {
  return {
    type,
    status: value,
    reason: 'Because',
    message: 'it is so',
    lastUpdateTime: '2024-01-01T00:00:00Z',
    lastTransitionTime: '2024-01-01T00:00:00Z',
  };
}

const port = (number: number, rest: JsonObject = {}): JsonObject => ({ port: number, ...rest });

const widgets: Scenario[] = [
  {
    name: 'a created custom resource',
    resource: 'widgets',
    steps: [
      create('creator', {
        spec: {
          replicas: 1,
          ports: [port(80), port(53, { protocol: 'UDP', tags: ['b', 'a'] })],
          tags: ['z', 'a', 'b c'],
          sizes: [10, 9, 1.5],
          args: ['x', 'y'],
          labels: { a: '1', 'b.c/d': '2' },
          selector: { matchLabels: { a: 'b' } },
          nested: { a: 'x', deep: { x: 1 } },
          resources: { cpu: { limit: 1 }, memory: { limit: '1Gi' } },
          anything: { list: [1, { a: 1 }], map: { a: { b: 1 } } },
          target: 'web',
        },
      }),
      patch('editor', { spec: { tags: ['a'], labels: { a: null, e: 'f' }, nested: { deep: { y: 2 } }, args: ['x'] } }),
      patch('editor', {
        spec: {
          nested: null,
          ports: [port(53, { protocol: 'UDP', name: 'n' })],
          selector: null,
          anything: { map: { a: { c: 2 } } },
        },
      }),
      patch('editor', { spec: { ports: [], tags: null, target: 80, sizes: [9] } }),
    ],
  },
  {
    name: 'keyed lists, sets and atomic lists of a custom resource are applied by their types',
    resource: 'widgets',
    steps: [
      apply('one', {
        spec: { ports: [port(80, { name: 'http' }), port(443)], tags: ['a', 'b'], args: ['x'], steps: [{ name: 's' }] },
      }),
      apply('two', { spec: { ports: [port(8080), port(443, { tags: ['t'] }), port(80)], tags: ['c', 'b', 'a'] } }),
      apply('two', { spec: { args: ['y'] } }),
      apply('two', { spec: { args: ['x'] } }),
      apply('two', { spec: { args: ['y'], steps: [{ name: 't' }] } }, forced),
      apply('one', { spec: { ports: [port(443)], tags: ['b'] } }),
      apply('one', { spec: { ports: [], tags: [], args: [] } }),
      apply('one', { spec: {} }),
      apply('three', { spec: { ports: [port(1), port(1, { protocol: 'TCP' })] } }),
      apply('three', { spec: { tags: ['x', 'x'] } }),
      apply('three', { spec: { ports: [{ name: 'x' }, { port: 'y' }] } }),
      apply('three', { spec: { ports: ['x'] } }),
      apply('three', { spec: { ports: [null] } }),
      apply('three', { spec: { tags: [{ a: 1 }] } }),
      apply('three', { spec: { tags: [['a']] } }),
      apply('three', { spec: { unknown: 1 } }),
      apply('three', { spec: { replicas: 'x' } }),
      apply('three', { spec: { paused: 'x' } }),
      apply('three', { spec: { name: 1 } }),
      apply('three', { spec: { name: ['a', { b: 1.5, c: null }] } }),
      apply('three', { spec: { ports: { a: 1 } } }),
      apply('three', { spec: { nested: [1] } }),
      apply('three', { spec: { target: { a: 1 } } }),
    ],
  },
  {
    name: 'granular and atomic maps of a custom resource',
    resource: 'widgets',
    steps: [
      apply('one', {
        spec: {
          labels: { a: '1', b: '2' },
          selector: { matchLabels: { a: 'b' } },
          nested: { a: 'x', b: 'y', deep: { x: 1, y: 2 } },
        },
      }),
      apply('two', {
        spec: { labels: { b: '2', c: '3' }, nested: { deep: { z: 3 } }, resources: { cpu: { limit: 1 } } },
      }),
      apply('one', { spec: { labels: { a: '1' }, selector: { matchLabels: { a: 'c' } }, nested: { b: 'y' } } }),
      apply('two', { spec: { selector: { matchLabels: { d: 'e' } } } }),
      apply('two', { spec: { labels: {}, nested: { deep: {} }, resources: { cpu: {} } } }),
      patch('editor', { spec: { labels: { u: 'unowned' }, nested: { a: 'z' } } }),
      apply('one', { spec: { labels: { a: '2' } } }),
      apply('one', { metadata: { labels: { x: 'y' } } }),
      apply('one', {}),
    ],
  },
  {
    name: 'content without a schema is owned field by field, its lists as a whole',
    resource: 'widgets',
    steps: [
      apply('one', { spec: { anything: { list: [1, { a: 1 }], map: { a: { b: 1 } }, n: null } } }),
      apply('two', { spec: { anything: { map: { a: { c: 1 } } } } }),
      apply('two', { spec: { anything: { list: [1], map: { a: { c: 1 } } } } }),
      apply('one', { spec: { anything: { map: 'scalar' } } }),
      apply('one', { spec: { anything: { map: 'scalar' } } }, forced),
      apply('one', { spec: { anything: 5 } }),
      apply('one', {
        spec: {
          template: {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { labels: { a: 'b' }, finalizers: ['a/b'] },
            spec: { x: [1] },
          },
        },
      }),
      apply('two', {
        spec: { template: { apiVersion: 'v1', kind: 'Pod', metadata: { finalizers: ['c/d'] }, spec: { y: { z: 1 } } } },
      }),
    ],
  },
  {
    name: 'status and spec of a custom resource are owned through their own endpoints',
    resource: 'widgets',
    steps: [
      apply('one', { spec: { replicas: 1 }, status: { phase: 'Applied' } }),
      apply('controller', { status: { phase: 'Running', conditions: [condition('Ready', 'True')] } }, status),
      apply('controller', { status: { phase: 'Running' }, spec: { replicas: 9 } }, status),
      patch('other', { status: { phase: 'Stopped' }, spec: { replicas: 5 }, metadata: { labels: { a: 'b' } } }, status),
      apply('controller', { status: { phase: 'Running' } }, status),
      patch('other', { status: { phase: 'Nope' }, spec: { replicas: 6 } }),
      apply('one', { spec: { replicas: 6 } }),
      patch('sub', { metadata: { managedFields: [] }, status: { phase: 'New' } }, status),
    ],
  },
  {
    name: 'an applier that moves to another version keeps its identity',
    resource: 'widgets',
    steps: [
      apply('one', { spec: { replicas: 1, labels: { a: '1' } } }),
      {
        verb: 'apply',
        manager: 'one',
        body: { apiVersion: 'example.test/v1beta1', spec: { replicas: 1, labels: { b: '1' } } },
      },
      { verb: 'patch', manager: 'two', body: { apiVersion: 'example.test/v1beta1', spec: { replicas: 2 } } },
      patch('two', { spec: { paused: true } }),
      apply('three', { spec: { replicas: 5 } }),
      apply('one', { spec: { labels: { b: '1' } } }),
    ],
  },
];

const more: Scenario[] = [
  {
    name: 'a PUT owns what it changes and keeps ownership when it sends none',
    resource: 'configmaps',
    steps: [
      apply('one', { data: { x: '1', y: '2' } }),
      put('two', { data: { x: '1', y: '3', z: '4' } }),
      put('two', { data: { x: '1', y: '3', z: '4' } }),
      put('three', { data: { x: '1' }, metadata: { labels: { a: 'b' } } }),
      put('three', {}),
    ],
  },
  {
    name: 'a PUT of a custom resource',
    resource: 'widgets',
    steps: [
      create('one', { spec: { replicas: 1, tags: ['a'] }, status: { phase: 'Ignored' } }),
      put('two', { spec: { replicas: 2 }, status: { phase: 'Ignored' } }),
      put('three', { spec: {} }),
      put('three', {}),
    ],
  },
  {
    name: 'items that stand twice in a keyed list are owned by their place only',
    resource: 'deployments',
    steps: [
      create(
        'creator',
        withEnv([
          ['A', '1'],
          ['A', '2'],
          ['B', '3'],
        ]),
      ),
      patch('editor', {
        spec: {
          template: {
            spec: {
              containers: [
                container([
                  ['A', '1'],
                  ['B', '3'],
                ]),
              ],
            },
          },
        },
      }),
      patch('editor', {
        spec: {
          template: {
            spec: {
              containers: [
                container([
                  ['A', '1'],
                  ['B', '3'],
                  ['B', '4'],
                ]),
              ],
            },
          },
        },
      }),
      patch('other', {
        spec: {
          template: {
            spec: {
              containers: [
                container([
                  ['A', '1'],
                  ['B', '5'],
                  ['B', '4'],
                ]),
              ],
            },
          },
        },
      }),
      apply(
        'applier',
        withEnv([
          ['A', '1'],
          ['B', '6'],
        ]),
      ),
      apply(
        'applier',
        withEnv([
          ['A', '1'],
          ['B', '6'],
        ]),
        forced,
      ),
      apply('applier', withEnv([['A', '1']])),
    ],
  },
  {
    name: 'the order of items after an apply',
    resource: 'widgets',
    steps: [
      create('creator', { spec: { tags: ['a', 'b', 'c', 'd', 'e'] } }),
      apply('one', { spec: { tags: ['e', 'x', 'b'] } }),
      apply('two', { spec: { tags: ['y', 'd', 'a', 'z'] } }),
      apply('one', { spec: { tags: ['b', 'x2', 'e'] } }),
      apply('two', { spec: { tags: ['a', 'c'] } }),
      apply('three', { spec: { tags: ['c', 'b', 'a', 'q', 'e', 'd'] } }),
    ],
  },
  {
    name: 'a CustomResourceDefinition is applied and updated',
    resource: 'customresourcedefinitions',
    steps: [
      apply(
        'one',
        crd({
          type: 'object',
          properties: { spec: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } },
        }),
      ),
      apply(
        'one',
        crd({
          type: 'object',
          properties: { spec: { type: 'object', properties: { b: { type: 'array', items: { type: 'string' } } } } },
        }),
      ),
      apply('two', { metadata: { name: 'things.example.test', labels: { a: 'b' } }, spec: { group: 'example.test' } }),
      patch('editor', { spec: { names: { shortNames: ['th'] }, conversion: { strategy: 'None' } } }),
    ],
  },
];

function put(manager: string, body: JsonObject): Step {
  return { verb: 'put', manager, body };
}

type Env = readonly (readonly [name: string, value: string])[];

function container(env: Env): JsonObject {
  return {
    name: 'main',
    image: 'main:1',
    env: env.map(([name, value]) => ({ name, value })),
    imagePullPolicy: 'IfNotPresent',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  };
}

function withEnv(env: Env): JsonObject {
  return {
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [container(env)] } },
    },
  };
}

function crd(openAPIV3Schema: JsonObject): JsonObject {
  const names = { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' };
  return {
    metadata: { name: 'things.example.test' },
    spec: {
      group: 'example.test',
      names,
      scope: 'Namespaced',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
      ],
    },
  };
}

/** One object of each kind: the zero value of its Go struct determines the form of its ownership. */
const creations: readonly [resource: string, body: JsonObject, allocated?: readonly string[]][] = [
  ['namespaces', {}, ['spec.finalizers', 'status']],
  [
    'nodes',
    { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] }, status: { capacity: { cpu: '1' } } },
    ['metadata.annotations'],
  ],
  [
    'persistentvolumeclaims',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    ['status', 'metadata.finalizers'],
  ],
  [
    'persistentvolumes',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    ['status', 'metadata.finalizers'],
  ],
  ['resourcequotas', { spec: { hard: { pods: '1' } } }],
  ['limitranges', { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } }],
  ['serviceaccounts', { imagePullSecrets: [{ name: 'a' }] }],
  ['secrets', { data: { a: 'Yg==' } }],
  ['endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }],
  ['daemonsets', deployment({})],
  ['replicasets', deployment({ replicas: 1 })],
  [
    'statefulsets',
    deployment({
      serviceName: 'x',
      volumeClaimTemplates: [
        {
          metadata: { name: 'v' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
  ],
  [
    'networkpolicies',
    { spec: { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { a: 'b' } } }] }] } },
  ],
  ['poddisruptionbudgets', { spec: { maxUnavailable: 1, selector: { matchLabels: { a: 'b' } } } }, ['status']],
  ['roles', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  [
    'rolebindings',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ],
  ['clusterroles', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }],
  ['storageclasses', { provisioner: 'example.test/x', parameters: { a: 'b' } }],
  ['priorityclasses', { value: 5, description: 'd' }],
  ['leases', { spec: { holderIdentity: 'me', leaseDurationSeconds: 5, renewTime: '2024-01-01T00:00:00.000000Z' } }],
  [
    'endpointslices',
    {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
      ports: [{ port: 80 }],
    },
  ],
  [
    'validatingwebhookconfigurations',
    {
      webhooks: [
        {
          name: 'a.example.test',
          clientConfig: { url: 'https://127.0.0.1/x' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          rules: [{ apiGroups: ['none.test'], apiVersions: ['v1'], resources: ['nones'], operations: ['CREATE'] }],
        },
      ],
    },
  ],
  ['controllerrevisions', { revision: 1, data: { a: { b: 1 } } }],
  [
    'customresourcedefinitions',
    {
      ...crd({ type: 'object' }),
      metadata: { name: 'gadgets.example.test' },
      spec: { ...(crd({ type: 'object' })['spec'] as JsonObject), names: { kind: 'Gadget', plural: 'gadgets' } },
    },
    ['status'],
  ],
];

const eachKind: Scenario[] = creations.map(([resource, body, allocated]) => ({
  name: `created and applied: ${resource}`,
  resource,
  steps: [
    create('creator', body, allocated === undefined ? {} : { allocated }),
    apply('applier', {
      ...body,
      metadata: { ...(body['metadata'] as JsonObject | undefined), labels: { applied: 'yes' } },
    }),
    patch('editor', { metadata: { annotations: { edited: 'yes' } } }),
  ],
}));

export const scenarios: readonly Scenario[] = [...configMaps, ...builtins, ...widgets, ...more, ...eachKind];
