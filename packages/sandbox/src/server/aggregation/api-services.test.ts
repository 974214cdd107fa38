import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isObject, type JsonObject } from '../../values/json.ts';
import {
  API_SERVICES,
  apiService,
  available,
  eventually,
  externalName,
  GROUP,
  type Sandbox,
  startSandbox,
} from './testdata/sandbox.ts';

const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const SERVICES = '/api/v1/namespaces/default/services';

let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox();
});

after(async () => {
  await sandbox.stop();
  assert.deepEqual(sandbox.defects, []);
});

function definition(group: string, versions: readonly { name: string; served: boolean }[]): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: versions.map((version, i) => ({ ...version, storage: i === 0, schema })),
    },
  };
}

async function names(): Promise<string[]> {
  const { items } = (await sandbox.get(API_SERVICES)) as unknown as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}

async function find(name: string): Promise<JsonObject | undefined> {
  const { code, body } = await sandbox.call('GET', `${API_SERVICES}/${name}`);
  return code === 200 ? (JSON.parse(body) as JsonObject) : undefined;
}

function service(object: JsonObject | undefined): unknown {
  return isObject(object?.['spec']) ? object['spec']['service'] : undefined;
}

async function says(reason: string): Promise<unknown> {
  const condition = await eventually(
    reason,
    () => available(sandbox),
    (found) => found?.['reason'] === reason,
  );
  return condition?.['message'];
}

test('every built-in group and version has an APIService from the start, but for that of APIServices itself', async () => {
  const all = await names();
  assert.ok(all.includes('v1.') && all.includes('v1.apps') && all.includes('v1.coordination.k8s.io'));
  assert.ok(!all.includes('v1.apiregistration.k8s.io'));
  const apps = (await find('v1.apps')) as { metadata: { labels: JsonObject }; spec: JsonObject };
  assert.deepEqual(apps.metadata.labels, { [MANAGED]: 'onstart' });
  assert.deepEqual(apps.spec, { group: 'apps', version: 'v1', groupPriorityMinimum: 17800, versionPriority: 15 });
  const core = (await find('v1.')) as { spec: JsonObject };
  assert.deepEqual(core.spec, { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 });
  const { lastTransitionTime: _time, ...condition } = (await available(sandbox, 'v1.apps')) ?? {};
  assert.deepEqual(condition, {
    type: 'Available',
    status: 'True',
    reason: 'Local',
    message: 'Local APIServices are always available',
  });
});

test('an APIService of a built-in group stays deleted after a user deletes it', async () => {
  await sandbox.call('DELETE', `${API_SERVICES}/v1.policy`);
  // The queue has passed the deleted APIService once the one of the CRD exists.
  await sandbox.call('POST', DEFINITIONS, definition('marker.example.com', [{ name: 'v1', served: true }]));
  await eventually(
    'the marker',
    () => find('v1.marker.example.com'),
    (found) => found !== undefined,
  );
  assert.equal(await find('v1.policy'), undefined);
});

test('APIServices of CRDs come and go with the versions that are served, and come back when deleted', async () => {
  const group = 'shop.example.com';
  await sandbox.call(
    'POST',
    DEFINITIONS,
    definition(group, [
      { name: 'v1', served: true },
      { name: 'v1beta1', served: true },
      { name: 'v2', served: false },
    ]),
  );
  const found = (await eventually(
    'v1',
    () => find(`v1.${group}`),
    (object) => object !== undefined,
  )) as { metadata: { labels: JsonObject }; spec: JsonObject };
  assert.deepEqual(found.metadata.labels, { [MANAGED]: 'true' });
  assert.deepEqual(found.spec, { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 });
  await eventually(
    'v1beta1',
    () => find(`v1beta1.${group}`),
    (object) => object !== undefined,
  );
  assert.ok(!(await names()).includes(`v2.${group}`));

  await sandbox.call('DELETE', `${API_SERVICES}/v1.${group}`);
  await eventually(
    'v1 again',
    () => find(`v1.${group}`),
    (object) => object !== undefined,
  );
  await sandbox.call('PATCH', `${DEFINITIONS}/widgets.${group}`, {
    spec: definition(group, [
      { name: 'v1', served: true },
      { name: 'v1beta1', served: false },
    ])['spec'] as JsonObject,
  });
  await eventually(
    'the end of v1beta1',
    () => find(`v1beta1.${group}`),
    (object) => object === undefined,
  );
  await sandbox.call('DELETE', `${DEFINITIONS}/widgets.${group}`);
  await eventually(
    'the end of v1',
    () => find(`v1.${group}`),
    (object) => object === undefined,
  );
});

test('beside a CRD an APIService cannot be pointed elsewhere while it carries the label, and can without it', async () => {
  const group = 'both.example.com';
  await sandbox.call('POST', DEFINITIONS, definition(group, [{ name: 'v1', served: true }]));
  await eventually(
    'v1',
    () => find(`v1.${group}`),
    (object) => object !== undefined,
  );
  const elsewhere = { insecureSkipTLSVerify: true, service: { namespace: 'default', name: 'nobody', port: 443 } };
  const { body } = await sandbox.call('PATCH', `${API_SERVICES}/v1.${group}`, { spec: elsewhere });
  assert.ok(service(JSON.parse(body) as JsonObject) !== undefined);
  await eventually(
    'the reset',
    () => find(`v1.${group}`),
    (object) => service(object) === undefined,
  );
  await eventually(
    'Local',
    () => available(sandbox, `v1.${group}`),
    (condition) => condition?.['reason'] === 'Local',
  );

  await sandbox.call('PATCH', `${API_SERVICES}/v1.${group}`, {
    metadata: { labels: { [MANAGED]: null } },
    spec: elsewhere,
  });
  await eventually(
    'the condition',
    () => available(sandbox, `v1.${group}`),
    (condition) => condition?.['reason'] === 'ServiceNotFound',
  );
  assert.ok(service(await find(`v1.${group}`)) !== undefined);
});

test('the condition of a remote APIService follows its Service and the endpoints of that', async () => {
  const spec = { insecureSkipTLSVerify: true, caBundle: undefined };
  await sandbox.call('POST', API_SERVICES, apiService(sandbox, 7443, spec));
  assert.equal(await says('ServiceNotFound'), 'service/ext in "default" is not present');
  const withPort = (port: number): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'ext' },
    spec: { ports: [{ name: 'https', port }] },
  });
  await sandbox.call('POST', SERVICES, withPort(80));
  assert.equal(await says('ServicePortError'), 'service/ext in "default" is not listening on port 7443');
  await sandbox.call('DELETE', `${SERVICES}/ext`);
  await sandbox.call('POST', SERVICES, withPort(7443));
  assert.equal(await says('EndpointsNotFound'), 'cannot find endpointslices for service/ext in "default"');
  await sandbox.call('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'ext-1', labels: { 'kubernetes.io/service-name': 'ext' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: false } }],
    ports: [{ name: 'https', port: 7443 }],
  });
  assert.equal(
    await says('MissingEndpoints'),
    'endpointslices for service/ext in "default" have no addresses with port name "https"',
  );
  await sandbox.call('DELETE', `${SERVICES}/ext`);
  await sandbox.call('POST', SERVICES, externalName('ext', 'nowhere.invalid'));
  const message = String(await says('FailedDiscoveryCheck'));
  const url = `https://nowhere.invalid:7443/apis/${GROUP}/v1`;
  assert.ok(
    message.startsWith(`failing or missing response from ${url}: Get "${url}": dial tcp: lookup nowhere.invalid`),
    message,
  );
});

test('a restarted server takes up what it left: its own APIServices as they should be, others as they are', async () => {
  const data = mkdtempSync(join(tmpdir(), 'aggregation-'));
  const first = await startSandbox({ data });
  const local = (name: string, group: string, labels: JsonObject): JsonObject => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, labels },
    spec: { group, version: 'v1', groupPriorityMinimum: 10, versionPriority: 10 },
  });
  await first.call('POST', API_SERVICES, local('v1.past.example.com', 'past.example.com', { [MANAGED]: 'onstart' }));
  await first.call('POST', API_SERVICES, local('v1.mine.example.com', 'mine.example.com', {}));
  await first.call('PATCH', `${API_SERVICES}/v1.apps`, { spec: { versionPriority: 3 } });
  await first.call('POST', DEFINITIONS, definition('kept.example.com', [{ name: 'v1', served: true }]));
  const path = `${API_SERVICES}/v1.kept.example.com`;
  const made = await eventually(
    'the APIService of the CRD',
    () => first.get(path),
    ({ kind }) => kind === 'APIService',
  );
  await first.stop();

  const second = await startSandbox({ data });
  try {
    const code = async (name: string): Promise<number> => (await second.call('GET', `${API_SERVICES}/${name}`)).code;
    assert.deepEqual([await code('v1.past.example.com'), await code('v1.mine.example.com')], [404, 200]);
    assert.equal(((await second.get(`${API_SERVICES}/v1.apps`))['spec'] as JsonObject)['versionPriority'], 15);
    assert.deepEqual((await second.get(path))['metadata'], made['metadata']);
  } finally {
    await second.stop();
    rmSync(data, { recursive: true });
  }
  assert.deepEqual([...first.defects, ...second.defects], []);
});

test('extension servers find out whom to trust, also after the ConfigMap was deleted', async () => {
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  const { certificate } = sandbox.identity.authority;
  const expected = {
    'client-ca-file': `${certificate.trimEnd()}\n`,
    'requestheader-client-ca-file': `${certificate.trimEnd()}\n`,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  };
  assert.deepEqual((await sandbox.get(path))['data'], expected);
  await sandbox.call('DELETE', path);
  const back = await eventually(
    'the ConfigMap',
    () => sandbox.get(path),
    ({ kind }) => kind === 'ConfigMap',
  );
  assert.deepEqual(back['data'], expected);
});
