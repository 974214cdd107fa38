/** The common shape of reconcilers, on a server. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Result } from '../../../packages/kube/src/controller/request.ts';
import { KubeError, isConflict } from '../../../packages/kube/src/errors.ts';
import { LeadershipLost } from '../../../packages/kube/src/leader-election/term.ts';
import type { Condition } from '../../../packages/kube/src/reconcile/conditions.ts';
import { find } from '../../../packages/kube/src/reconcile/create-or-patch.ts';
import type { Removal } from '../../../packages/kube/src/reconcile/delete-in-order.ts';
import { reconcileObject, type ReconcileShape, type ShapedStatus } from '../../../packages/kube/src/reconcile/shape.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import type { RuntimeCase } from '../case.ts';
import { countedClient, type CountedClient } from '../counted.ts';
import type { Harness } from '../harness.ts';
import { widget, widgets, type Widget } from '../widget.ts';

const finalizer = 'test.ssvirt.io/cleanup';

interface Shaped extends Omit<Widget, 'status'> {
  readonly status?: ShapedStatus & { readonly seen?: number };
}
const shapedWidgets: ResourceType<Shaped> = widgets;

interface Scene extends CountedClient {
  readonly name: string;
  readonly create: () => Promise<Shaped>;
  readonly live: () => Promise<Shaped | undefined>;
  readonly ready: () => Promise<Partial<Condition> | undefined>;
  readonly reconcile: (shape: Partial<ReconcileShape<Shaped>>, signal?: AbortSignal) => Promise<Result | void>;
}

async function scene(harness: Harness): Promise<Scene> {
  const namespace = await harness.namespace('shape');
  const key = { namespace, name: 'one' };
  const counted = countedClient(harness);
  const live = (): Promise<Shaped | undefined> => find(harness.direct, shapedWidgets, key);
  return {
    ...counted,
    name: `${namespace}/one`,
    create: () => harness.direct.create(shapedWidgets, widget(namespace, 'one', { size: 1 })),
    live,
    ready: async () => {
      const { lastTransitionTime: _time, ...ready } =
        (await live())?.status?.conditions?.find(({ type }) => type === 'Ready') ?? ({} as Partial<Condition>);
      return ready;
    },
    reconcile: (shape, signal = AbortSignal.timeout(10_000)) =>
      reconcileObject(
        { client: counted.client, type: shapedWidgets, get: live, finalizer, steps: [], ...shape },
        { signal, log: pino({ level: 'silent' }), reconcileId: randomUUID() },
      ),
  };
}

type ShapedStep = ReconcileShape<Shaped>['steps'][number];

function reporting(seen: number): ShapedStep {
  return {
    name: 'report',
    async run({ report }) {
      await Promise.resolve();
      report({ seen });
    },
  };
}

function failingStep(failure: () => Error): ShapedStep {
  return {
    name: 'fail',
    async run() {
      await Promise.resolve();
      throw failure();
    },
  };
}

export const shapeCases: readonly RuntimeCase[] = [
  {
    id: 'shape of reconcilers',
    name: 'an object that is gone is success, without a request',
    async run(harness) {
      const { reconcile, requests } = await scene(harness);
      assert.equal(await reconcile({}), undefined);
      assert.deepEqual(await requests(), {});
    },
  },
  {
    id: 'shape of reconcilers',
    name: 'the finalizer comes before the first step, the status once at the end, and a second round writes nothing',
    async run(harness) {
      const { create, live, ready, reconcile, requests } = await scene(harness);
      await create();
      const order: string[] = [];
      const steps: ReconcileShape<Shaped>['steps'] = [
        {
          name: 'look',
          run: async ({ object, report }) => {
            const { metadata, status } = (await live()) ?? {};
            order.push(`finalizers ${metadata?.finalizers?.join()}, status ${JSON.stringify(status)}`);
            report({ seen: object.spec?.size ?? 0 });
          },
        },
        { name: 'work', run: ({ conditions }) => Promise.resolve(conditions.set('Working', 'True', 'AllDone')) },
      ];
      await reconcile({ steps });
      assert.deepEqual(await requests(), { PATCH: 2 }, 'the finalizer and the status');
      assert.deepEqual(order, [`finalizers ${finalizer}, status undefined`]);
      const { status } = (await live()) ?? {};
      assert.deepEqual([status?.seen, status?.observedGeneration], [1, 1]);
      assert.deepEqual(await ready(), {
        type: 'Ready',
        status: 'True',
        reason: 'Reconciled',
        message: '',
        observedGeneration: 1,
      });
      assert.deepEqual(
        status?.conditions?.map(({ type }) => type),
        ['Ready', 'Working'],
      );
      await reconcile({ steps });
      assert.deepEqual(await requests(), {}, 'twice changes nothing');
    },
  },
  {
    id: 'shape of reconcilers',
    name: 'a step that is not done ends the round, says why, and is looked at again',
    async run(harness) {
      const { create, ready, reconcile } = await scene(harness);
      await create();
      const unfinished = { reason: 'Importing', message: 'disk at 40 %', requeueAfterMs: 5000 };
      const steps: ReconcileShape<Shaped>['steps'] = [
        { name: 'disk', run: () => Promise.resolve(unfinished) },
        { name: 'machine', run: () => Promise.reject(new Error('must not be reached')) },
      ];
      assert.deepEqual(await reconcile({ steps }), { requeueAfterMs: 5000 });
      assert.partialDeepStrictEqual(await ready(), { status: 'False', reason: 'Importing', message: 'disk at 40 %' });
    },
  },
  {
    id: 'shape of reconcilers',
    name: 'a step that fails is written down, and its error is still the result',
    async run(harness) {
      const { create, ready, reconcile, live } = await scene(harness);
      await create();
      const failing = (failure: Error): Promise<Result | void> => {
        return reconcile({ steps: [reporting(5), failingStep(() => failure)] });
      };
      await assert.rejects(failing(new Error('the disk is full')), /the disk is full/);
      assert.partialDeepStrictEqual(await ready(), {
        status: 'False',
        reason: 'ReconcileFailed',
        message: 'the disk is full',
      });
      assert.equal((await live())?.status?.seen, 5, 'what was found out before is kept');
      const forbidden = new KubeError('Forbidden', 'not allowed', { code: 403 });
      await assert.rejects(failing(forbidden), (error) => error === forbidden);
      assert.partialDeepStrictEqual(await ready(), { reason: 'Forbidden' });
    },
  },
  {
    id: 'shape of reconcilers',
    name: 'a conflict, a lost lease and an aborted round say nothing about the object',
    async run(harness) {
      const { create, reconcile, live } = await scene(harness);
      await create();
      await reconcile({});
      const before = (await live())?.metadata.resourceVersion;
      const stop = new AbortController();
      const failures = [
        () => new KubeError('Conflict', 'the object was written meanwhile', { code: 409 }),
        () => new LeadershipLost('no more'),
        () => {
          stop.abort();
          return new Error('aborted');
        },
      ];
      for (const failure of failures) await assert.rejects(reconcile({ steps: [failingStep(failure)] }, stop.signal));
      assert.equal((await live())?.metadata.resourceVersion, before);
    },
  },
  {
    id: 'shape of reconcilers',
    name: 'what is paused is left alone, deletion included, until it is paused no more',
    async run(harness) {
      const { create, reconcile, live, client } = await scene(harness);
      const made = await create();
      await reconcile({});
      await client.delete(shapedWidgets, { namespace: made.metadata.namespace ?? '', name: 'one' });
      const remove = (): Promise<Removal> => Promise.resolve({ done: true });
      await reconcile({ remove, paused: () => 'somebody works on it' });
      const paused = await live();
      assert.deepEqual(paused?.metadata.finalizers, [finalizer]);
      const condition = paused?.status?.conditions?.find(({ type }) => type === 'Paused');
      assert.partialDeepStrictEqual(condition, { status: 'True', message: 'somebody works on it' });
      await reconcile({ remove });
      assert.equal(await live(), undefined);
    },
  },
  {
    id: 'shape of reconcilers',
    name: 'an object that is deleted waits for its children, says for which, and goes last',
    async run(harness) {
      const { create, reconcile, live, client, ready } = await scene(harness);
      const made = await create();
      await reconcile({});
      await client.delete(shapedWidgets, { namespace: made.metadata.namespace ?? '', name: 'one' });
      let removal: Removal = { done: false, waitingFor: 'disks', left: ['DataVolume lab/root'] };
      const remove = (): Promise<Removal> => Promise.resolve(removal);
      const steps = [{ name: 'make', run: () => Promise.reject(new Error('nothing is made for what is deleted')) }];
      assert.ok(((await reconcile({ remove, steps })) ?? {}).requeueAfterMs !== undefined);
      assert.partialDeepStrictEqual(await ready(), {
        reason: 'Deleting',
        message: 'waiting for disks to be gone: DataVolume lab/root',
      });
      removal = { done: true };
      await reconcile({ remove, steps });
      assert.equal(await live(), undefined);
      await reconcile({ remove, steps });
    },
  },
  {
    id: 'shape of reconcilers',
    name: 'a round that began with an old state writes no status over a newer one',
    async run(harness) {
      const { create, reconcile, live, client } = await scene(harness);
      const made = await create();
      await reconcile({});
      const old = await live();
      await client.patch(
        shapedWidgets,
        { namespace: made.metadata.namespace ?? '', name: 'one' },
        { type: 'merge', body: { spec: { size: 2 } } },
      );
      await assert.rejects(reconcile({ get: () => old, steps: [reporting(1)] }), isConflict);
      assert.equal((await live())?.status?.seen, undefined);
    },
  },
];
