/** Order templates on a cluster: the objects of their orders, and what they cannot reach. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  claims,
  configMaps,
  dataVolumes,
  namespaces,
  secrets,
  services,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import {
  orders,
  orderTemplates,
  type Order,
  type OrderTemplate,
} from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { asTemplate, attacks } from '../../packages/ssvirt/src/kubevirt/order/custom/attacks.fixture.ts';
import { annotations, labels } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import type {
  OrderTemplateSpec,
  TemplateParameter,
} from '../../packages/ssvirt/src/kubevirt/order/parameters/template.ts';
import { until } from '../runtime/until.ts';
import { samples } from './definitions.ts';
import { CloudkitHarness, nativeTemplate, ordersNamespace, patient, tenant, type RunningOperator } from './harness.ts';

const madeKinds: readonly ResourceType<KubeObject>[] = [
  secrets,
  configMaps,
  services,
  claims,
  dataVolumes,
  virtualMachines,
];

type Json = Readonly<Record<string, unknown>>;

const own = (suffix = ''): Json => ({ name: `\${ORDER_NAME}${suffix}` });
const configMap = (suffix: string, data: Json): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: own(suffix),
  data,
});
const secret = (suffix: string, stringData: Json): Json => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: own(suffix),
  stringData,
});
const disk = (suffix: string, url: string, size = '1Gi'): Json => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: own(suffix),
  spec: {
    source: { registry: { url } },
    pvc: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } },
  },
});
const machine = (volumes: readonly Json[], cores: unknown = 1): Json => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: own('-vm'),
  spec: {
    running: true,
    template: {
      spec: {
        domain: {
          cpu: { cores },
          memory: { guest: '64Mi' },
          devices: { disks: volumes.map(({ name }) => ({ name, disk: { bus: 'virtio' } })) },
        },
        volumes,
      },
    },
  },
});

describe('an order by a custom template', () => {
  let harness: CloudkitHarness;
  let running: RunningOperator;
  before(async () => {
    harness = await CloudkitHarness.start();
    running = harness.operate();
  });
  after(() => harness.stop());

  const template = (
    name: string,
    objects: readonly Json[],
    parameters: readonly TemplateParameter[] = [],
  ): Promise<OrderTemplate> =>
    harness.client.create(orderTemplates, {
      metadata: { name },
      spec: { templateID: `team.${name}`, parameters, objects: objects as unknown as OrderTemplateSpec['objects'] },
    });
  const rewrite = (name: string, objects: readonly Json[]): Promise<unknown> =>
    harness.client.patch(orderTemplates, { name }, { type: 'merge', body: { spec: { objects } } });
  const accepted = async (name: string, status: string, reason: string): Promise<string> => {
    let message = '';
    await until(
      `template ${name} has Accepted=${status} ${reason}`,
      async () => {
        const found = await harness.client.get(orderTemplates, { name });
        const condition = findCondition(found.status?.conditions, 'Accepted');
        message = condition?.message ?? '';
        if (condition?.status === status && condition.reason === reason) return true;
        throw new Error(`it has ${JSON.stringify(found.status)}`);
      },
      patient,
    );
    return message;
  };
  const order = (name: string, by: string, parameters?: object): Promise<Order> =>
    harness.order(name, { templateID: `team.${by}`, ...defined({ parameters }) });
  const madeFor = async (name: string): Promise<readonly string[]> => {
    const labelSelector = `${labels.order}=${name}`;
    const all = await Promise.all(madeKinds.map((type) => harness.client.list(type, { labelSelector })));
    return all.flatMap(({ items }, at) =>
      items.map(({ metadata }) => `${madeKinds[at]?.kind ?? ''} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`),
    );
  };
  const goneFrom = (type: ResourceType<KubeObject>, name: string): Promise<void> =>
    until(`${type.kind} ${name} is gone`, async () => (await harness.look(type, name)) === undefined, patient);
  const progressingSays = (name: string, says: RegExp): Promise<Order> =>
    harness.reaches(name, `says ${says}`, ({ status }) =>
      says.test(findCondition(status?.conditions, 'Progressing')?.message ?? ''),
    );

  test('is fulfilled as the sample says, is reported, and changes with its parameters', async () => {
    const [sample, ledger] = samples().find(({ file }) => file === 'order-custom-template.yaml')?.objects ?? [];
    assert.ok(sample !== undefined && ledger !== undefined);
    await harness.client.create(orderTemplates, sample as unknown as OrderTemplate);
    assert.equal(await accepted('database', 'True', 'AsExpected'), 'Orders can use it.');
    const { spec, metadata } = ledger as unknown as Order;
    await harness.client.create(orders, { spec, metadata: { ...metadata, namespace: ordersNamespace } });
    const ready = await harness.phase('ledger', 'Ready');
    assert.deepEqual(ready.status?.virtualMachineReference, {
      namespace: tenant,
      kubeVirtVirtualMachineName: 'ledger',
    });
    const told = ready.status.conditions?.map(({ type, status }) => `${type}=${status}`).toSorted();
    assert.deepEqual(told, [
      'Accepted=True',
      'Available=True',
      'DataVolumeReady=True',
      'Deleting=False',
      'ObjectsReady=True',
      'Progressing=False',
      'ServiceReady=True',
      'VirtualMachineReady=True',
    ]);
    const cores = async (): Promise<unknown> => {
      const { spec: made } = (await harness.child(virtualMachines, 'ledger')) as unknown as {
        spec: { template: { spec: { domain: { cpu: { cores: unknown } } } } };
      };
      return made.template.spec.domain.cpu.cores;
    };
    assert.equal(await cores(), 4);
    const { data } = (await harness.child(secrets, 'ledger-cloud-init')) as unknown as { data: Json };
    assert.equal(Buffer.from(String(data['userData']), 'base64').toString(), '#cloud-config\nhostname: ledger\n');
    const { spec: claimed } = (await harness.child(claims, 'ledger-data')) as unknown as {
      spec: { storageClassName?: string; resources: { requests: { storage: string } } };
    };
    assert.equal(claimed.resources.requests.storage, '50Gi');
    assert.equal(typeof claimed.storageClassName, 'string');

    // A stopped VM stays stopped.
    await harness.client.patch(
      virtualMachines,
      { namespace: tenant, name: 'ledger' },
      { type: 'merge', body: { spec: { running: false } } },
    );
    await harness.condition('ledger', 'Available', 'False', 'Stopped');
    await harness.ask('ledger', { data_size: '50Gi', cpu_cores: '8' });
    await until('the cores are changed', async () => (await cores()) === 8, patient);
    const after8 = (await harness.child(virtualMachines, 'ledger')) as unknown as { spec: { running: boolean } };
    assert.equal(after8.spec.running, false);

    await harness.ask('ledger', { data_size: '60Gi', cpu_cores: 8 });
    await until(
      'the disk grows',
      async () => {
        const { spec: grown } = (await harness.child(claims, 'ledger-data')) as unknown as { spec: typeof claimed };
        return grown.resources.requests.storage === '60Gi';
      },
      patient,
    );
    await harness.ask('ledger', { data_size: '60Gi', cpu_cores: 17 });
    const refusal = await harness.condition('ledger', 'Accepted', 'False', 'InvalidParameters');
    assert.match(
      refusal.message,
      /cpu_cores is "17", but must be a whole number in digits only of at least 1 and at most 16/,
    );
    await harness.ask('ledger', { data_size: '60Gi', edition: '40' });
    const immutable = await harness.condition('ledger', 'Accepted', 'False', 'ImmutableFieldChanged');
    assert.match(immutable.message, /DataVolume "ledger-root-disk" .*fedora:41", now from .*fedora:40"/);
    await harness.ask('ledger', { data_size: '40Gi' });
    const shrunk = await harness.reaches('ledger', 'is refused a smaller disk', ({ status }) =>
      /do not shrink/.test(findCondition(status?.conditions, 'Accepted')?.message ?? ''),
    );
    assert.match(findCondition(shrunk.status?.conditions, 'Accepted')?.message ?? '', /"ledger-data" is 40Gi/);
    assert.equal(await cores(), 8);
  });

  describe('makes nothing and says why: an order cannot', () => {
    const uid = (at: number): string => `attack-${at}`;
    before(async () => {
      await Promise.all(
        attacks.map(async (attack, at) => {
          await harness.client.create(orderTemplates, {
            metadata: { name: uid(at) },
            spec: asTemplate(attack, `attack.n${at}`),
          });
          await harness.order(uid(at), {
            templateID: `attack.n${at}`,
            ...defined({ parameters: attack.given }),
          });
        }),
      );
    });
    for (const [at, attack] of attacks.entries())
      test(attack.name, async () => {
        const { message } = await harness.condition(uid(at), 'Accepted', 'False');
        assert.match(message, attack.says);
        assert.deepEqual(await madeFor(uid(at)), []);
      });

    test('use a template with a forbidden kind, and the template says so itself', async () => {
      assert.match(await accepted('attack-0', 'False', 'ForbiddenKind'), /is of kind "RoleBinding"/);
      assert.match(await accepted('attack-3', 'False', 'InvalidTemplate'), /metadata\.namespace is "kube-system"/);
    });
  });

  test('makes nothing where the server would refuse one of its objects', async () => {
    await template('refused', [
      configMap('-a', { text: 'x' }),
      { apiVersion: 'v1', kind: 'Service', metadata: own('-s'), spec: { ports: [{ port: 70_000 }] } },
    ]);
    await order('refused', 'refused');
    const { message } = await harness.condition('refused', 'Progressing', 'False', 'Refused');
    assert.match(message, /cannot write Service "tenant-a\/refused-s"/);
    assert.deepEqual(await madeFor('refused'), []);
  });

  test('creates nothing while a foreign object has one of its names, and continues when that is gone', async () => {
    await template('meets', [configMap('-a', { text: 'ours' }), secret('-b', { text: 'ours' })]);
    const foreign = { metadata: { namespace: tenant, name: 'meets-b' } };
    await harness.client.create(secrets, foreign);
    await order('meets', 'meets');
    const { message } = await harness.condition('meets', 'Accepted', 'False', 'NameConflict');
    assert.match(message, /Secret "tenant-a\/meets-b" exists and is not part of this order/);
    assert.deepEqual(await madeFor('meets'), []);
    await harness.client.delete(secrets, { namespace: tenant, name: 'meets-b' });
    await harness.annotate('meets', { 'example.org/look': 'again' });
    const ready = await harness.phase('meets', 'Ready');
    assert.equal(ready.status?.virtualMachineReference, undefined);
    assert.match(findCondition(ready.status?.conditions, 'Available')?.message ?? '', /has no virtual machine/);
  });

  test('loses what its template does not have any more, but never a disk, and not before the order is changed', async () => {
    const volumes = [{ name: 'a', dataVolume: { name: '${ORDER_NAME}-a' } }];
    const all = [disk('-a', 'docker://quay.io/x/a'), disk('-b', 'docker://quay.io/x/b'), machine(volumes)];
    await template('sheds', [configMap('-c', { text: '1' }), secret('-d', { text: '1' }), ...all]);
    await order('sheds', 'sheds');
    const ready = await harness.phase('sheds', 'Ready');
    assert.equal(ready.status?.virtualMachineReference?.kubeVirtVirtualMachineName, 'sheds-vm');

    await rewrite('sheds', [configMap('-c', { text: '2' }), disk('-a', 'docker://quay.io/x/a'), machine(volumes)]);
    await progressingSays('sheds', /All is as ordered\. The template "team\.sheds" has changed since/);
    const text = async (): Promise<unknown> => {
      const { data } = (await harness.child(configMaps, 'sheds-c')) as unknown as { data: Json };
      return data['text'];
    };
    assert.equal(await text(), '1');
    assert.notEqual(await harness.look(secrets, 'sheds-d'), undefined);

    await harness.change('sheds', { spec: { desiredConfigVersion: 'second' } });
    await progressingSays('sheds', /No longer asked for, and kept until the order is deleted: DataVolume "sheds-b"\./);
    await goneFrom(secrets, 'sheds-d');
    assert.equal(await text(), '2');
    assert.notEqual(await harness.look(dataVolumes, 'sheds-b'), undefined);
  });

  test('that is to be by the built-in template loses what the other has made, but for its disks', async () => {
    const volumes = [{ name: 'a', dataVolume: { name: '${ORDER_NAME}-a' } }];
    await template('moves', [secret('-d', { text: '1' }), disk('-a', 'docker://quay.io/x/a'), machine(volumes)]);
    await order('moves', 'moves');
    await harness.phase('moves', 'Ready');
    await harness.change('moves', { spec: { templateID: nativeTemplate } });
    await goneFrom(virtualMachines, 'moves-vm');
    await goneFrom(secrets, 'moves-d');
    await harness.reaches('moves', 'has nothing of its template', ({ metadata, status }) => {
      const { [annotations.templateVersion]: of } = metadata.annotations ?? {};
      return of === undefined && status?.virtualMachineReference?.kubeVirtVirtualMachineName === 'moves';
    });
    assert.notEqual(await harness.look(dataVolumes, 'moves-a'), undefined);
    await harness.delete('moves');
    await harness.gone('moves');
    assert.deepEqual(await madeFor('moves'), []);
  });

  test('stays when its template is deleted, and says so', async () => {
    await template('goes', [secret('-d', { text: '1' }), machine([])]);
    await order('goes', 'goes');
    await harness.phase('goes', 'Ready');
    await harness.client.delete(orderTemplates, { name: 'goes' });
    const left = await progressingSays('goes', /The template "team\.goes" no longer exists/);
    assert.equal(left.status?.phase, 'Ready');
    assert.deepEqual(await madeFor('goes'), ['Secret tenant-a/goes-d', 'VirtualMachine tenant-a/goes-vm']);
    await harness.ask('goes', { any: 1 });
    await harness.condition('goes', 'Accepted', 'False', 'UnsupportedTemplate');
    assert.deepEqual(await madeFor('goes'), ['Secret tenant-a/goes-d', 'VirtualMachine tenant-a/goes-vm']);
    await harness.delete('goes');
    await harness.gone('goes');
    assert.deepEqual(await madeFor('goes'), []);
    await harness.delete('sheds');
    await harness.gone('sheds');
    assert.deepEqual(await madeFor('sheds'), []);
  });

  test('waits for its template, and takes it up when it comes or is corrected', async () => {
    await order('early', 'late');
    await harness.condition('early', 'Accepted', 'False', 'UnsupportedTemplate');
    await template('late', [configMap('-c', { text: '${nobody}' })]);
    await harness.condition('early', 'Accepted', 'False', 'InvalidTemplate');
    await rewrite('late', [configMap('-c', { text: 'x' })]);
    await harness.phase('early', 'Ready');
  });

  test('is mended: what is taken away or changed comes back', async () => {
    await template('mended', [configMap('-c', { text: 'x' })]);
    await order('mended', 'mended');
    await harness.phase('mended', 'Ready');
    const key = { namespace: tenant, name: 'mended-c' };
    const before = await harness.child(configMaps, 'mended-c');
    await harness.client.delete(configMaps, key);
    await until(
      'it is made again',
      async () =>
        ((await harness.look(configMaps, 'mended-c'))?.metadata.uid ?? before.metadata.uid) !== before.metadata.uid,
      patient,
    );
    await harness.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'y' } } });
    await until(
      'it says what it should',
      async () => ((await harness.child(configMaps, 'mended-c'))['data'] as Json)['text'] === 'x',
      patient,
    );
  });

  test('of two templates with one id means the older, and none takes a built-in id', async () => {
    const spec = {
      templateID: 'team.twice',
      objects: [configMap('-c', { text: 'x' })] as unknown as OrderTemplateSpec['objects'],
    };
    await harness.client.create(orderTemplates, { metadata: { name: 'a-first' }, spec });
    await accepted('a-first', 'True', 'AsExpected');
    await harness.client.create(orderTemplates, { metadata: { name: 'b-second' }, spec });
    assert.match(await accepted('b-second', 'False', 'IdTaken'), /OrderTemplate "a-first", which is older/);
    await harness.client.delete(orderTemplates, { name: 'a-first' });
    await accepted('b-second', 'True', 'AsExpected');
    await harness.client.create(orderTemplates, {
      metadata: { name: 'builtin' },
      spec: { ...spec, templateID: 'osac.templates.ocp_virt_vm' },
    });
    assert.match(await accepted('builtin', 'False', 'IdTaken'), /is built in/);
  });

  test('sends no requests while it is as ordered, though it is reconciled', async () => {
    const total = async (metric: string, of: Readonly<Record<string, string>> = {}): Promise<number> => {
      const { values } = (await running.registry.getSingleMetric(metric)?.get()) ?? { values: [] };
      const those = values.filter(({ labels: has }) =>
        Object.entries(of).every(([name, value]) => has[name] === value),
      );
      return those.reduce((sum, { value }) => sum + value, 0);
    };
    const requests = (): Promise<number> => total('rest_client_requests_total');
    const rounds = (): Promise<number> => total('controller_runtime_reconcile_total', { controller: 'Order' });
    await template('rests', [
      configMap('-c', { text: 'x' }),
      secret('-d', { text: 'x' }),
      disk('-a', 'docker://quay.io/x/a'),
      machine([{ name: 'a', dataVolume: { name: '${ORDER_NAME}-a' } }]),
      { apiVersion: 'v1', kind: 'Service', metadata: own('-s'), spec: { ports: [{ port: 22 }] } },
    ]);
    await order('rests', 'rests');
    await harness.phase('rests', 'Ready');
    assert.ok((await requests()) > 0);
    let looks = 0;
    // Not at the first reconcile: guest agents report late, and events are sent later.
    await until(
      'three reconciles send no request',
      async () => {
        const before = await requests();
        for (let look = 0; look < 3; look++) {
          const seen = await rounds();
          await harness.annotate('rests', { 'example.org/look': String(looks++) });
          await until('it is looked at', async () => (await rounds()) > seen, patient);
        }
        const asked = (await requests()) - before;
        if (asked === 0) return true;
        throw new Error(`there were ${asked} requests`);
      },
      patient,
    );
  });

  test('touches no namespace but that of its tenant', async () => {
    const { items } = await harness.client.list(namespaces, {});
    for (const type of madeKinds)
      for (const { metadata } of items.filter(({ metadata: { name } }) => name !== tenant)) {
        const { items: found } = await harness.client.list(type, {
          namespace: metadata.name ?? '',
          labelSelector: labels.order,
        });
        assert.deepEqual(found, [], `${type.kind} in ${metadata.name ?? ''}`);
      }
  });
});
