/** Which bad orders the definition makes a server refuse, and which are left to the operator. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { badOrders, type BadOrder } from '../../packages/ssvirt/src/kubevirt/order/bad-orders.fixture.ts';
import { complaints } from '../machine-operator/declared.ts';

const namespace = 'default';

function orderOf({ order: { name = 'bad', annotations = {}, spec } }: BadOrder): Order {
  return { metadata: { namespace, name, annotations }, spec: spec as unknown as Order['spec'] };
}

/** `client` is called when a test runs. */
export function describeBadOrders(client: () => Client): void {
  const attempt = (bad: BadOrder): Promise<readonly string[]> =>
    complaints(client().create(orders, orderOf(bad), { dryRun: true }));
  describe('refused with its field and rule: an order with', () => {
    for (const bad of badOrders.filter(({ by }) => by === 'api'))
      test(bad.name, async () => {
        assert.match((await attempt(bad)).join('\n'), bad.says);
      });
  });
  test('left to the operator, whose conditions say more: all other bad orders', async () => {
    for (const bad of badOrders.filter(({ by }) => by === 'operator'))
      assert.deepEqual(await attempt(bad), [], `an order with ${bad.name}`);
  });
}
