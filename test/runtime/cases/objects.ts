/** Objects on the way to the server and back. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { eventType } from '../../../packages/kube/src/events/event.ts';
import { createRecorder } from '../../../packages/kube/src/events/recorder.ts';
import { createElector } from '../../../packages/kube/src/leader-election/elector.ts';
import { leases } from '../../../packages/kube/src/leader-election/lease.ts';
import type { RuntimeCase } from '../case.ts';
import { until } from '../until.ts';
import { widget, widgets, type Widget } from '../widget.ts';

/**
 * Fields that our types do not declare, of every JSON type, with names and numbers that a careless parser would change.
 */
const unknown = {
  size: 3,
  unknown: {
    deep: [{ nested: [[]] }, null, true, -0.5, 1e21, 9007199254740991, ''],
    'dots.and/slashes~': 'ümläut \u2028 \ud83d\ude80 "quoted" \\ \n',
    __proto: {},
    toString: 'no function',
  },
};

export const objectCases: readonly RuntimeCase[] = [
  {
    id: 'unknown fields deleted',
    name: 'an object with unknown fields is written back byte by byte as it was read',
    async run(harness) {
      const namespace = await harness.namespace('unknown');
      const client = harness.client();
      await client.create<Widget>(widgets, widget(namespace, 'strange', unknown), { fieldValidation: 'Ignore' });
      const path = `/apis/test.ssvirt.io/v1/namespaces/${namespace}/widgets/strange`;
      const bytes = async (): Promise<string> =>
        JSON.stringify((await harness.http.send({ method: 'GET', path })).body);
      const before = await bytes();
      assert.match(before, /"toString":"no function"/);

      const read = await client.get(widgets, { namespace, name: 'strange' });
      assert.equal(JSON.stringify(read), before, 'what was read is what was sent');
      const written = await client.update(widgets, read);
      assert.equal(written.metadata.resourceVersion, read.metadata.resourceVersion, 'the server saw no change');
      assert.equal(await bytes(), before);
    },
  },
  {
    id: 'MicroTime',
    name: 'the server takes our Leases, acquired, renewed and released, with six digits',
    async run(harness) {
      const namespace = await harness.namespace('micro');
      const client = harness.client();
      const log = pino({ level: 'silent' });
      const times = { leaseDurationMs: 40_000, renewDeadlineMs: 30_000, retryPeriodMs: 50 };
      const elector = createElector({ client, namespace, name: 'leader', log, ...times });
      const key = { namespace, name: 'leader' };
      const renewTimes = new Set<string>();
      await elector.run(async () => {
        await until('the lease was renewed twice', async () => {
          renewTimes.add((await harness.direct.get(leases, key)).spec?.renewTime ?? '');
          return renewTimes.size > 2;
        });
        return 'ended';
      }, AbortSignal.timeout(60_000));
      const { spec } = await harness.direct.get(leases, key);
      assert.equal(spec?.holderIdentity, '', 'it was released');
      for (const time of [...renewTimes, spec?.renewTime, spec?.acquireTime])
        assert.match(time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    },
  },
  {
    id: 'MicroTime',
    name: 'the server takes our Events, and shows them in events.k8s.io with what that asks for',
    async run(harness) {
      const namespace = await harness.namespace('events');
      const client = harness.client();
      const object = await client.create(widgets, widget(namespace, 'told'));
      const recorder = createRecorder({ client, component: 'runtime-test' });
      recorder.event(object, 'Normal', 'Told', 'once');
      recorder.event(object, 'Normal', 'Told', 'once');
      await recorder.flushed();
      await recorder.stop();
      const { items } = await harness.direct.list(eventType, { namespace });
      assert.deepEqual(
        items.map(({ reason, message, count, involvedObject }) => [reason, message, count, involvedObject.uid]),
        [['Told', 'once', 2, object.metadata.uid]],
      );
      const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
      const answer = await harness.http.send({ method: 'GET', path });
      assert.equal(answer.status, 200);
      assert.match(JSON.stringify(answer.body), /"reportingController":"runtime-test"/);
    },
  },
];
