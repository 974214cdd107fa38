/** Events as a server accepts them and as kubectl finds them. */
import assert from 'node:assert/strict';
import { eventType, regarding } from '../../../packages/kube/src/events/event.ts';
import { createRecorder } from '../../../packages/kube/src/events/recorder.ts';
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import type { RuntimeCase } from '../case.ts';
import { widget, widgets } from '../widget.ts';

const namespaces: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

export const eventCases: readonly RuntimeCase[] = [
  {
    id: 'E1',
    name: 'equal events are one on the server, with a count, and are found by the object that they are about',
    async run(harness) {
      const namespace = await harness.namespace('events');
      const client = harness.client();
      const recorder = createRecorder({ client, component: 'test', host: 'here' });
      const about = await client.create(widgets, widget(namespace, 'one'));
      for (let n = 0; n < 3; n++) recorder.event(about, 'Warning', 'Broken', 'it does not work');
      await recorder.stop();
      const fieldSelector = `involvedObject.name=one,involvedObject.uid=${about.metadata.uid},type=Warning`;
      const { items } = await harness.direct.list(eventType, { namespace, fieldSelector });
      assert.deepEqual(
        items.map(({ reason, message, count, source }) => ({ reason, message, count, source })),
        [{ reason: 'Broken', message: 'it does not work', count: 3, source: { component: 'test', host: 'here' } }],
      );
    },
  },
  {
    id: 'E2',
    name: 'an event that was deleted meanwhile is created again with its count',
    async run(harness) {
      const namespace = await harness.namespace('events');
      const client = harness.client();
      const recorder = createRecorder({ client, component: 'test' });
      const about = await client.create(widgets, widget(namespace, 'one'));
      recorder.event(about, 'Normal', 'Seen', 'here it is');
      await recorder.flushed();
      await harness.direct.deleteCollection(eventType, { namespace });
      recorder.event(about, 'Normal', 'Seen', 'here it is');
      await recorder.stop();
      const { items } = await harness.direct.list(eventType, { namespace });
      assert.deepEqual(
        items.map(({ count }) => count),
        [2],
      );
    },
  },
  {
    id: 'E3',
    name: 'an event about an object without a namespace is in default',
    async run(harness) {
      const name = await harness.namespace('events');
      const client = harness.client();
      const about = await client.get(namespaces, { name });
      const recorder = createRecorder({ client, component: 'test' });
      recorder.event(regarding(namespaces, about), 'Normal', 'Seen', 'here it is');
      await recorder.stop();
      const fieldSelector = `involvedObject.uid=${about.metadata.uid}`;
      const { items } = await harness.direct.list(eventType, { namespace: 'default', fieldSelector });
      assert.equal(items.length, 1);
    },
  },
];
