/**
 * The operator with the rights of deploy/rbac and no others, on a kube-apiserver that enforces them, guards OwnerReferences and keeps an audit log, with KubeVirt's and CDI's
 * own definitions where these are found; run by .ci/run. A right that is taken away is refused there, or missed at the end.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { schema } from '../../src/config/keys.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/config/log.ts';
import { claims, orders, virtualMachines, type Order } from '../../src/controllers/cloudkit/kinds.ts';
import { runCloudkitOperator } from '../../src/controllers/cloudkit/process.ts';
import { namespaces, secrets } from '../../src/fleet/kubevirt-config.ts';
import type { Client } from '../../src/kube/client/client.ts';
import { eventType } from '../../src/kube/events/event.ts';
import type { Unstructured } from '../../src/kube/object.ts';
import { startSimulators, type Simulators } from '../../src/sandbox/simulators/start.ts';
import { annotations, labels, type Mode } from '../../src/virt/order/resource.ts';
import { install } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { notRun } from '../not-run.ts';
import { rightsOf } from '../rbac/granted.ts';
import { GuardedCluster } from '../rbac/guarded-cluster.ts';
import { until } from '../runtime/until.ts';
import { manifests } from '../vm-status/manifests.ts';
import { RecordingAap } from './aap/recording.ts';
import { contentsOf, newsSince } from './contents.ts';
import { definitionOf } from './definitions.ts';
import { look, nativeTemplate, ordersNamespace, tenant } from './ground.ts';

const patient = { deadlineMs: 90_000, everyMs: 100 };
const token = 'of-the-webhooks';
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me';
const crds = resolve(
  process.env['SSVIRT_TEST_UPSTREAM_CRDS'] ?? join(import.meta.dirname, '../../../shared/upstream-crds'),
);

/** What is granted and does not stand in the log, by the reason for it. That each is needed all the same is in test/rbac/cloudkit-operator.suite.ts. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  'is needed beside the right to patch, by an apply that makes one': [
    'create secrets',
    'create services',
    'create virtualmachines',
  ],
  'is asked for by the server where an object is owned by its order': ['update virtualmachines/finalizers'],
  'is for a server that cannot stream what is there at the begin of a watch': [
    'list namespaces',
    'list ordertemplates',
    'list storageclasses',
  ],
  'goes with the rights to list and to watch: who may do these sees as much': [
    'get ordertemplates',
    'get storageclasses',
    'get virtualmachineinstances',
  ],
  'is for an event that is told again': ['patch events'],
  'is for an instance that its virtual machine has left behind': ['delete virtualmachineinstances'],
  'is asked for where the cluster knows who reads the metrics': ['create subjectaccessreviews'],
  "is for templates of people's own": [
    'create configmaps',
    'create persistentvolumeclaims',
    'delete configmaps',
    'get configmaps',
    'patch configmaps',
    'patch ordertemplates/status',
  ],
};

describe('the rights of the cloudkit-operator', () => {
  let guarded: GuardedCluster;
  let client: Client;
  let simulators: Simulators;
  let aap: RecordingAap;
  let others: readonly string[];

  before(async () => {
    guarded = await GuardedCluster.start({
      process: 'cloudkit-operator',
      controllers: ['persistentvolume-binder-controller'],
      serverFlags: ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'],
    });
    ({ client } = guarded);
    if (!existsSync(crds)) notRun('test/cloudkit/rbac.suite.ts with the CRDs of KubeVirt and CDI', `needs ${crds}`);
    simulators = await startSimulators({
      source: fixedSource(guarded.cluster),
      name: 'real',
      parts: ['kubevirt', 'nodes', 'storage', 'cdi', 'load-balancers'],
      dials: { speed: 20 },
      log: createLogger({ level: 'error', format: 'text' }),
      ...(existsSync(crds) ? { crds } : {}),
    });
    await install(client, definitionOf('virtualmachines'), definitionOf('ordertemplates'));
    await client.create(namespaces, { metadata: { name: ordersNamespace } });
    const bound = { [labels.project]: ordersNamespace };
    await client.create(namespaces, { metadata: { name: tenant, labels: bound } });
    aap = await RecordingAap.start({ client, token });
    others = await contentsOf(client);
    await guarded.run((serving, signal) => {
      writeFileSync(guarded.file('token'), token);
      const times = { quietPeriod: '1s', retryInitial: '50ms', repeatAfter: '5s' };
      const webhooks = { createUrl: aap.createUrl, deleteUrl: aap.deleteUrl, tokenFile: guarded.file('token') };
      const cloudkit = { ...serving, aap: { ...webhooks, ...times } };
      writeFileSync(guarded.file('config.yaml'), JSON.stringify({ cloudkit }), { mode: 0o600 });
      const { config } = loadConfig(schema, { process: 'cloudkit-operator', file: guarded.file('config.yaml') });
      return runCloudkitOperator(config, pino({ level: process.env['SSVIRT_TEST_LOG'] ?? 'silent' }), signal);
    });
  });
  after(async () => {
    await guarded?.endProcess();
    await aap?.stop();
    await simulators?.stop();
    await guarded?.stop();
  });

  const order = (name: string, managedBy: Mode, tenantNamespace: string, parameters: object = {}): Promise<Order> =>
    client.create(orders, {
      metadata: { namespace: ordersNamespace, name, annotations: { [annotations.managedBy]: managedBy } },
      spec: { templateID: nativeTemplate, tenantNamespace, templateParameters: JSON.stringify(parameters) },
    });
  const ask = (name: string, parameters: object): Promise<Order> => {
    const body = { spec: { templateParameters: JSON.stringify(parameters) } };
    return client.patch(orders, { namespace: ordersNamespace, name }, { type: 'merge', body });
  };
  /** As it is asked for now. */
  const ready = async (name: string): Promise<void> =>
    until(
      `${name} is ready`,
      async () => {
        const { metadata, status } = await client.get(orders, { namespace: ordersNamespace, name });
        const { phase, observedGeneration, desiredConfigVersion, reconciledConfigVersion } = status ?? {};
        if (
          phase === 'Ready' &&
          observedGeneration === metadata.generation &&
          desiredConfigVersion === reconciledConfigVersion
        )
          return true;
        throw new Error(JSON.stringify(status));
      },
      patient,
    );
  const size = async (name: string): Promise<unknown> => {
    const claim = (await client.get(claims, { namespace: tenant, name })) as Unstructured;
    return (claim['spec'] as { resources: { requests: { storage: string } } }).resources.requests.storage;
  };

  test('they are enough for orders in the namespace of a tenant and in their own', async () => {
    await order('web', 'controller', tenant, { ssh_public_key: key, disk_size: '1Gi' });
    await order('home', 'controller', ordersNamespace);
    for (const name of ['web', 'home']) await ready(name);
    const { metadata } = await client.get(virtualMachines, { namespace: ordersNamespace, name: 'home' });
    assert.equal(metadata.ownerReferences?.[0]?.blockOwnerDeletion, true);
  });

  test('they are enough to change one, to let its disk grow and to take its key away', async () => {
    await ask('web', { cpu_cores: 3, disk_size: '2Gi', exposed_ports: '22/tcp,80/tcp' });
    await ready('web');
    await until('the disk grows', async () => (await size('web-root-disk')) === '2Gi', patient);
    // The instance was made with the key: the Secret goes with it.
    await client.delete(
      { ...virtualMachines, kind: 'VirtualMachineInstance', plural: 'virtualmachineinstances' },
      {
        namespace: tenant,
        name: 'web',
      },
    );
    const gone = async (): Promise<boolean> =>
      (await look(client, secrets, { namespace: tenant, name: 'web-ssh-public-key' })) === undefined;
    await until('the key is gone', gone, patient);
    await ready('web');
  });

  test('what somebody else changes comes back', async () => {
    const at = { namespace: tenant, name: 'web' };
    const cores = async (): Promise<unknown> => {
      const { spec } = (await client.get(virtualMachines, at)) as unknown as {
        spec: { template: { spec: { domain: { cpu: { cores: number } } } } };
      };
      return spec.template.spec.domain.cpu.cores;
    };
    const body = { spec: { template: { spec: { domain: { cpu: { cores: 7 } } } } } };
    await client.patch(virtualMachines, at, { type: 'merge', body });
    await until('the processors come back', async () => (await cores()) === 3, patient);
  });

  test('they are enough to have AAP make one, and to take it over from AAP', async () => {
    await order('old', 'aap', tenant, { ssh_public_key: key });
    await ready('old');
    const body = { metadata: { annotations: { [annotations.managedBy]: 'controller' } } };
    await client.patch(orders, { namespace: ordersNamespace, name: 'old' }, { type: 'merge', body });
    await ask('old', { cpu_cores: 3 });
    await ready('old');
    const { status } = await client.get(orders, { namespace: ordersNamespace, name: 'old' });
    assert.equal(status?.provisionedBy, 'controller');
  });

  test('they are enough to tell of them, and metrics are guarded', async () => {
    const told = async (): Promise<boolean> => {
      const { items } = await client.list(eventType, { namespace: ordersNamespace });
      return items.some(({ reason, involvedObject }) => reason === 'Provisioned' && involvedObject.name === 'web');
    };
    await until('it is told', told, patient);
    assert.equal(await guarded.scrapedByNobody(), 401);
  });

  test('they are enough to take everything away again', async () => {
    await order('last', 'aap', tenant);
    await ready('last');
    await client.deleteCollection(orders, { namespace: ordersNamespace });
    await until(
      'all orders are gone',
      async () => {
        const { items } = await client.list(orders, { namespace: ordersNamespace });
        if (items.length === 0) return true;
        throw new Error(items.map(({ status }) => JSON.stringify(status)).join('\n'));
      },
      patient,
    );
    await until(
      'nothing is left',
      async () => {
        const left = await newsSince(client, others);
        if (left.length === 0) return true;
        throw new Error(left.join(', '));
      },
      patient,
    );
  });

  test('nothing that it asked for was refused, and all that is granted was asked for or is explained', () => {
    assert.deepEqual(guarded.refused, []);
    const { used } = guarded;
    const idle = rightsOf(manifests('cloudkit-operator.yaml')).filter((one) => !used.has(one));
    assert.deepEqual(idle, Object.values(unseen).flat().toSorted());
  });

  const group = '/apis/cloudkit.openshift.io/v1alpha1';
  const refusals: readonly (readonly [method: 'POST' | 'DELETE' | 'PATCH' | 'GET', path: string])[] = [
    ['POST', `${group}/namespaces/${ordersNamespace}/virtualmachines`],
    ['DELETE', `${group}/namespaces/${ordersNamespace}/virtualmachines/web`],
    ['PATCH', `${group}/ordertemplates/any`],
    ['PATCH', `/api/v1/namespaces/${tenant}`],
    ['DELETE', `/api/v1/namespaces/${tenant}`],
    ['POST', `/api/v1/namespaces/${tenant}/pods`],
    ['POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'],
    ['POST', `/api/v1/namespaces/${ordersNamespace}/serviceaccounts/default/token`],
    ['GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'],
  ];
  for (const [method, path] of refusals)
    test(`${method} ${path} is refused to it`, async () => {
      assert.equal(await guarded.codeOf(method, path), 403);
    });
});
