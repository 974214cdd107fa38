import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../../values/json.ts';
import { definition } from '../builtin.ts';
import { cannotBeHandled, decode, DecodeError, normalise } from './decode.ts';

const api = (name: string): ReturnType<typeof definition> => definition(`io.k8s.api.${name}`);

function fault(name: string, value: JsonObject): string {
  try {
    decode(api(name), value);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return 'accepted';
}

const service = (spec: Json): JsonObject => ({ kind: 'Service', apiVersion: 'v1', metadata: { name: 'a' }, spec });
const pod = (spec: Json): JsonObject => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec });
const lease = (renewTime: Json): JsonObject => ({ metadata: { name: 'l' }, spec: { renewTime } });

/** All texts are recorded from kube-apiserver 1.36.3. */
const typeFaults: [string, JsonObject, string][] = [
  [
    'core.v1.Service',
    service({ ports: [{ port: 'x' }] }),
    'string into Go struct field ServicePort.spec.ports.port of type int32',
  ],
  [
    'core.v1.Service',
    service({ ports: 'x' }),
    'string into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort',
  ],
  [
    'core.v1.Service',
    service({ ports: {} }),
    'object into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort',
  ],
  ['core.v1.Service', service('x'), 'string into Go struct field Service.spec of type v1.ServiceSpec'],
  [
    'core.v1.Service',
    service({ selector: { a: 1 } }),
    'number into Go struct field ServiceSpec.spec.selector of type string',
  ],
  [
    'core.v1.Service',
    service({ selector: ['a'] }),
    'array into Go struct field ServiceSpec.spec.selector of type map[string]string',
  ],
  [
    'core.v1.Service',
    service({ ports: [{ port: 3000000000 }] }),
    'number 3000000000 into Go struct field ServicePort.spec.ports.port of type int32',
  ],
  [
    'core.v1.Service',
    service({ ports: [{ port: 1.5 }] }),
    'number 1.5 into Go struct field ServicePort.spec.ports.port of type int32',
  ],
  [
    'core.v1.Service',
    service({ ports: [{ targetPort: true }] }),
    'bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
  ],
  [
    'core.v1.Service',
    service({ ports: [{ targetPort: {} }] }),
    'object into Go struct field ServicePort.spec.ports.targetPort of type int32',
  ],
  [
    'core.v1.Service',
    service({ type: 7, ports: [{ port: '80' }] }),
    'number into Go struct field ServiceSpec.spec.type of type v1.ServiceType',
  ],
  [
    'core.v1.Service',
    service({ publishNotReadyAddresses: 'yes' }),
    'string into Go struct field ServiceSpec.spec.publishNotReadyAddresses of type bool',
  ],
  ['core.v1.Service', { metadata: 'x' }, 'string into Go struct field Service.metadata of type v1.ObjectMeta'],
  ['core.v1.Service', { metadata: { name: 1 } }, 'number into Go struct field ObjectMeta.metadata.name of type string'],
  [
    'core.v1.Service',
    { metadata: { labels: { a: null, b: true } } },
    'bool into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    'core.v1.Service',
    { metadata: { creationTimestamp: 5 } },
    'number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
  ],
  ['core.v1.Secret', { data: { a: 5 } }, 'number into Go struct field Secret.data of type []uint8'],
  ['core.v1.ConfigMap', { data: { b: {} } }, 'object into Go struct field ConfigMap.data of type string'],
  [
    'core.v1.Pod',
    pod({ volumes: [{ name: 'v', hostPath: 'x' }] }),
    'string into Go struct field Volume.spec.volumes.VolumeSource.hostPath of type v1.HostPathVolumeSource',
  ],
  [
    'core.v1.Pod',
    pod({ containers: [{ livenessProbe: { httpGet: 5 } }] }),
    'number into Go struct field Probe.spec.containers.livenessProbe.ProbeHandler.httpGet of type v1.HTTPGetAction',
  ],
  [
    'core.v1.Pod',
    pod({ containers: [{ env: [{ valueFrom: { configMapKeyRef: { name: 5 } } }] }] }),
    'number into Go struct field ConfigMapKeySelector.spec.containers.env.valueFrom.configMapKeyRef.LocalObjectReference.name of type string',
  ],
  [
    'core.v1.Pod',
    pod({ containers: [{ command: 'x' }] }),
    'string into Go struct field Container.spec.containers.command of type []string',
  ],
  [
    'core.v1.Pod',
    pod({ containers: [{ command: [1] }] }),
    'number into Go struct field Container.spec.containers.command of type string',
  ],
  ['core.v1.Pod', pod({ containers: [5] }), 'number into Go struct field PodSpec.spec.containers of type v1.Container'],
  [
    'core.v1.Pod',
    pod({ containers: [{ resources: { limits: 5 } }] }),
    'number into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
  ],
];

test('a value of a wrong type is reported in the words of encoding/json', () => {
  for (const [name, value, expected] of typeFaults)
    assert.equal(fault(name, value), `json: cannot unmarshal ${expected}`);
});

test('what a type reads by itself wins over an earlier value of a wrong type', () => {
  assert.equal(
    fault('core.v1.Service', service({ publishNotReadyAddresses: 1, ports: [{ port: 80, targetPort: 1.5 }] })),
    'json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.targetPort of type int32',
  );
});

const micro = '"2006-01-02T15:04:05.000000Z07:00"';
const leaseFaults: [Json, string][] = [
  [
    '2020-01-01T00:00:00.761Z',
    `parsing time "2020-01-01T00:00:00.761Z" as ${micro}: cannot parse ".761Z" as ".000000"`,
  ],
  ['2020-01-01T00:00:00Z', `parsing time "2020-01-01T00:00:00Z" as ${micro}: cannot parse "Z" as ".000000"`],
  [
    '2020-01-01T00:00:00.123456789Z',
    `parsing time "2020-01-01T00:00:00.123456789Z" as ${micro}: cannot parse "789Z" as "Z07:00"`,
  ],
  ['', `parsing time "" as ${micro}: cannot parse "" as "2006"`],
  ['2020-13-01T00:00:00.123456Z', 'parsing time "2020-13-01T00:00:00.123456Z": month out of range'],
  ['2020-02-30T00:00:00.123456Z', 'parsing time "2020-02-30T00:00:00.123456Z": day out of range'],
  [
    '2020-02-20 00:00:00.123456Z',
    `parsing time "2020-02-20 00:00:00.123456Z" as ${micro}: cannot parse " 00:00:00.123456Z" as "T"`,
  ],
  ['2020-02-20T00:00:00.123456Zx', 'parsing time "2020-02-20T00:00:00.123456Zx": extra text: "x"'],
  [5, 'json: cannot unmarshal number into Go struct field LeaseSpec.spec.renewTime of type string'],
];

test('a time that Go cannot parse is reported in its words', () => {
  for (const [time, expected] of leaseFaults) assert.equal(fault('coordination.v1.Lease', lease(time)), expected);
});

const times: [string, string][] = [
  ['2020-02-20T0:00:00.123456Z', '2020-02-20T00:00:00.123456Z'],
  ['2020-02-20T00:00:00.123456+02:00', '2020-02-19T22:00:00.123456Z'],
  ['2020-02-29T23:59:59.000001Z', '2020-02-29T23:59:59.000001Z'],
];

test('a time is written in UTC with the digits of its type', () => {
  for (const [time, expected] of times) {
    assert.deepEqual(decode(api('coordination.v1.Lease'), lease(time)).object['spec'], { renewTime: expected });
  }
  const meta = normalise(api('core.v1.ConfigMap'), { metadata: { creationTimestamp: '2020-01-01T01:00:00.9+01:00' } });
  assert.deepEqual(meta, { metadata: { creationTimestamp: '2020-01-01T00:00:00Z' } });
});

test('quantities are canonical, whatever way they were written', () => {
  const requests: [Json, string][] = [
    [5, '5'],
    [1.5, '1500m'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1024Ki', '1Mi'],
    ['1e3', '1e3'],
  ];
  for (const [written, expected] of requests) {
    const claim = { metadata: {}, spec: { resources: { requests: { storage: written } } } };
    const read = normalise(api('core.v1.PersistentVolumeClaim'), claim)['spec'] as JsonObject;
    assert.deepEqual(read['resources'], { requests: { storage: expected } }, String(written));
  }
  for (const wrong of ['abc', '', true]) {
    assert.equal(
      fault('core.v1.ResourceQuota', { spec: { hard: { pods: wrong } } }),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
});

test('bytes are checked and written back as base64', () => {
  assert.equal(fault('core.v1.Secret', { data: { a: '!!!' } }), 'illegal base64 data at input byte 0');
  assert.equal(fault('core.v1.Secret', { data: { a: 'YQ' } }), 'illegal base64 data at input byte 0');
  const read = normalise(api('core.v1.Secret'), { data: { a: 'YW\nE=', b: null, c: '' } });
  assert.deepEqual(read['data'], { a: 'YWE=', b: '', c: '' });
});

test('unknown fields are dropped and listed in the order of the document', () => {
  const container = {
    name: 'a',
    x: 1,
    image: 'a',
    Image: 'b',
    env: [
      { name: 'a', z: 1 },
      { name: 'b', z: 1 },
    ],
  };
  const { object, unknown } = decode(api('core.v1.Pod'), { ...pod({ foo: 1, containers: [container] }), bar: 1 });
  assert.deepEqual(
    unknown,
    [
      'spec.foo',
      'spec.containers[0].x',
      'spec.containers[0].Image',
      'spec.containers[0].env[0].z',
      'spec.containers[0].env[1].z',
      'bar',
    ].map((path) => `unknown field "${path}"`),
  );
  assert.equal(JSON.stringify(object).includes('foo'), false);
});

test('zero values are written or left out as the Go struct says', () => {
  const deployment = normalise(api('apps.v1.Deployment'), {
    metadata: {},
    spec: { replicas: 0, paused: false, template: {} },
  });
  assert.deepEqual(deployment, {
    metadata: {},
    spec: { replicas: 0, selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
    status: {},
  });
  assert.deepEqual(normalise(api('rbac.v1.Role'), { metadata: {}, rules: [] }), { metadata: {}, rules: null });
  const event = normalise(api('core.v1.Event'), { metadata: {} });
  assert.deepEqual([event['eventTime'], event['firstTimestamp'], event['reportingInstance']], [null, null, '']);
});

test('the answer to a body that cannot be read names what it is', () => {
  const error = cannotBeHandled('Service', 'v1', 'Service', 'json: …');
  assert.equal(error.message, 'Service in version "v1" cannot be handled as a Service: json: …');
  assert.equal(error.code, 400);
});
