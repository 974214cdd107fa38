/** Requirements on every server that has the definitions of orders and of their templates. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  orders,
  orderTemplates,
  type Order,
  type OrderTemplate,
} from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { group, version, type OrderFacts } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { definitions } from '../fleet/definition.ts';
import { complaints, condition } from '../machine-operator/declared.ts';
import { describeBadOrders } from './bad-order-tests.ts';
import { plurals } from './definitions.ts';

const namespace = 'default';
const templateID = 'osac.templates.ocp_virt_vm';

function order(name: string, spec: object): Order {
  return { metadata: { namespace, name }, spec: spec as Order['spec'] };
}

const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: '${ORDER_NAME}' } };

function template(name: string, spec: object): OrderTemplate {
  const whole = { templateID: 'team_a.small', objects: [secret], ...spec };
  return { metadata: { name }, spec: whole as unknown as OrderTemplate['spec'] };
}

interface Refused {
  readonly name: string;
  readonly spec: object;
  readonly says: readonly string[];
}

const badOrders: readonly Refused[] = [
  { name: 'no template', spec: {}, says: ['spec.templateID: Required value'] },
  {
    name: 'a template that could be no id',
    spec: { templateID: '../../etc' },
    says: [
      `spec.templateID: Invalid value: "../../etc": spec.templateID in body should match '^[a-zA-Z_][a-zA-Z0-9._]*$'`,
    ],
  },
  {
    name: 'parameters that are no text',
    spec: { templateID, templateParameters: 4 },
    says: [
      'spec.templateParameters: Invalid value: "integer": spec.templateParameters in body must be of type string: "integer"',
    ],
  },
  {
    name: 'parameters without end',
    spec: { templateID, templateParameters: ' '.repeat(1_048_577) },
    says: ['spec.templateParameters: Too long: may not be more than 1048576 bytes'],
  },
  {
    name: 'a namespace that there cannot be',
    spec: { templateID, tenantNamespace: 'Tenant_A' },
    says: [
      `spec.tenantNamespace: Invalid value: "Tenant_A": spec.tenantNamespace in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'`,
    ],
  },
  {
    name: 'a version that no header can carry',
    spec: { templateID, desiredConfigVersion: 'a\nb' },
    says: [
      `spec.desiredConfigVersion: Invalid value: "a\\nb": spec.desiredConfigVersion in body should match '^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$'`,
    ],
  },
];

const badTemplates: readonly Refused[] = [
  {
    name: 'nothing to make',
    spec: { objects: [] },
    says: ['spec.objects: Invalid value: 0: spec.objects in body should have at least 1 items'],
  },
  {
    name: 'an object without a kind',
    spec: { objects: [{ apiVersion: 'v1', metadata: { name: 'a' } }] },
    says: ['spec.objects[0].kind: Required value'],
  },
  {
    name: 'a parameter whose name every order has',
    spec: { parameters: [{ name: 'ORDER_NAME' }] },
    says: [
      'spec.parameters[0].name: Invalid value: "ORDER_NAME": ORDER_NAME and TENANT_NAMESPACE are reserved: choose another name',
    ],
  },
  {
    name: 'limits that let no value be',
    spec: { parameters: [{ name: 'cores', type: 'integer', minimum: 2, maximum: 1 }] },
    says: ['spec.parameters[0]: Invalid value: minimum is greater than maximum: no value is valid'],
  },
  {
    name: 'two parameters of one name',
    spec: { parameters: [{ name: 'a' }, { name: 'a' }] },
    says: ['spec.parameters[1]: Duplicate value: {"name":"a"}'],
  },
];

const moved =
  'spec.tenantNamespace: Forbidden: an order never moves to another namespace: set it back, or create a new order';

/** All facts that an operator may write. */
const facts: Required<OrderFacts> = {
  phase: 'Ready',
  desiredConfigVersion: '9b2e4a5896754793',
  reconciledConfigVersion: 'aa32274dc7191c79',
  reconciledSpecVersion: '9b2e4a5896754793',
  virtualMachineReference: { namespace: 'tenant-a', kubeVirtVirtualMachineName: 'shown' },
  tenantReference: { name: 'tenant-a', namespace: 'orders' },
  provisionedBy: 'controller',
  fallbackConfigVersion: 'aa32274dc7191c79',
  ipAddresses: ['10.1.2.3', 'fd00::1'],
  loadBalancerAddress: '192.0.2.1',
  webhook: {
    action: 'create',
    configVersion: 'aa32274dc7191c79',
    specVersion: '9b2e4a5896754793',
    attempts: 3,
    lastAttemptTime: '2026-01-01T00:00:00Z',
    acceptedTime: '2026-01-01T00:00:00Z',
    lastError: 'the answer was 503',
  },
};

/** `client` is called when a test runs. */
export function describeDefinitions(client: () => Client): void {
  test('no schema has anything that the server finds fault with', async () => {
    for (const plural of plurals) {
      const { status } = (await client().get(definitions, { name: `${plural}.${group}` })) as unknown as {
        status: { conditions: readonly { type: string; status: string }[] };
      };
      const truths = status.conditions.flatMap(({ type, status: is }) => (is === 'True' ? [type] : []));
      assert.deepEqual(truths.toSorted(), ['Established', 'NamesAccepted'], plural);
    }
  });
  describe('refused', () => {
    for (const { name, spec, says } of badOrders)
      test(`an order with ${name}`, async () => {
        assert.deepEqual(await complaints(client().create(orders, order('bad', spec), { dryRun: true })), says);
      });
    for (const { name, spec, says } of badTemplates)
      test(`a template with ${name}`, async () => {
        const made = client().create(orderTemplates, template('bad', spec), { dryRun: true });
        assert.deepEqual(await complaints(made), says);
      });
  });
  describeBadOrders(client);
  describe('changed', () => {
    const patch = (name: string, spec: object): Promise<Order> =>
      client().patch(orders, { namespace, name }, { type: 'merge', body: { spec } });
    test('an order never moves: its namespace is neither changed nor taken away', async () => {
      await client().create(orders, order('placed', { templateID, tenantNamespace: 'tenant-a' }));
      assert.deepEqual(await complaints(patch('placed', { tenantNamespace: 'tenant-b' })), [moved]);
      assert.deepEqual(await complaints(patch('placed', { tenantNamespace: null })), [moved]);
    });
    test('nor given to an order that had none', async () => {
      await client().create(orders, order('at-home', { templateID }));
      assert.deepEqual(await complaints(patch('at-home', { tenantNamespace: 'tenant-b' })), [moved]);
      // Its own namespace would be the same place, but the location is part of the order's text.
      assert.deepEqual(await complaints(patch('at-home', { tenantNamespace: namespace })), [moved]);
    });
    test('template, parameters and version may be changed and taken away', async () => {
      const first = { templateID, templateParameters: '{}', desiredConfigVersion: '1' };
      await client().create(orders, order('changed', first));
      const spec = { templateID: 'other_template', templateParameters: null, desiredConfigVersion: null };
      assert.deepEqual((await patch('changed', spec)).spec, { templateID: 'other_template' });
    });
    test('a template keeps its id', async () => {
      await client().create(orderTemplates, template('kept', {}));
      const body = { spec: { templateID: 'team_a.other' } };
      assert.deepEqual(await complaints(client().patch(orderTemplates, { name: 'kept' }, { type: 'merge', body })), [
        'spec.templateID: Forbidden: immutable, because orders refer to it: set it back, or create a new OrderTemplate',
      ]);
    });
  });
  describe('shown', () => {
    test('the status is written only by its subresource, and is shown in the columns', async () => {
      await client().create(orders, order('shown', { templateID }));
      const status = { ...facts, observedGeneration: 1, conditions: [condition('Available', 'True', 'AsExpected')] };
      const patch = { type: 'merge', body: { status } } as const;
      const key = { namespace, name: 'shown' };
      assert.equal((await client().patch(orders, key, patch)).status, undefined);
      const written = await client().patch(orders, key, patch, { subresource: 'status' });
      assert.deepEqual(written.status, status);
      const { columns, row } = await tableOf(client(), `namespaces/${namespace}/virtualmachines/shown`);
      assert.deepEqual(columns, ['Name', 'Template', 'Phase', 'Mode', 'Available', 'Reconciled', 'Age']);
      assert.deepEqual(row.slice(0, 6), ['shown', templateID, 'Ready', 'controller', 'True', 'aa32274dc7191c79']);
      assert.deepEqual(row.slice(6, 10), ['9b2e4a5896754793', 'tenant-a', '192.0.2.1', null]);
    });
    test('of a template, whether orders can use it', async () => {
      await client().create(orderTemplates, template('told', { templateID: 'team_a.told', description: 'A test' }));
      const status = { observedGeneration: 1, conditions: [condition('Accepted', 'False', 'InvalidTemplate')] };
      const body = { status };
      const key = { name: 'told' };
      await client().patch(orderTemplates, key, { type: 'merge', body }, { subresource: 'status' });
      const { columns, row } = await tableOf(client(), 'ordertemplates/told');
      assert.deepEqual(columns, ['Name', 'Template', 'Accepted', 'Age']);
      assert.deepEqual(row.slice(0, 5), ['told', 'team_a.told', 'False', 'InvalidTemplate', 'A test']);
    });
    test('everything of an object in a template is kept as it is written', async () => {
      const objects = [{ ...secret, stringData: { a: '${memory}' }, odd: [{ deep: [1, null, true] }] }];
      const made = await client().create(orderTemplates, template('whole', { templateID: 'team_a.whole', objects }));
      assert.deepEqual(made.spec.objects, objects);
    });
  });
}

async function tableOf(client: Client, path: string): Promise<{ columns: string[]; row: unknown[] }> {
  const { body } = await client.request({
    method: 'GET',
    path: `/apis/${group}/${version}/${path}`,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  });
  const table = body as { columnDefinitions: { name: string; priority: number }[]; rows: { cells: unknown[] }[] };
  const columns = table.columnDefinitions.filter(({ priority }) => priority === 0).map((column) => column.name);
  return { columns, row: table.rows[0]?.cells ?? [] };
}
