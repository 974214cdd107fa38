/**
 * Many orders at once, and some impossible ones among them: all others become ready, each is counted, and deletion
 * leaves nothing. SSVIRT_TEST_ALL=1 orders two hundred.
 */
// only in make test-all: bench/cloudkit/smoke.suite.ts fulfills many orders at once
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { annotations, labels, type Mode } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { triesAll } from '../chosen.ts';
import { until } from '../runtime/until.ts';
import { DualHarness } from './aap/harness.ts';
import { contentsOf, newsSince } from './contents.ts';
import { ordersNamespace, tenant, type RunningOperator } from './harness.ts';

const count = triesAll ? 200 : 60;
const slowly = { deadlineMs: 150_000, everyMs: 250 } as const;

/** The tenant of a node without room. */
const crowded = 'tenant-crowded';
/** The cluster refuses the VMs of this order. */
const forbidden = 'tenant-forbidden';

const quotas: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA many';
const parameters = { cpu_cores: 1, memory: '64Mi', disk_size: '1Gi', ssh_public_key: key };

const numbered = (prefix: string, many: number): readonly string[] =>
  Array.from({ length: many }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);
const good = numbered('good', count);
const poor = numbered('poor', 5);
const barred = numbered('barred', 5);
const byAap = numbered('aap', 5);

/** The objects of an order that has a key. */
function objectsOf(name: string): readonly string[] {
  return [
    `DataVolume ${tenant}/${name}-root-disk`,
    `PersistentVolumeClaim ${tenant}/${name}-root-disk`,
    `Secret ${tenant}/${name}-cloud-init`,
    `Secret ${tenant}/${name}-ssh-public-key`,
    `Service ${tenant}/${name}-load-balancer`,
    `VirtualMachine ${tenant}/${name}`,
    `VirtualMachineInstance ${tenant}/${name}`,
  ];
}

describe('many orders at once', () => {
  let harness: DualHarness;
  let operator: RunningOperator;
  let others: readonly string[];

  const client = (): DualHarness['cloudkit']['client'] => harness.cloudkit.client;
  const order = (name: string, tenantNamespace: string, managedBy: Mode): Promise<Order> =>
    harness.cloudkit.order(
      name,
      { tenantNamespace, parameters },
      { annotations: { [annotations.managedBy]: managedBy }, labels: { by: managedBy } },
    );
  const all = async (): Promise<readonly Order[]> =>
    (await client().list(orders, { namespace: ordersNamespace })).items;
  const everyOne = async (names: readonly string[], what: string, isSo: (one: Order) => boolean): Promise<void> =>
    until(
      `all of them ${what}`,
      async () => {
        const found = new Map((await all()).map((one) => [one.metadata.name, one]));
        const missing = names.filter((name) => {
          const one = found.get(name);
          return one === undefined || !isSo(one);
        });
        if (missing.length === 0) return true;
        throw new Error(`${missing.length} do not, such as ${JSON.stringify(found.get(missing[0]))}`);
      },
      slowly,
    );
  /** By its labels, sorted by name. */
  const counted = async (name: string): Promise<Readonly<Record<string, number>>> => {
    const { values = [] } = (await operator.registry.getSingleMetric(name)?.get()) ?? {};
    return Object.fromEntries(
      values.map(({ labels: of, value }) => [
        Object.entries(of)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([, text]) => text)
          .join(' '),
        value,
      ]),
    );
  };

  /** The counts come from a cache, which may be a moment behind. */
  const showsOrders = (wanted: Readonly<Record<string, number>>): Promise<void> =>
    until('the metrics show the orders', async () => {
      assert.deepEqual(await counted('cloudkit_orders'), wanted);
      return true;
    });

  before(async () => {
    harness = await DualHarness.start({}, 200, { count: 10, cpu: '100', memory: '256Gi' });
    const bound = { [labels.project]: ordersNamespace };
    for (const name of [crowded, forbidden]) await client().create(namespaces, { metadata: { name, labels: bound } });
    const hard = { 'count/datavolumes.cdi.kubevirt.io': '0' };
    await client().create(quotas as ResourceType, { metadata: { namespace: crowded, name: 'none' }, spec: { hard } });
    const path = `/apis/kubevirt.io/v1/namespaces/${forbidden}/virtualmachines`;
    harness.cloudkit.sandbox.faults.add({ kind: '403', path, verbs: ['patch', 'create'] });
    others = await contentsOf(client());
    // No impossible order is retried before the end, and AAP has all the time that a busy host needs.
    operator = harness.operate({ 'retries.slow': '1h', 'aap.timeout': '60s', 'aap.repeatAfter': '1h' });
    const wanted = [
      ...poor.map((name) => () => order(name, crowded, 'controller')),
      ...barred.map((name) => () => order(name, forbidden, 'controller')),
      ...byAap.map((name) => () => order(name, tenant, 'aap')),
      ...good.map((name) => () => order(name, tenant, 'controller')),
    ];
    // They share connections: server, simulators and operator are one process here.
    const hands = Array.from({ length: 20 }, async () => {
      for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) await next();
    });
    await Promise.all(hands);
  });
  after(() => harness?.stop());

  test('become ready, every one of them, in either mode', async () => {
    await everyOne([...good, ...byAap], 'are ready', ({ status }) => status?.phase === 'Ready');
    for (const { metadata, status } of await all())
      if (good.includes(metadata.name ?? '')) {
        assert.equal(status?.reconciledConfigVersion, status?.desiredConfigVersion, metadata.name);
        assert.equal(status?.provisionedBy, 'controller', metadata.name);
      }
  });

  test('have all that they ask for, and nothing else is made in their namespace', async () => {
    const made = (await newsSince(client(), others)).filter((one) => one.includes(` ${tenant}/`));
    const ofAap = made.filter((one) => byAap.some((name) => one.includes(`/${name}`)));
    assert.deepEqual(
      made.filter((one) => !ofAap.includes(one)),
      good.flatMap(objectsOf).toSorted(),
    );
    for (const name of byAap) assert.ok(ofAap.includes(`VirtualMachine ${tenant}/${name}`), name);
  });

  test('are not held up by those whose namespace is full or that a cluster refuses, which say so', async () => {
    for (const [names, reason] of [
      [poor, 'InsufficientResources'],
      [barred, 'Refused'],
    ] as const)
      await everyOne(names, `say ${reason}`, ({ status }) => {
        const found = findCondition(status?.conditions, 'Progressing');
        return status?.phase === 'Failed' && found?.status === 'False' && found.reason === reason;
      });
  });

  test('are counted: orders, finished work, failures, durations, and calls to AAP', async () => {
    await showsOrders({
      'controller Failed': poor.length + barred.length,
      'aap Ready': byAap.length,
      'controller Ready': good.length,
    });
    assert.deepEqual(await counted('cloudkit_order_provisioned_total'), {
      controller: good.length,
      aap: byAap.length,
    });
    assert.deepEqual(await counted('cloudkit_order_failures_total'), {
      'controller InsufficientResources': poor.length,
      'controller Refused': barred.length,
    });
    assert.deepEqual(await counted('cloudkit_webhook_calls_total'), { 'create accepted': byAap.length });
    const text = await operator.registry.metrics();
    assert.match(
      text,
      RegExp(`^cloudkit_order_provisioning_seconds_count\\{mode="controller"\\} ${good.length}$`, 'm'),
    );
    assert.match(text, RegExp(`^cloudkit_order_provisioning_seconds_count\\{mode="aap"\\} ${byAap.length}$`, 'm'));
    assert.match(text, RegExp(`^cloudkit_webhook_duration_seconds_count\\{action="create"\\} ${byAap.length}$`, 'm'));
  });

  test('are deleted all at once, and leave nothing behind', async () => {
    await client().deleteCollection(orders, { namespace: ordersNamespace, labelSelector: 'by=controller' });
    await until(
      'all are gone',
      async () => {
        const left = (await all()).filter(({ metadata }) => metadata.labels?.['by'] === 'controller');
        if (left.length === 0) return true;
        throw new Error(`${left.length} are left, such as ${JSON.stringify(left[0])}`);
      },
      slowly,
    );
    await until('nothing is left of them', async () => {
      const left = (await newsSince(client(), others)).filter((one) => !byAap.some((name) => one.includes(`/${name}`)));
      if (left.length === 0) return true;
      throw new Error(`there is ${left.slice(0, 10).join(', ')}`);
    });
    await showsOrders({ 'aap Ready': byAap.length });
  });

  test('were no failures of the operator', () => {
    assert.deepEqual(
      harness.cloudkit.lines.filter(({ level }) => Number(level) >= 50),
      [],
    );
  });
});
