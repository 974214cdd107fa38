/**
 * The building blocks of reconcilers, on a server: finalizers, patches with optimistic locking, statuses, ordered
 * deletion.
 */
import assert from 'node:assert/strict';
import { isConflict } from '../../../packages/kube/src/errors.ts';
import { createOrPatch, find } from '../../../packages/kube/src/reconcile/create-or-patch.ts';
import { deleteInOrder } from '../../../packages/kube/src/reconcile/delete-in-order.ts';
import { addFinalizer, removeFinalizer } from '../../../packages/kube/src/reconcile/finalizers.ts';
import { optimisticMergePatch } from '../../../packages/kube/src/reconcile/merge-patch.ts';
import { withController } from '../../../packages/kube/src/reconcile/owners.ts';
import { patchStatus } from '../../../packages/kube/src/reconcile/status-patch.ts';
import type { RuntimeCase } from '../case.ts';
import { countedClient } from '../counted.ts';
import { widget, widgets, type Widget } from '../widget.ts';

const finalizer = 'test.ssvirt.io/cleanup';

export const reconcileCases: readonly RuntimeCase[] = [
  {
    id: 'P4',
    name: 'a finalizer is added once and removed once, and what is gone needs no removal',
    async run(harness) {
      const namespace = await harness.namespace('finalizer');
      const { client, requests } = countedClient(harness);
      const made = await client.create(widgets, widget(namespace, 'one'));
      const held = await addFinalizer(client, widgets, made, finalizer);
      assert.deepEqual(held.metadata.finalizers, [finalizer]);
      await requests();
      assert.equal(await addFinalizer(client, widgets, held, finalizer), held);
      assert.deepEqual(await requests(), {}, 'it bears it already');

      await client.delete(widgets, { namespace, name: 'one' });
      const deleting = await client.get(widgets, { namespace, name: 'one' });
      assert.notEqual(deleting.metadata.deletionTimestamp, undefined);
      assert.equal(await removeFinalizer(client, widgets, deleting, finalizer), undefined);
      assert.equal(await find(client, widgets, { namespace, name: 'one' }), undefined);
      assert.equal(await removeFinalizer(client, widgets, deleting, finalizer), undefined, 'gone is success');
    },
  },
  {
    id: 'P4',
    name: 'a finalizer that another client added meanwhile is not lost',
    async run(harness) {
      const namespace = await harness.namespace('finalizer');
      const client = harness.client();
      const stale = await client.create(widgets, widget(namespace, 'one'));
      await addFinalizer(client, widgets, stale, 'test.ssvirt.io/other');
      await assert.rejects(addFinalizer(client, widgets, stale, finalizer), isConflict);
      const now = await client.get(widgets, { namespace, name: 'one' });
      await addFinalizer(client, widgets, now, finalizer);
      await assert.rejects(
        removeFinalizer(client, widgets, { ...now, metadata: { ...now.metadata, finalizers: [finalizer] } }, finalizer),
        isConflict,
      );
      const { metadata } = await client.get(widgets, { namespace, name: 'one' });
      assert.deepEqual(metadata.finalizers, ['test.ssvirt.io/other', finalizer]);
    },
  },
  {
    id: 'P4',
    name: 'create-or-patch makes what is missing, patches what differs, and writes nothing else',
    async run(harness) {
      const namespace = await harness.namespace('patch');
      const { client, requests } = countedClient(harness);
      const key = { namespace, name: 'one' };
      const bring = (size: number): ReturnType<typeof createOrPatch<Widget>> =>
        createOrPatch(client, widgets, key, (live) => {
          const base = live ?? widget(namespace, 'one', { color: 'red' });
          return { ...base, spec: { ...base.spec, size } };
        });
      const first = await bring(1);
      assert.equal(first.outcome, 'created');
      await requests();
      const second = await bring(1);
      assert.equal(second.outcome, 'unchanged');
      assert.deepEqual(await requests(), { GET: 1 });
      const third = await bring(2);
      assert.equal(third.outcome, 'patched');
      assert.deepEqual(third.object.spec, { color: 'red', size: 2 });
      assert.deepEqual(await requests(), { GET: 1, PATCH: 1 });
    },
  },
  {
    id: 'P4',
    name: 'a patch of what was read is refused when another client changed or recreated the object meanwhile',
    async run(harness) {
      const namespace = await harness.namespace('patch');
      const client = harness.client();
      const stale = await client.create(widgets, widget(namespace, 'one', { size: 1 }));
      const patch = optimisticMergePatch(stale, { ...stale, spec: { size: 2 } });
      assert.ok(patch !== undefined);
      const key = { namespace, name: 'one' };
      await client.patch(widgets, key, { type: 'merge', body: { spec: { color: 'red' } } });
      await assert.rejects(client.patch(widgets, key, patch), isConflict);
      await client.delete(widgets, key);
      await client.create(widgets, widget(namespace, 'one', { size: 9 }));
      await assert.rejects(client.patch(widgets, key, patch), isConflict);
      assert.equal((await client.get(widgets, key)).spec?.size, 9);
    },
  },
  {
    id: 'P4',
    name: 'the server takes a controller reference as we write it',
    async run(harness) {
      const namespace = await harness.namespace('owner');
      const client = harness.client();
      const parent = await client.create(widgets, widget(namespace, 'parent'));
      const here = { cluster: client.cluster, type: widgets };
      const child = withController(widget(namespace, 'child'), here, { ...here, object: parent });
      const made = await client.create(widgets, child);
      assert.deepEqual(made.metadata.ownerReferences, child.metadata.ownerReferences);
    },
  },
  {
    id: 'P4',
    name: 'a status is written only where it differs, on what was read, and gone is success',
    async run(harness) {
      const namespace = await harness.namespace('status');
      const { client, requests } = countedClient(harness);
      const made = await client.create(widgets, widget(namespace, 'one', { size: 1 }));
      const seen = await patchStatus(client, widgets, made, { seen: 1, note: 'x' });
      assert.deepEqual([seen?.status, seen?.metadata.generation], [{ seen: 1, note: 'x' }, 1]);
      assert.ok(seen !== undefined);
      await requests();
      assert.equal(await patchStatus(client, widgets, seen, { note: 'x', seen: 1 }), seen);
      assert.deepEqual(await requests(), {}, 'nothing differs');
      await assert.rejects(patchStatus(client, widgets, made, { seen: 7 }), isConflict, 'made is older than seen');
      const without = await patchStatus(client, widgets, seen, { seen: 2 });
      assert.deepEqual(without?.status, { seen: 2 }, 'what is said no more goes');
      await client.delete(widgets, { namespace, name: 'one' });
      assert.equal(await patchStatus(client, widgets, seen, { seen: 3 }), undefined);
    },
  },
  {
    id: 'P4',
    name: 'children are deleted step by step, each when the one before is gone',
    async run(harness) {
      const namespace = await harness.namespace('delete');
      const client = harness.client();
      const held = { ...widget(namespace, 'vm'), metadata: { namespace, name: 'vm', finalizers: [finalizer] } };
      await client.create(widgets, held);
      await client.create(widgets, widget(namespace, 'disk'));
      const left = (name: string) => async () => {
        const object = await find(client, widgets, { namespace, name });
        return object === undefined ? [] : [{ type: widgets, object }];
      };
      const steps = [
        { name: 'the machine', left: left('vm') },
        { name: 'disks', left: left('disk') },
      ];
      const waiting = { done: false, waitingFor: 'the machine', left: [`Widget ${namespace}/vm`] };
      assert.deepEqual(await deleteInOrder(client, steps), waiting);
      assert.deepEqual(await deleteInOrder(client, steps), waiting, 'asked twice, it still waits');
      const disk = await client.get(widgets, { namespace, name: 'disk' });
      assert.equal(disk.metadata.deletionTimestamp, undefined);
      const vm = await client.get(widgets, { namespace, name: 'vm' });
      await removeFinalizer(client, widgets, vm, finalizer);
      assert.deepEqual(await deleteInOrder(client, steps), { done: true });
      assert.equal(await find(client, widgets, { namespace, name: 'disk' }), undefined);
    },
  },
  {
    id: 'P4',
    name: 'the deletion of what we saw does not strike its namesake',
    async run(harness) {
      const namespace = await harness.namespace('delete');
      const client = harness.client();
      const old = await client.create(widgets, widget(namespace, 'one'));
      await client.delete(widgets, { namespace, name: 'one' });
      const namesake = await client.create(widgets, widget(namespace, 'one'));
      const steps = [{ name: 'it', left: () => [{ type: widgets, object: old }] }];
      assert.equal((await deleteInOrder(client, steps)).done, false);
      const now = await client.get(widgets, { namespace, name: 'one' });
      assert.deepEqual([now.metadata.uid, now.metadata.deletionTimestamp], [namesake.metadata.uid, undefined]);
    },
  },
];
