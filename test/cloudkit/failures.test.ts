import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventType } from '../../packages/kube/src/events/event.ts';
import { until } from '../runtime/until.ts';
import { DualGround } from './aap/ground.ts';
import { ordersNamespace, patient } from './ground.ts';

test('an order that AAP does not take fails for that, in its event and in the metrics, and not for a machine that is not there', async (t) => {
  const ground = await DualGround.start({ refuse: 1000 });
  t.after(() => ground.stop());
  const { registry } = ground.operate({ 'aap.retryInitial': '5ms', 'aap.retryLongest': '20ms' });
  await ground.order('lost', 'aap');
  await ground.cloudkit.phase('lost', 'Failed');
  await until(
    'the failure is reported',
    async () => {
      const { items } = await ground.cloudkit.client.list(eventType, { namespace: ordersNamespace });
      const messages = items.flatMap(({ reason, message }) => (reason === 'Failed' ? [message] : []));
      assert.equal(messages.length, 1);
      assert.match(messages[0] ?? '', /AAP could not be called after trying \d+ times: .*503/);
      return true;
    },
    patient,
  );
  const { values = [] } = (await registry.getSingleMetric('cloudkit_order_failures_total')?.get()) ?? {};
  assert.deepEqual(
    values.map(({ labels, value }) => ({ ...labels, value })),
    [{ mode: 'aap', reason: 'WebhookFailed', value: 1 }],
  );
});
