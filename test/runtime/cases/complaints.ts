/** Complaints of the users of other runtimes, if a test needs a server. */
import assert from 'node:assert/strict';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import type { ReflectorOptions } from '../../../packages/kube/src/reflector/options.ts';
import type { RuntimeCase } from '../case.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Harness } from '../harness.ts';
import { WorkRecord } from '../matrix/record.ts';
import { startReplica, type Replica } from '../matrix/replica.ts';
import { settle } from '../matrix/settle.ts';
import { Writer } from '../matrix/writer.ts';
import { History } from '../model/history.ts';
import { Witness } from '../model/witness.ts';
import { isStream } from '../seen-request.ts';
import { until } from '../until.ts';
import { widget, widgets } from '../widget.ts';

interface Stage {
  readonly harness: Harness;
  readonly proxy: FaultProxy;
  readonly namespace: string;
  readonly client: Client;
  readonly record: WorkRecord;
  readonly writer: Writer;
  readonly start: (reflector?: Partial<ReflectorOptions>) => Replica;
  /** Waits until everything is up to date. */
  readonly settled: () => Promise<void>;
}

function complaint(id: string, name: string, run: (stage: Stage) => Promise<void>): RuntimeCase {
  return {
    id,
    name,
    async run(harness) {
      const proxy = await harness.newProxy();
      const namespace = await harness.namespace('complaint');
      const client = harness.client({ proxy });
      const record = new WorkRecord();
      const writer = new Writer(harness.direct, namespace);
      const replicas: Replica[] = [];
      const start: Stage['start'] = (reflector = {}) => {
        const replica = startReplica({ name: 'only', client, namespace, record, reflector });
        replicas.push(replica);
        return replica;
      };
      const settled = async (): Promise<void> =>
        void (await settle({ harness, namespace, writer, record, replicas, since: 0 }));
      try {
        await run({ harness, proxy, namespace, client, record, writer, start, settled });
        assert.deepEqual(record.violations, []);
      } finally {
        for (const replica of replicas) await replica.stop();
        await client.close();
        await proxy.stop();
      }
    },
  };
}

export const complaintCases: readonly RuntimeCase[] = [
  complaint(
    'objects missed after 429',
    'a server that throttles everything for seconds loses no object',
    async ({ proxy, writer, start, settled }) => {
      await writer.create(20);
      const throttling = proxy.add({ fault: { kind: 'status', code: 429, retryAfterSeconds: 1 } });
      start();
      await until('it was throttled three times', () => throttling.struck >= 3);
      await writer.change();
      throttling.remove();
      await settled();
    },
  ),

  complaint(
    'events out of order',
    'very many updates of one key are seen in order, and worked on one at a time',
    async ({ harness, namespace, writer, record, start, settled }) => {
      const replica = start();
      const history = new History();
      const witness = new Witness({ name: 'the handler' });
      replica.informer.addHandler(witness);
      await harness.direct.create(widgets, widget(namespace, 'busy', { size: 0 }));
      // The reconciler writes the status at the same time, so another watch records what happened.
      const truth = await harness.direct.watch(widgets, { namespace, resourceVersion: '0' });
      const reading = (async () => {
        for await (const batch of truth)
          for (const event of batch) {
            if (event.type === 'ADDED' || event.type === 'MODIFIED') history.wrote(event.object);
          }
      })().catch(() => undefined); // The stream is closed below.
      for (let size = 1; size <= (isReal(harness) ? 1000 : 250); size++)
        await harness.direct.patch(widgets, { namespace, name: 'busy' }, { type: 'merge', body: { spec: { size } } });
      await settled();
      const last = replica.informer.get({ namespace, name: 'busy' });
      await until('the other watch has seen the last state', () => {
        const states = history.lives.get(last?.metadata.uid ?? '')?.states ?? [];
        return states.some(({ resourceVersion }) => resourceVersion === last?.metadata.resourceVersion);
      });
      truth.close();
      await reading;
      witness.verify(history);
      assert.ok(witness.events > 0 && record.reconciles > 0);
      assert.equal(writer.deleted.size, 0);
    },
  ),

  complaint(
    'replay on restart',
    'a watch that goes on from its version, or is listed anew, reconciles nothing again',
    async ({ proxy, writer, record, start, settled }) => {
      await writer.create(20);
      start();
      await settled();
      // Waits for the effects of our own status writes.
      await until('it is quiet', () => proxy.openStreams() === 1);
      await quiet(record);
      const before = record.reconciles;
      for (const kind of ['end', 'reset', 'error-event'] as const) {
        const watches = proxy.count(isStream);
        await until('a watch is open', () => proxy.openStreams() === 1);
        proxy.strike(kind === 'error-event' ? { kind, code: 410 } : { kind });
        await until(
          `it watches again after ${kind}`,
          () => proxy.count(isStream) > watches && proxy.openStreams() === 1,
        );
      }
      await writer.create(1);
      await settled();
      await quiet(record);
      const perObject = before / 20;
      assert.ok(record.reconciles - before <= Math.ceil(perObject), 'only the new one was reconciled');
    },
  ),

  complaint(
    'socket leak',
    'sockets stay few over very many requests and reconnects',
    async ({ harness, proxy, namespace, client, writer, start, settled }) => {
      const [requests, reconnects] = isReal(harness) ? [1000, 200] : [300, 60];
      await writer.create(3);
      start({ shortWatchMs: 0, backoff: { initialMs: 1, factor: 1, maxMs: 1, jitter: 1 } });
      await settled();
      const request = (): Promise<unknown> => client.get(widgets, { namespace, name: 'widget-1' });
      const burst = async (count: number): Promise<void> => {
        for (let i = 0; i < count; i += 20) await Promise.all(Array.from({ length: 20 }, request));
      };
      await burst(requests);
      for (let i = 0; i < reconnects; i++) {
        const accepted = proxy.count(isStream);
        proxy.strike(i % 2 === 0 ? { kind: 'end' } : { kind: 'reset' });
        await until('it watches again', () => proxy.count(isStream) > accepted && proxy.openStreams() === 1);
      }
      await burst(requests);
      await settled();
      // 32 for requests, plus those of watches; a cut watch may still be open when the next one connects.
      assert.ok(proxy.mostSockets <= 40, `${proxy.mostSockets} sockets at a time`);
      const most = 100 + 2 * reconnects;
      assert.ok(proxy.acceptedSockets < most, `${proxy.acceptedSockets} connections for ${reconnects} watches`);
    },
  ),
];

/**
 * The large numbers run in .ci/run only; packages/kube/src/informer/informers.test.ts and packages/kube/src/transport/pools.test.ts try as
 * many without a server.
 */
const isReal = ({ kind }: Harness): boolean => kind === 'real';

/** Waits until there are no more reconciles. No state shows that, so a while without a reconcile must suffice. */
async function quiet(record: WorkRecord): Promise<void> {
  let last = -1;
  await until(
    'nothing is reconciled',
    () => {
      const still = last === record.reconciles;
      last = record.reconciles;
      return still;
    },
    { everyMs: 100 },
  );
}
