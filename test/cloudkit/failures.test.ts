import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventType } from '../../packages/kube/src/events/event.ts';
import { until } from '../runtime/until.ts';
import { DualHarness } from './aap/harness.ts';
import { ordersNamespace, patient } from './harness.ts';

test('an order that AAP does not take fails for that, in its event and in the metrics, and not for a machine that is not there', async (t) => {
  const harness = await DualHarness.start({ refuse: 1000 });
  t.after(() => harness.stop());
  const { registry } = harness.operate({ 'aap.retryInitial': '5ms', 'aap.retryLongest': '20ms' });
  await harness.order('lost', 'aap');
  await harness.cloudkit.phase('lost', 'Failed');
  await until(
    'the failure is reported',
    async () => {
      const { items } = await harness.cloudkit.client.list(eventType, { namespace: ordersNamespace });
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
