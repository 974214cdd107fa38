/**
 * The life of a cloudkit-operator: orders in both modes and by a custom template, their objects, a cluster that loses
 * its history, and their deletion.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { schema } from '../../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../../packages/base/src/config/load.ts';
import {
  claims,
  configMaps,
  instances,
  namespaces,
  secrets,
  storageClasses,
  virtualMachines,
} from '../../../packages/ssvirt/src/fleet/kinds.ts';
import {
  orders,
  orderTemplates,
  type OrderTemplate,
} from '../../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { runCloudkitOperator } from '../../../packages/ssvirt/src/processes/cloudkit-operator/process.ts';
import { annotations, labels, type Mode } from '../../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { AapServer } from '../../../packages/sandbox/src/simulators/aap/server.ts';
import { definitionOf } from '../../cloudkit/definitions.ts';
import { look, nativeTemplate, ordersNamespace, tenant } from '../../cloudkit/harness.ts';
import { install } from '../../fleet/definition.ts';
import { manifests } from '../../vm-status/manifests.ts';
import { boundIn } from '../right.ts';
import { nowhere, vanish } from '../decoys.ts';
import { storyTimes, type Stage } from '../stage.ts';
import type { Story } from '../story.ts';

const token = 'of-the-webhooks';
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me';

async function tell(stage: Stage): Promise<void> {
  const { client } = stage.own;
  await install(client, definitionOf('virtualmachines'), definitionOf('ordertemplates'));
  // An administrator has bound both to the operator.
  const body = { metadata: { labels: { [labels.project]: ordersNamespace } } };
  await client.patch(namespaces, { name: tenant }, { type: 'merge', body });
  const aap = new AapServer({ client, token });
  await aap.up();
  stage.onClear(() => aap.stop());
  await stage.run((serving, signal) => {
    writeFileSync(stage.file('token'), token);
    const times = { quietPeriod: '1s', retryInitial: '50ms', repeatAfter: '5s' };
    const webhooks = { createUrl: aap.createUrl, deleteUrl: aap.deleteUrl, tokenFile: stage.file('token') };
    const images = { allowedHosts: ['*'] };
    const cloudkit = { ...serving, aap: { ...webhooks, ...times } };
    writeFileSync(stage.file('config.yaml'), JSON.stringify({ cloudkit, images }), { mode: 0o600 });
    const { config } = loadConfig(schema, { process: 'cloudkit-operator', file: stage.file('config.yaml') });
    return runCloudkitOperator(config, pino({ level: 'silent' }), signal, storyTimes);
  });
  const orderBook = new OrderBook(stage);
  await nativeOrders(orderBook);
  await orderOfAap(orderBook);
  await ownTemplate(orderBook);
  await forgetting(stage);
  await end(orderBook);
  assert.equal(await stage.scraped(), 200);
}

class OrderBook {
  readonly stage: Stage;
  constructor(stage: Stage) {
    this.stage = stage;
  }

  async order(name: string, asked: { by?: Mode; in?: string; template?: string; parameters?: object }): Promise<void> {
    const { by = 'controller', in: tenantNamespace = tenant, template = nativeTemplate, parameters = {} } = asked;
    await this.stage.own.client.create(orders, {
      metadata: { namespace: ordersNamespace, name, annotations: { [annotations.managedBy]: by } },
      spec: { templateID: template, tenantNamespace, templateParameters: JSON.stringify(parameters) },
    });
  }

  async change(name: string, body: object): Promise<void> {
    await this.stage.own.client.patch(orders, { namespace: ordersNamespace, name }, { type: 'merge', body });
  }

  ask(name: string, parameters: object): Promise<void> {
    return this.change(name, { spec: { templateParameters: JSON.stringify(parameters) } });
  }

  /** As ordered now. */
  ready(name: string): Promise<void> {
    return this.stage.until(`${name} is ready`, async () => {
      const { metadata, status } = await this.stage.own.client.get(orders, { namespace: ordersNamespace, name });
      const { phase, observedGeneration, desiredConfigVersion, reconciledConfigVersion } = status ?? {};
      if (
        phase === 'Ready' &&
        observedGeneration === metadata.generation &&
        desiredConfigVersion === reconciledConfigVersion
      )
        return true;
      throw new Error(JSON.stringify(status));
    });
  }
}

/**
 * An order in the namespace of a tenant, with a disk that grows and a key that is removed; and one in the namespace of
 * its objects, which it owns.
 */
async function nativeOrders(book: OrderBook): Promise<void> {
  const { stage } = book;
  const { client } = stage.own;
  await book.order('web', { parameters: { ssh_public_key: key, disk_size: '1Gi' } });
  await book.order('home', { in: ordersNamespace });
  for (const name of ['web', 'home']) await book.ready(name);
  await book.ask('web', { cpu_cores: 3, disk_size: '2Gi', exposed_ports: '22/tcp,80/tcp' });
  await stage.until('the disk grows', async () => {
    const claim = await client.get(claims, { namespace: tenant, name: 'web-root-disk' });
    const { resources } = claim['spec'] as { resources: { requests: { storage: string } } };
    return resources.requests.storage === '2Gi';
  });
  await book.ready('web');
  // Repeated with the same text, an event is counted.
  for (const cpu_cores of [4, 5]) {
    await book.ask('web', { cpu_cores, disk_size: '2Gi', exposed_ports: '22/tcp,80/tcp', not_a_parameter: 'x' });
    await book.ready('web');
  }
  // The instance was created with the key: the Secret is deleted with it.
  await client.delete(instances, { namespace: tenant, name: 'web' });
  const at = { namespace: tenant, name: 'web-ssh-public-key' };
  await stage.until('the key is gone', async () => (await look(client, secrets, at)) === undefined);
  await book.ready('web');
}

/** AAP creates the objects, and the controller takes the order over. */
async function orderOfAap(book: OrderBook): Promise<void> {
  await book.order('old', { by: 'aap', parameters: { ssh_public_key: key } });
  await book.ready('old');
  await book.change('old', { metadata: { annotations: { [annotations.managedBy]: 'controller' } } });
  await book.ask('old', { cpu_cores: 3 });
  await book.ready('old');
}

type Json = Readonly<Record<string, unknown>>;

/** With kinds that the built-in template lacks: a ConfigMap and a claim. Later the ConfigMap is no longer ordered. */
async function ownTemplate(book: OrderBook): Promise<void> {
  const { stage } = book;
  const { client } = stage.own;
  const named = (suffix: string): Json => ({ name: `\${ORDER_NAME}${suffix}` });
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: named('-words'), data: { word: 'one' } };
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: named('-data'),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const domain = { memory: { guest: '64Mi' }, devices: {} };
  const machine = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: named(''),
    spec: { runStrategy: 'Always', template: { spec: { domain } } },
  };
  const template = {
    metadata: { name: 'own' },
    spec: { templateID: 'team.own', objects: [configMap, claim, machine] },
  };
  await client.create(orderTemplates, template as unknown as OrderTemplate);
  await book.order('ledger', { template: 'team.own' });
  await book.ready('ledger');
  const body = { spec: { objects: [claim, machine] } };
  await client.patch(orderTemplates, { name: 'own' }, { type: 'merge', body });
  await book.change('ledger', { spec: { desiredConfigVersion: 'second' } });
  const at = { namespace: tenant, name: 'ledger-words' };
  await stage.until('the ConfigMap is gone', async () => (await look(client, configMaps, at)) === undefined);
}

/** Objects that are normally read only by a cache are read one by one when many of them are missing in a list. */
async function forgetting(stage: Stage): Promise<void> {
  const nobodys = { labels: { [labels.order]: 'nobody' } };
  const byNobody = { annotations: { [annotations.managedBy]: 'nobody' } };
  await vanish(stage, stage.own, [
    {
      type: orders,
      namespace: ordersNamespace,
      metadata: byNobody,
      rest: { spec: { templateID: 'team.none', tenantNamespace: tenant } },
    },
    {
      type: orderTemplates,
      rest: {
        spec: {
          templateID: 'team.decoy',
          objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${ORDER_NAME}' } }],
        },
      },
    },
    { type: storageClasses, rest: { provisioner: 'example.com/none' } },
    { type: instances, namespace: tenant, metadata: nobodys, rest: { spec: nowhere } },
  ]);
}

async function end(book: OrderBook): Promise<void> {
  const { stage } = book;
  const { client } = stage.own;
  // An instance without its VM: only the VM was deleted.
  await client.delete(virtualMachines, { namespace: tenant, name: 'ledger' }, { propagationPolicy: 'Orphan' });
  await client.deleteCollection(orders, { namespace: ordersNamespace });
  await stage.until('all orders are gone', async () => {
    const { items } = await client.list(orders, { namespace: ordersNamespace });
    if (items.length === 0) return true;
    throw new Error(items.map(({ status }) => JSON.stringify(status)).join('\n'));
  });
}

export const cloudkitOperator: Story = {
  process: 'cloudkit-operator',
  own: [...manifests('cloudkit-operator.yaml'), ...boundIn('ssvirt-cloudkit-operator', tenant, ordersNamespace)],
  parts: ['kubevirt', 'nodes', 'storage', 'cdi', 'load-balancers'],
  tell,
};
