/**
 * Bad orders of all kinds, all at once and with a good one: each reports its fault, creates nothing, and is fulfilled
 * when it is corrected.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { eventType, type CoreEvent } from '../../packages/kube/src/events/event.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { badOrders, type BadOrder } from '../../packages/ssvirt/src/kubevirt/order/bad-orders.fixture.ts';
import { annotations, labels, type OrderProblemReason } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { until } from '../runtime/until.ts';
import { contentsOf, newsSince } from './contents.ts';
import { CloudkitHarness, nativeTemplate, ordersNamespace, patient, tenant } from './harness.ts';

/** The user data, keys and passwords in bad parameters. */
const secretTexts = /b3BlbnNzaC1r|LS0tLS1|nginx|secret@|€€/;

/** Those that a server accepts. Each has its own name, unless the name is its fault. */
const taken: ReadonlyMap<string, BadOrder> = new Map(
  badOrders.filter(({ by }) => by === 'operator').map((bad, index) => [bad.order.name ?? `bad-${index}`, bad]),
);

function firstOf(reason: OrderProblemReason, count = 1): readonly string[] {
  return [...taken].flatMap(([name, bad]) => (bad.reason === reason ? [name] : [])).slice(0, count);
}

describe('bad orders', () => {
  let harness: CloudkitHarness;
  let others: readonly string[];
  let found: ReadonlyMap<string, Order>;

  before(async () => {
    harness = await CloudkitHarness.start();
    others = await contentsOf(harness.client);
    harness.operate();
    await Promise.all([...taken].map(([name, bad]) => place(name, bad)));
    await harness.order('good');
    await until('each is refused', allRefused, { ...patient, everyMs: 100 });
  });
  after(() => harness?.stop());

  const place = (name: string, { order }: BadOrder): Promise<Order> =>
    harness.client.create(orders, {
      metadata: { namespace: ordersNamespace, name, annotations: order.annotations ?? {} },
      spec: { tenantNamespace: tenant, ...order.spec } as unknown as Order['spec'],
    });

  const allRefused = async (): Promise<boolean> => {
    const { items } = await harness.client.list(orders, { namespace: ordersNamespace });
    found = new Map(items.map((order) => [order.metadata.name ?? '', order]));
    const waiting = [...taken.keys()].filter((name) => {
      const { status } = found.get(name) ?? {};
      return findCondition(status?.conditions, 'Accepted')?.status !== 'False';
    });
    if (waiting.length > 0) throw new Error(`not yet: ${waiting.join(', ')}`);
    return true;
  };

  for (const [name, bad] of taken)
    test(`are refused with field and rule: one with ${bad.name}`, () => {
      const { status, metadata } = found.get(name) ?? assert.fail('it is not there');
      for (const type of ['Accepted', 'Progressing', 'Available']) {
        const condition = findCondition(status?.conditions, type);
        assert.equal(condition?.status, 'False', type);
        assert.equal(condition.reason, bad.reason, type);
        assert.match(condition.message, bad.says, type);
        assert.equal(condition.observedGeneration, metadata.generation);
      }
      assert.equal(status?.phase, 'Failed');
      assert.equal(status.reconciledConfigVersion, undefined);
    });

  test('do not hold up a good one', async () => {
    await harness.phase('good', 'Ready');
  });

  test('become nothing at all, in no namespace', async () => {
    const made = await newsSince(harness.client, others);
    assert.deepEqual(
      made.filter((one) => !one.includes(` ${tenant}/good`)),
      [],
    );
    assert.ok(made.length > 0, 'not even the good one is found');
  });

  test('have one event each', async () => {
    let events: readonly CoreEvent[] = [];
    await until(
      'each has its event',
      async () => {
        ({ items: events } = await harness.client.list(eventType, { namespace: ordersNamespace }));
        const told = new Set(events.map(({ involvedObject, reason }) => `${involvedObject.name} ${reason}`));
        const missing = [...taken].filter(([name, { reason }]) => !told.has(`${name} ${reason}`));
        if (missing.length > 0) throw new Error(`none of ${missing.map(([name]) => name).join(', ')}`);
        return true;
      },
      { ...patient, everyMs: 100 },
    );
    for (const name of taken.keys()) {
      const own = events.filter(({ involvedObject }) => involvedObject.name === name);
      assert.deepEqual(
        own.map(({ type, count }) => [type, count]),
        [['Warning', 1]],
        name,
      );
    }
    assert.doesNotMatch(JSON.stringify(events), secretTexts);
  });

  test('show their secrets nowhere', () => {
    assert.match(JSON.stringify([...found.values()].map(({ spec }) => spec)), secretTexts);
    for (const { status } of found.values()) assert.doesNotMatch(JSON.stringify(status), secretTexts);
    for (const line of harness.lines) assert.doesNotMatch(JSON.stringify(line), secretTexts);
  });

  test('are no failures of the operator', () => {
    assert.deepEqual(
      harness.lines.filter(({ err, level }) => err !== undefined || Number(level) >= 50),
      [],
    );
  });

  test('are made when they are mended as they say', async () => {
    const mended = firstOf('InvalidParameters', 200).filter((_, index) => index % 40 === 0);
    for (const name of mended) await harness.ask(name, { cpu_cores: 1, memory: '1Gi' });
    const [unknown = '', floating = ''] = [...firstOf('UnsupportedTemplate'), ...firstOf('FloatingIPTemplate')];
    for (const name of [unknown, floating]) await harness.change(name, { spec: { templateID: nativeTemplate } });
    const [unmanaged = ''] = firstOf('UnknownManagedBy');
    await harness.annotate(unmanaged, { [annotations.managedBy]: 'controller' });
    const [placeless = ''] = firstOf('NamespaceNotFound');
    const metadata = { name: 'no-such-namespace', labels: { [labels.project]: ordersNamespace } };
    await harness.client.create(namespaces, { metadata });
    assert.ok(mended.length >= 3);
    for (const name of [...mended, unknown, floating, unmanaged, placeless]) {
      const { status } = await harness.phase(name, 'Ready');
      assert.equal(findCondition(status?.conditions, 'Accepted')?.status, 'True', name);
    }
  });

  test('are deleted as all others, and leave nothing behind', async () => {
    await harness.client.deleteCollection(orders, { namespace: ordersNamespace });
    await until(
      'all orders are gone',
      async () => {
        const { items } = await harness.client.list(orders, { namespace: ordersNamespace });
        if (items.length === 0) return true;
        throw new Error(`there is ${JSON.stringify(items[0])}`);
      },
      { ...patient, everyMs: 100 },
    );
    const left = await newsSince(harness.client, others);
    // What every namespace contains anyway.
    assert.deepEqual(
      left.filter((one) => !one.startsWith('ConfigMap no-such-namespace/')),
      [],
    );
  });
});
