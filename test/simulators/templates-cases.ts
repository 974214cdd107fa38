/** OpenShift's templates and KubeVirt's, from the API to the VM, on the sandbox and on a real kube-apiserver. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { Client, RawRequest } from '../../packages/kube/src/client/client.ts';
import { KubeError, isNotFound } from '../../packages/kube/src/errors.ts';
import type { KubeObject, ObjectKey, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { virtualMachines, type VirtualMachine } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { impersonating } from '../../packages/sandbox/src/simulators/impersonate.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { templateInstances, type TemplateInstance } from '../../packages/sandbox/src/simulators/templates/kinds.ts';
import {
  machineTemplates,
  templateRequests,
} from '../../packages/sandbox/src/simulators/templates/machine-templates/kinds.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { untilKnown } from '../rbac/known-rights.ts';
import { until } from '../runtime/until.ts';

const core = { group: '', version: 'v1', namespaced: true };
const namespaces: ResourceType = { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false };
const configMaps: ResourceType = { ...core, kind: 'ConfigMap', plural: 'configmaps' };
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: true };
const roles: ResourceType = { ...rbac, kind: 'Role', plural: 'roles' };
const roleBindings: ResourceType = { ...rbac, kind: 'RoleBinding', plural: 'rolebindings' };
const secrets: ResourceType = { ...core, kind: 'Secret', plural: 'secrets' };
const templates: ResourceType = {
  group: 'template.openshift.io',
  version: 'v1',
  kind: 'Template',
  plural: 'templates',
  namespaced: true,
};

const namespace = 'offers';
const API = '/apis/template.openshift.io/v1';
const IN_TIME = { deadlineMs: 30_000 };

const machine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: '${NAME}', namespace: 'elsewhere' },
  spec: {
    runStrategy: 'Halted',
    template: { spec: { domain: { cpu: { cores: '${{CORES}}' }, devices: {}, memory: { guest: '1Gi' } } } },
  },
};

const template = {
  apiVersion: 'template.openshift.io/v1',
  kind: 'Template',
  metadata: { name: 'small', namespace, annotations: { description: 'A small machine\nof no use' } },
  message: 'It is ${NAME}',
  labels: { offer: 'small' },
  objects: [machine, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${NAME}' }, data: { word: '${WORD}' } }],
  parameters: [
    { name: 'NAME', generate: 'expression', from: 'vm-[a-z]{8}' },
    { name: 'CORES', value: '2' },
    { name: 'WORD', required: true },
  ],
} satisfies Unstructured;

/** `hasRights`: whether the server enforces RBAC, which the sandbox does not. */
export function templatesCases(start: () => Promise<Cluster>, { hasRights }: { readonly hasRights: boolean }): void {
  let cluster: Cluster;
  let simulators: Simulators;
  let client: Client;

  before(async () => {
    cluster = await start();
    const source = fixedSource(cluster);
    client = createClient({ cluster: 'templates', source, userAgent: 'templates-test' });
    const log = createLogger({ level: 'error', format: 'text' });
    const parts = ['kubevirt', 'templates'] as const;
    simulators = await startSimulators({ source, name: 'templates', parts, dials: { speed: 20 }, log });
    await client.create(namespaces, { metadata: { name: namespace } });
  });
  after(async () => {
    await simulators?.stop();
    await client?.close();
    await cluster?.stop();
  });

  const post = async (path: string, body: unknown, more: Partial<RawRequest> = {}): Promise<Answer> => {
    const { code, body: answer } = await client.request({ method: 'POST', path, body, ...more });
    return { code, body: answer as Unstructured };
  };
  const instance = async (name: string): Promise<TemplateInstance> =>
    client.get(templateInstances, { namespace, name });
  const conditions = async (name: string): Promise<readonly string[]> =>
    ((await instance(name)).status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status}/${reason}`);
  const left = async (type: ResourceType<KubeObject>): Promise<readonly string[]> =>
    (await client.list(type, { namespace })).items.map(({ metadata }) => metadata.name ?? '');

  test('a template has every verb: it is created, listed, watched, patched and applied', async () => {
    const created = await client.create(templates, template);
    assert.equal(created.metadata.generation, undefined);
    const { resourceVersion, items } = await client.list(templates, {
      namespace,
      fieldSelector: 'metadata.name=small',
    });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['small'],
    );
    const watch = await client.watch(templates, { namespace, resourceVersion, allowWatchBookmarks: true });
    await client.patch(templates, key('small'), { type: 'merge', body: { metadata: { labels: { a: '1' } } } });
    await client.patch(templates, key('small'), { type: 'strategic', body: { metadata: { labels: { b: '2' } } } });
    await client.patch(templates, key('small'), {
      type: 'json',
      operations: [{ op: 'add', path: '/metadata/labels/c', value: '3' }],
    });
    await client.apply(
      templates,
      { metadata: { ...key('small'), labels: { d: '4' } } },
      { fieldManager: 'somebody', force: true },
    );
    const seen: (Readonly<Record<string, string>> | undefined)[] = [];
    for await (const batch of watch) {
      for (const event of batch) if (event.type === 'MODIFIED') seen.push(event.object.metadata.labels);
      if (seen.length >= 4) break;
    }
    watch.close();
    assert.deepEqual(seen.at(-1), { a: '1', b: '2', c: '3', d: '4' });
    const current = await client.get(templates, key('small'));
    const owners = (current.metadata.managedFields ?? []) as readonly { readonly manager: string }[];
    assert.ok(owners.some(({ manager }) => manager === 'somebody'));
    const stale = await refusal(() => client.update(templates, created));
    assert.equal(stale?.kind, 'Conflict');
  });

  test('a table shows what `oc get templates` does', async () => {
    const { body } = await client.request({
      method: 'GET',
      path: `${API}/namespaces/${namespace}/templates`,
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    const { columnDefinitions, rows } = body as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
    assert.deepEqual(
      columnDefinitions.map(({ name }) => name),
      ['Name', 'Description', 'Parameters', 'Objects'],
    );
    assert.deepEqual(rows[0]?.cells, ['small', 'A small machine...', '3 (1 blank)', 2]);
  });

  test('what is wrong with a template is refused in the words of OpenShift', async () => {
    const named = (parameters: readonly unknown[]): Unstructured => ({
      ...template,
      metadata: { name: 'bad', namespace },
      parameters,
    });
    const bad = await refusal(() => client.create(templates, named([{ name: 'a-b' }, {}])));
    assert.equal(bad?.code, 422);
    assert.equal(
      bad.status?.message,
      'Template.template.openshift.io "bad" is invalid: [parameters[0].name: Invalid value: "a-b": ' +
        'does not match ^[a-zA-Z0-9_]+$, parameters[1].name: Required value]',
    );
    const unknown = await refusal(() =>
      client.create(templates, { ...named([]), spec: {} }, { fieldValidation: 'Strict' }),
    );
    assert.equal(unknown?.code, 400);
    assert.match(unknown.status?.message ?? '', /strict decoding error: unknown field "spec"/);
    const nowhere = await refusal(() =>
      client.create(templates, { ...template, metadata: { name: 'a', namespace: 'no' } }),
    );
    assert.equal(nowhere?.status?.message, 'namespaces "no" not found');
  });

  test('a template is processed, and nothing is kept', async () => {
    const path = `${API}/namespaces/${namespace}/processedtemplates`;
    const missing = await refusal(() => post(path, template));
    assert.equal(missing?.code, 422);
    assert.match(
      missing.status?.message ?? '',
      /^Template\.template\.openshift\.io "small" is invalid: template\.parameters\[2\]: Required value: template\.parameters\[2\]: parameter WORD is required and must be specified$/,
    );
    const parameters = template.parameters.map((one) => (one.name === 'WORD' ? { ...one, value: 'hello' } : one));
    const { code, body } = await post(path, { ...template, parameters });
    assert.equal(code, 201);
    const [vm, map] = body['objects'] as (Unstructured & { data?: unknown })[];
    const name = vm?.metadata.name ?? '';
    assert.match(name, /^vm-[a-z]{8}$/);
    assert.deepEqual(vm?.metadata, { name, labels: { offer: 'small' } });
    assert.equal((vm['spec'] as typeof machine.spec).template.spec.domain.cpu.cores, 2);
    assert.deepEqual(map?.data, { word: 'hello' });
    assert.equal(body['message'], `It is ${name}`);
    assert.deepEqual(await left(virtualMachines), []);
  });

  test('an instance creates the objects with the values of a Secret, and takes them along when it goes', async () => {
    const data = { WORD: base64('from the secret'), NAME: base64('web'), OTHER: base64('x') };
    await client.create(secrets, { metadata: { namespace, name: 'values' }, data });
    await client.create(templateInstances, {
      metadata: key('web'),
      spec: { template, secret: { name: 'values' } },
    });
    await until('it is ready', async () => (await conditions('web')).includes('Ready=True/Created'), IN_TIME);
    const { metadata, spec, status } = await instance('web');
    assert.ok((spec.requester?.username ?? '') !== '');
    assert.deepEqual(metadata.finalizers, ['template.openshift.io/finalizer']);
    assert.deepEqual(
      status?.objects?.map(({ ref }) => [ref.apiVersion, ref.kind, ref.namespace, ref.name]),
      [
        ['kubevirt.io/v1', 'VirtualMachine', namespace, 'web'],
        ['v1', 'ConfigMap', namespace, 'web'],
      ],
    );
    const vm = await client.get(virtualMachines, key('web'));
    assert.equal(vm.metadata.labels?.['template.openshift.io/template-instance-owner'], metadata.uid);
    assert.equal(vm.metadata.labels?.['offer'], 'small');
    const map = await client.get(configMaps, key('web'));
    assert.deepEqual(map['data'], { word: 'from the secret' });
    const changed = await refusal(() =>
      client.patch(templateInstances, key('web'), { type: 'merge', body: { spec: { secret: { name: 'b' } } } }),
    );
    assert.equal(
      changed?.status?.message,
      'TemplateInstance.template.openshift.io "web" is invalid: spec: Forbidden: field is immutable',
    );
    await client.delete(templateInstances, key('web'));
    await until('all is gone', async () => (await left(templateInstances)).length === 0, IN_TIME);
    // A foreground deletion of a VM waits for the garbage collector, which may have to learn of the kind first.
    await until('the machine is gone', async () => (await left(virtualMachines)).length === 0, { deadlineMs: 90_000 });
    assert.ok(!(await left(configMaps)).includes('web'));
    assert.ok((await left(secrets)).includes('values'));
  });

  test('a Secret that is owned by an instance goes with it, and a template that is deleted in the foreground goes', async () => {
    const owner = await client.create(templateInstances, {
      metadata: key('owner'),
      spec: { template: { metadata: { name: 'empty' }, objects: [] } },
    });
    const { apiVersion = '', kind = '', metadata } = owner;
    const ownerReferences = [{ apiVersion, kind, name: 'owner', uid: metadata.uid ?? '' }];
    await client.create(secrets, { metadata: { ...key('owned'), ownerReferences } });
    await until('it is ready', async () => (await conditions('owner')).includes('Ready=True/Created'), IN_TIME);
    await client.delete(templateInstances, key('owner'), { propagationPolicy: 'Background' });
    await until('the Secret is gone', () => isGone(client, secrets, key('owned')), { deadlineMs: 90_000 });
    await client.create(templates, { ...template, metadata: key('passing') });
    await client.delete(templates, key('passing'), { propagationPolicy: 'Foreground' });
    await until('the template is gone', () => isGone(client, templates, key('passing')), { deadlineMs: 90_000 });
  });

  test('an instance fails for good on what is there already, and keeps what it could create', async () => {
    await client.create(configMaps, { metadata: key('taken') });
    const parameters = template.parameters.map(({ name }) => ({ name, value: name === 'CORES' ? '1' : 'taken' }));
    const spec = { template: { ...template, parameters } };
    await client.create(templateInstances, { metadata: key('taken'), spec });
    await until('it failed', async () => (await conditions('taken')).length > 0, IN_TIME);
    const { status } = await instance('taken');
    assert.deepEqual(
      status?.conditions?.map(({ type, message }) => [type, message]),
      [
        [
          'InstantiateFailure',
          'unable to create /v1, Resource=configmaps, Name=taken: configmaps "taken" already exists',
        ],
      ],
    );
    assert.deepEqual(
      status?.objects?.map(({ ref }) => ref.kind),
      ['VirtualMachine'],
    );
    await client.delete(templateInstances, key('taken'));
    await until('it is gone', async () => (await left(templateInstances)).length === 0, IN_TIME);
  });

  if (hasRights)
    test('the rights of the requester count, and no user acts for another', async (t) => {
      const asGuest = { 'Impersonate-User': 'guest', 'Impersonate-Group': ['system:authenticated'] };
      const source = impersonating(fixedSource(cluster), asGuest);
      const guest = createClient({ cluster: 'guest', source, userAgent: 'guest' });
      t.after(() => guest.close());
      const rules = [
        {
          apiGroups: ['template.openshift.io'],
          resources: ['templateinstances', 'templateconfigs'],
          verbs: ['create'],
        },
      ];
      await client.create(roles, { metadata: key('guest'), rules });
      await client.create(roleBindings, {
        metadata: key('guest'),
        roleRef: { apiGroup: roles.group, kind: 'Role', name: 'guest' },
        subjects: [{ apiGroup: roles.group, kind: 'User', name: 'guest' }],
      });
      await untilKnown(client, 'guest', [{ kind: 'Role', metadata: key('guest'), rules }]);
      const parameters = template.parameters.map(({ name }) => ({ name, value: name === 'CORES' ? '1' : 'of-guest' }));
      const wanted = { ...template, parameters };
      await guest.create(templateInstances, { metadata: key('of-guest'), spec: { template: wanted } });
      await until('it failed', async () => (await conditions('of-guest')).length > 0, IN_TIME);
      const { spec, status } = await instance('of-guest');
      assert.deepEqual([spec.requester?.username, spec.requester?.groups], ['guest', ['system:authenticated']]);
      const [first = '', second = ''] = (status?.conditions?.[0]?.message ?? '').split('\n');
      const refused = 'unable to authorize user to create';
      assert.equal(
        first,
        `${refused} kubevirt.io/v1, Resource=virtualmachines, Name=of-guest: virtualmachines.kubevirt.io "of-guest" is forbidden: `,
      );
      assert.ok(
        second.startsWith(`${refused} /v1, Resource=configmaps, Name=of-guest: configmaps "of-guest" is forbidden:`),
      );
      const posing = await refusal(() =>
        guest.create(templateInstances, {
          metadata: key('posing'),
          spec: { template: wanted, requester: { username: 'root' } },
        }),
      );
      assert.equal(posing?.code, 422);
      assert.match(
        posing.status?.message ?? '',
        /spec\.requester\.username: Forbidden: you do not have permission to set username$/,
      );
    });

  test('a machine template is ready, is processed, and makes a machine', async () => {
    const spec = {
      message: 'It is ${NAME}',
      parameters: [{ name: 'NAME', required: true }],
      virtualMachine: { ...machine, spec: { ...machine.spec, template: plain } },
    };
    await client.create(machineTemplates, { metadata: key('own'), spec });
    await until(
      'it is ready',
      async () => (await client.get(machineTemplates, key('own'))).status?.conditions?.[0]?.status === 'True',
      IN_TIME,
    );
    const path = `/apis/subresources.template.kubevirt.io/v1beta1/namespaces/${namespace}/virtualmachinetemplates/own`;
    const empty = await refusal(() => post(`${path}/process`, {}));
    assert.equal(empty?.code, 422);
    assert.equal(
      empty.status?.message,
      'VirtualMachineTemplate.template.kubevirt.io "own" is invalid: spec.parameters[0].value: Required value: ' +
        "parameter 'NAME' is required and a value must be specified",
    );
    const odd = await refusal(() => post(`${path}/process`, { parameters: { COLOUR: 'red' } }));
    assert.equal(odd?.code, 409);
    const { code, body } = await post(`${path}/create`, { parameters: { NAME: 'own-1' } });
    assert.equal(code, 200);
    assert.deepEqual([body['templateRef'], body['message']], [{ namespace, name: 'own' }, 'It is own-1']);
    const vm = await client.get(virtualMachines, key('own-1'));
    assert.equal((body['virtualMachine'] as KubeObject).metadata.uid, vm.metadata.uid);
    await client.delete(virtualMachines, key('own-1'));
  });

  test('a machine becomes a template by request', async () => {
    const vm = { ...machine, metadata: key('model'), spec: { ...machine.spec, template: plain } };
    await client.create(virtualMachines, vm as VirtualMachine);
    await client.create(templateRequests, { metadata: key('model'), spec: { virtualMachineRef: key('model') } });
    const state = async (): Promise<readonly string[]> =>
      ((await client.get(templateRequests, key('model'))).status?.conditions ?? []).map(
        ({ type, status }) => `${type}=${status}`,
      );
    await until('it is made', async () => (await state()).join() === 'Ready=True,Progressing=False', IN_TIME);
    const made = await client.get(machineTemplates, key('model'));
    assert.deepEqual(made.spec.virtualMachine?.['metadata'], { name: '${NAME}' });
    await client.create(templateRequests, { metadata: key('lost'), spec: { virtualMachineRef: key('nobody') } });
    const lost = async (): Promise<string | undefined> =>
      (await client.get(templateRequests, key('lost'))).status?.conditions?.[0]?.message;
    await until('it failed', async () => (await lost()) !== undefined, IN_TIME);
    assert.equal(await lost(), `VirtualMachine ${namespace}/nobody does not exist`);
  });

  test('the kinds are described, for `kubectl explain`', async () => {
    const { body } = await client.request({ method: 'GET', path: '/openapi/v3/apis/template.openshift.io/v1' });
    const { components } = body as { components: { schemas: Record<string, { properties: object }> } };
    const described = components.schemas['io.openshift.template.v1.Template']?.properties ?? {};
    for (const field of ['objects', 'parameters', 'labels', 'message']) assert.ok(field in described, field);
  });

  test('a namespace takes its templates along, and nothing new gets into it', async () => {
    const name = 'leaving';
    await client.create(namespaces, { metadata: { name } });
    const held = { name: 'held', namespace: name, finalizers: ['ssvirt.io/test'] };
    await client.create(templates, { ...template, metadata: held });
    await client.create(templates, { ...template, metadata: { name: 'free', namespace: name } });
    await client.delete(namespaces, { name });
    // An extension server learns through its watch that the namespace is terminating: objects created before that are
    // accepted, and deleted with it.
    let late: Awaited<ReturnType<typeof refusal>>;
    let tries = 0;
    await until('nothing new gets in', async () => {
      const metadata = { name: `late-${tries++}`, namespace: name };
      late = await refusal(() => client.create(templates, { ...template, metadata }));
      return late !== undefined;
    });
    assert.equal(late?.code, 403);
    assert.match(
      late.status?.message ?? '',
      /unable to create new content in namespace leaving because it is being terminated$/,
    );
    const there = async (): Promise<readonly string[]> =>
      (await client.list(templates, { namespace: name })).items.map(({ metadata }) => metadata.name ?? '');
    await until('what is free is gone', async () => (await there()).join() === 'held', { deadlineMs: 60_000 });
    await client.patch(
      templates,
      { namespace: name, name: 'held' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await until('the namespace is gone', () => isGone(client, namespaces, { name }), { deadlineMs: 60_000 });
  });
}

const plain = { spec: { domain: { devices: {}, memory: { guest: '1Gi' } } } };

interface Answer {
  readonly code: number;
  readonly body: Unstructured;
}

const key = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace, name });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function isGone(client: Client, type: ResourceType, at: ObjectKey): Promise<boolean> {
  try {
    await client.get(type, at);
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

async function refusal(act: () => Promise<unknown>): Promise<KubeError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof KubeError) return error;
    throw error;
  }
}
