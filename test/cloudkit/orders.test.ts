/**
 * Orders in controller mode, from creation to deletion: their objects in the tenant namespace, and the effect of every
 * change.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  claims,
  dataVolumes,
  instances,
  namespaces,
  secrets,
  services,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import { type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { configVersion, desiredVersion } from '../../packages/ssvirt/src/kubevirt/order/config-version.ts';
import { annotations, finalizer, labels } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { eventType } from '../../packages/kube/src/events/event.ts';
import { LookupError } from '../../packages/base/src/net/resolver.ts';
import { UrlFilter } from '../../packages/base/src/net/url-filter.ts';
import { until } from '../runtime/until.ts';
import { CloudkitHarness, ordersNamespace, patient, tenant, type RunningOperator } from './harness.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me@example.com';
const userData = '#cloud-config\npackages: [nginx]\n';
const first = {
  cpu_cores: '4',
  memory: '8Gi',
  disk_size: '20Gi',
  image_source: 'quay.io/containerdisks/fedora:42',
  cloud_init_config: Buffer.from(userData).toString('base64'),
  ssh_public_key: key,
  exposed_ports: '22/tcp,53/udp',
};
const kinds: readonly ResourceType<KubeObject>[] = [secrets, dataVolumes, claims, virtualMachines, instances, services];

const images = new UrlFilter(
  { allowedHosts: ['quay.io'], allowedCidrs: [] },
  { hosts: 'images.allowedHosts', cidrs: 'images.allowedCidrs' },
  () => Promise.reject(new LookupError('DNS does not answer (ETIMEOUT)')),
);

describe('orders in controller mode', () => {
  let harness: CloudkitHarness;
  let operator: RunningOperator;

  before(async () => {
    harness = await CloudkitHarness.start();
    operator = harness.operate({ resyncInterval: '500ms' }, images);
  });
  after(() => harness?.stop());

  /** By kind and name. */
  const standing = async (namespace = tenant): Promise<Readonly<Record<string, string>>> => {
    const all = await Promise.all(kinds.map((type) => harness.client.list(type, { namespace })));
    const entries = all.flatMap(({ items }, at) =>
      items.map(({ metadata: { name, uid = '' } }) => [`${kinds[at]?.kind} ${name}`, uid] as const),
    );
    return Object.fromEntries(entries);
  };
  /** The present spec is done, and the VM runs. */
  const ready = (name: string): Promise<Order> =>
    harness.reaches(name, 'is as ordered', ({ metadata, spec, status }) => {
      const { phase, reconciledConfigVersion, observedGeneration } = status ?? {};
      return (
        phase === 'Ready' &&
        reconciledConfigVersion === desiredVersion(spec) &&
        observedGeneration === metadata.generation
      );
    });
  const spec = (object: Unstructured): Readonly<Record<string, unknown>> =>
    object['spec'] as Readonly<Record<string, unknown>>;
  const template = async (
    name: string,
  ): Promise<{
    readonly domain: { readonly cpu: object; readonly memory: object };
    readonly volumes: readonly object[];
  }> => {
    const vm = spec(await harness.child(virtualMachines, name)) as { readonly template: { readonly spec: never } };
    return vm.template.spec;
  };

  test('an order of one namespace becomes objects in another, as asked for, and says where its machine is reached', async () => {
    await harness.order('web', { parameters: first });
    const order = await ready('web');
    assert.deepEqual(Object.keys(await standing()).toSorted(), [
      'DataVolume web-root-disk',
      'PersistentVolumeClaim web-root-disk',
      'Secret web-cloud-init',
      'Secret web-ssh-public-key',
      'Service web-load-balancer',
      'VirtualMachine web',
      'VirtualMachineInstance web',
    ]);
    const text = (value: string): string => Buffer.from(value).toString('base64');
    assert.deepEqual((await harness.child(secrets, 'web-cloud-init'))['data'], { userData: text(userData) });
    assert.deepEqual((await harness.child(secrets, 'web-ssh-public-key'))['data'], { 'ssh-public-key': text(key) });
    assert.partialDeepStrictEqual(spec(await harness.child(dataVolumes, 'web-root-disk')), {
      source: { registry: { url: 'docker://quay.io/containerdisks/fedora:42' } },
      pvc: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } } },
    });
    assert.partialDeepStrictEqual(spec(await harness.child(virtualMachines, 'web')), {
      running: true,
      template: {
        metadata: { labels: { 'kubevirt.io/vm': 'web' } },
        spec: {
          domain: { cpu: { cores: 4 }, memory: { guest: '8Gi' } },
          volumes: [
            { name: 'root-disk', dataVolume: { name: 'web-root-disk' } },
            { name: 'cloud-init-disk', cloudInitNoCloud: { secretRef: { name: 'web-cloud-init' } } },
          ],
        },
      },
    });
    assert.partialDeepStrictEqual(spec(await harness.child(services, 'web-load-balancer')), {
      type: 'LoadBalancer',
      selector: { 'kubevirt.io/vm': 'web' },
      ports: [
        { name: 'tcp-22', port: 22, protocol: 'TCP' },
        { name: 'udp-53', port: 53, protocol: 'UDP' },
      ],
    });
    const told = await harness.reaches(
      'web',
      'has its addresses',
      ({ status }) => status?.loadBalancerAddress !== undefined && (status.ipAddresses ?? []).length > 0,
    );
    assert.equal(told.metadata.annotations?.[annotations.floatingIp], told.status?.loadBalancerAddress);
    assert.equal(order.status?.provisionedBy, 'controller');
    assert.equal(order.status.reconciledConfigVersion, configVersion(order.spec));
    assert.equal(order.metadata.annotations?.[annotations.reconciledConfigVersion], configVersion(order.spec));
    assert.deepEqual(order.status.virtualMachineReference, { namespace: tenant, kubeVirtVirtualMachineName: 'web' });
    assert.deepEqual(order.metadata.finalizers, [finalizer]);
    for (const type of [secrets, dataVolumes, virtualMachines, services])
      for (const { metadata } of (await harness.client.list(type, { namespace: tenant })).items) {
        const { uid } = order.metadata;
        assert.partialDeepStrictEqual(metadata.labels, { [labels.order]: 'web', 'ssvirt.io/parent-uid': uid });
        assert.equal(metadata.annotations?.['ssvirt.io/parent'], `${ordersNamespace}/web`);
        assert.equal(metadata.ownerReferences, undefined, 'the garbage collector would take it');
      }
  });

  test('it is ready only when its machine is', async () => {
    await harness.order('large', { parameters: { memory: '9000Gi' } });
    await harness.condition('large', 'Available', 'False', 'Unschedulable');
    const waiting = await harness.condition('large', 'Progressing', 'True', 'Progressing');
    assert.match(waiting.message ?? '', /the virtual machine is not ready yet/);
    const { status, spec: asked } = await harness.read('large');
    assert.equal(status?.phase, 'Progressing');
    assert.equal(status.reconciledConfigVersion, desiredVersion(asked));
    await harness.ask('large', { memory: '2Gi' });
    await harness.reaches(
      'large',
      'is applied',
      (one) => one.status?.reconciledConfigVersion === desiredVersion(one.spec),
    );
    // KubeVirt applies the change to the next instance.
    await harness.client.delete(instances, { namespace: tenant, name: 'large' });
    await ready('large');
    await harness.delete('large');
    await harness.gone('large');
  });

  test('what is changed is applied to what is there: processors, memory, ports, the key; and the disk grows', async () => {
    const before = await standing();
    const second = {
      ...first,
      cpu_cores: 2,
      memory: '4Gi',
      disk_size: '30Gi',
      ssh_public_key: `${key}2`,
      exposed_ports: '443/tcp',
    };
    await harness.ask('web', second);
    await ready('web');
    assert.deepEqual(await standing(), before);
    assert.partialDeepStrictEqual((await template('web')).domain, { cpu: { cores: 2 }, memory: { guest: '4Gi' } });
    const { ports } = spec(await harness.child(services, 'web-load-balancer'));
    assert.partialDeepStrictEqual(ports, [{ name: 'tcp-443', port: 443 }]);
    assert.equal((ports as readonly object[]).length, 1);
    const data = (await harness.child(secrets, 'web-ssh-public-key'))['data'];
    assert.deepEqual(data, { 'ssh-public-key': Buffer.from(`${key}2`).toString('base64') });
    await until(
      'the disk has grown',
      async () => {
        const { status } = (await harness.child(claims, 'web-root-disk')) as {
          status?: { capacity?: { storage?: string } };
        };
        if (status?.capacity?.storage === '30Gi') return true;
        throw new Error(JSON.stringify(status));
      },
      patient,
    );
  });

  test('nothing is imported from inside of the cluster, or from a host that cannot be looked up', async () => {
    const before = await standing();
    await harness.order('inside', { parameters: { ...first, image_source: 'registry.infra.svc:5000/fedora' } });
    const { message } = await harness.condition('inside', 'Progressing', 'False', 'InvalidParameters');
    assert.match(message ?? '', /"registry\.infra\.svc" is a name inside of .*\(images\.allowedHosts\)/);
    await harness.order('unknown', { parameters: { ...first, image_source: 'images.example/fedora' } });
    const { message: unknown } = await harness.condition('unknown', 'Progressing', 'False', 'InvalidParameters');
    assert.match(unknown ?? '', /"images\.example" cannot be checked: DNS does not answer \(ETIMEOUT\)/);
    assert.deepEqual(await standing(), before);
    for (const name of ['inside', 'unknown']) {
      await harness.delete(name);
      await harness.gone(name);
    }
  });

  test('a smaller disk, and another image, are refused and said; what is there goes on', async () => {
    const before = await standing();
    const kept = {
      ...first,
      cpu_cores: 2,
      memory: '4Gi',
      disk_size: '30Gi',
      ssh_public_key: `${key}2`,
      exposed_ports: '443/tcp',
    };
    await harness.ask('web', { ...kept, disk_size: '10Gi' });
    const shrunk = await harness.condition('web', 'Progressing', 'False', 'ImmutableFieldChanged');
    assert.match(shrunk.message ?? '', /disks do not shrink: set disk_size to 30Gi or more/);
    await harness.ask('web', { ...kept, image_source: 'quay.io/containerdisks/fedora:43' });
    await harness.reaches('web', 'names the image', ({ status }) =>
      /fedora:43.*what is on a disk is not replaced/.test(JSON.stringify(status)),
    );
    assert.equal((await harness.phase('web', 'Failed')).status?.reconciledConfigVersion !== undefined, true);
    await harness.condition('web', 'Available', 'True');
    await harness.ask('web', kept);
    await ready('web');
    assert.deepEqual(await standing(), before);
  });

  test('a foreign change of our field is reverted, and a foreign addition stays', async () => {
    const place = { namespace: tenant, name: 'web' };
    const { volumes } = await template('web');
    const plugged = { name: 'plugged', persistentVolumeClaim: { claimName: 'elsewhere', hotpluggable: true } };
    const body = { spec: { template: { spec: { domain: { cpu: { cores: 7 } }, volumes: [...volumes, plugged] } } } };
    await harness.client.patch(virtualMachines, place, { type: 'merge', body });
    await until(
      'it is as ordered again',
      async () => {
        const { domain } = await template('web');
        return (domain.cpu as { readonly cores?: number }).cores === 2;
      },
      patient,
    );
    assert.partialDeepStrictEqual((await template('web')).volumes, [...volumes, plugged]);
    await harness.client.delete(secrets, { namespace: tenant, name: 'web-cloud-init' });
    await until(
      'the Secret is there again',
      async () => (await harness.look(secrets, 'web-cloud-init')) !== undefined,
      patient,
    );
  });

  test('nothing is made in a namespace that is not bound', async () => {
    await harness.client.create(namespaces, { metadata: { name: 'elsewhere' } });
    await harness.order('stray', { tenantNamespace: 'elsewhere' });
    const { message } = await harness.condition('stray', 'Accepted', 'False', 'NamespaceNotBound');
    assert.match(message, /ask an administrator to bind it/);
    assert.deepEqual(await standing('elsewhere'), {});
    await harness.delete('stray');
    await harness.gone('stray');
  });

  test('nothing is made in a namespace whose Secrets are closed to the operator, and all of it when they are opened', async () => {
    const { faults } = harness.sandbox;
    const closed = { name: 'closed', labels: { [labels.project]: ordersNamespace } };
    await harness.client.create(namespaces, { metadata: closed });
    const { id } = faults.add({ kind: '403', path: '/api/v1/namespaces/closed/secrets' });
    await harness.order('unbound', { tenantNamespace: 'closed' });
    await harness.order('given-up', { tenantNamespace: 'closed' });
    const { message } = await harness.condition('unbound', 'Accepted', 'False', 'SecretsForbidden');
    assert.match(message, /apply the output of "ssvirt order bind-namespace closed"/);
    await harness.condition('given-up', 'Accepted', 'False', 'SecretsForbidden');
    await harness.delete('given-up');
    await harness.gone('given-up');
    const { items: machines } = await harness.client.list(virtualMachines, { namespace: 'closed' });
    assert.deepEqual(machines, []);
    faults.remove(id);
    await ready('unbound');
    await harness.delete('unbound');
    await harness.gone('unbound');
    assert.deepEqual(await standing('closed'), {});
  });

  test('when all is as ordered, another reconcile sends no request', async () => {
    await ready('web');
    const sum = async (metric: string, labels: object = {}): Promise<number> => {
      const { values } = (await operator.registry.getSingleMetric(metric)?.get()) ?? { values: [] };
      return values
        .filter((one) => Object.entries(labels).every(([name, value]) => one.labels[name] === value))
        .reduce((total, { value }) => total + value, 0);
    };
    const rounds = (): Promise<number> => sum('controller_runtime_reconcile_total', { controller: 'Order' });
    const requests = (): Promise<number> => sum('rest_client_requests_total');
    // Not the first three times: guest agents report late, and events are sent later.
    await until(
      'three reconciles send no request',
      async () => {
        const [from, before] = [await rounds(), await requests()];
        await until('it is looked at three times', async () => (await rounds()) >= from + 3, patient);
        const asked = (await requests()) - before;
        if (asked === 0) return true;
        throw new Error(`there were ${asked} requests`);
      },
      patient,
    );
  });

  test('a deleted disk is created again, and an event says so', async () => {
    for (const type of [dataVolumes, claims])
      await harness.client.delete(type, { namespace: tenant, name: 'web-root-disk' });
    // A claim in use is protected by its user.
    await harness.client.delete(instances, { namespace: tenant, name: 'web' });
    let told: readonly (string | undefined)[] = [];
    await until(
      'it is said',
      async () => {
        const { items } = await harness.client.list(eventType, { namespace: ordersNamespace });
        told = items.filter(({ reason }) => reason === 'DiskRemade').map(({ message }) => message);
        return told.length > 0;
      },
      patient,
    );
    assert.match(told[0] ?? '', /"tenant-a\/web-root-disk" was deleted; .* its data is lost/);
    await harness.condition('web', 'DataVolumeReady', 'True');
  });

  test('an order that is deleted leaves nothing', async () => {
    await harness.delete('web');
    await harness.gone('web');
    assert.deepEqual(await standing(), {});
  });
});
