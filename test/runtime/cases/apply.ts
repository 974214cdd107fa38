/** Server-side apply, and the rules for applying children. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { isConflict, isKind } from '../../../packages/kube/src/errors.ts';
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import { Applier, NotOurs, type Child } from '../../../packages/kube/src/reconcile/apply-child.ts';
import { find } from '../../../packages/kube/src/reconcile/create-or-patch.ts';
import type { RuntimeCase } from '../case.ts';
import { countedClient } from '../counted.ts';
import type { Harness } from '../harness.ts';
import { widget, widgets, type Widget } from '../widget.ts';

const fieldManager = 'test-controller';
const atomicLists = [{ path: 'spec.parts' }];

type Parts = readonly { readonly name: string; readonly amount?: number }[];

interface Scene {
  readonly namespace: string;
  readonly client: Client;
  readonly requests: () => Promise<Readonly<Record<string, number>>>;
  readonly applier: Applier;
  readonly newApplier: () => Applier;
  readonly live: () => Promise<Widget | undefined>;
  /** The child "one"; its live object defaults to the current one. */
  readonly child: (spec: NonNullable<Widget['spec']>, more?: Partial<Child<Widget>>) => Promise<Child<Widget>>;
  /** Changes the object as another client would: kubectl, or KubeVirt when it plugs in a disk. */
  readonly meddle: (body: object, subresource?: string) => Promise<Widget>;
}

async function scene(harness: Harness): Promise<Scene> {
  const namespace = await harness.namespace('apply');
  const { client, requests } = countedClient(harness);
  const key = { namespace, name: 'one' };
  const live = (): Promise<Widget | undefined> => find(harness.direct, widgets, key);
  const newApplier = (): Applier => new Applier({ fieldManager });
  return {
    namespace,
    client,
    requests,
    applier: newApplier(),
    newApplier,
    live,
    child: async (spec, more = {}) => {
      const desired: KubeObject = { ...widget(namespace, 'one', spec, { app: 'test' }) };
      return { type: widgets, desired, live: await live(), atomicLists, ...more };
    },
    meddle: (body, subresource) =>
      harness.direct.patch(
        widgets,
        key,
        { type: 'merge', body },
        { fieldManager: 'another-manager', ...defined({ subresource }) },
      ),
  };
}

function partsOf(object: Widget | undefined): unknown {
  return object?.spec?.['parts'];
}

const root: Parts = [{ name: 'root', amount: 1 }];
const plugged = { name: 'plugged', amount: 7 };

export const applyCases: readonly RuntimeCase[] = [
  {
    id: 'P5',
    name: 'an apply owns what it says, meets the fields of others as a conflict, and takes them by force',
    async run(harness) {
      const { client, namespace } = await scene(harness);
      const wish = widget(namespace, 'one', { size: 1 });
      const made = await client.apply(widgets, wish, { fieldManager });
      assert.equal(made.spec?.size, 1);
      const other = { ...wish, spec: { size: 2 } };
      await assert.rejects(
        client.apply(widgets, other, { fieldManager: 'another-manager' }),
        (error) => isConflict(error) && error.hasCause('FieldManagerConflict'),
      );
      const forced = await client.apply(widgets, other, { fieldManager: 'another-manager', force: true });
      assert.equal(forced.spec?.size, 2);
    },
  },
  {
    id: 'P5',
    name: 'a field that is applied no more goes, and those of others stay',
    async run(harness) {
      const { client, namespace } = await scene(harness);
      const wish = (spec: NonNullable<Widget['spec']>): Widget => ({ metadata: { namespace, name: 'one' }, spec });
      await client.apply(widgets, wish({ size: 1, color: 'red' }), { fieldManager });
      await client.apply(widgets, wish({ extra: true }), { fieldManager: 'another-manager' });
      const after = await client.apply(widgets, wish({ size: 1 }), { fieldManager });
      assert.deepEqual(after.spec, { size: 1, extra: true });
    },
  },
  {
    id: 'P5',
    name: 'a status is applied through its subresource, and the spec stays as it is',
    async run(harness) {
      const { client, namespace } = await scene(harness);
      await client.create(widgets, widget(namespace, 'one', { size: 1 }));
      const status = { metadata: { namespace, name: 'one' }, spec: { size: 5 }, status: { seen: 3 } };
      const after = await client.apply(widgets, status, { fieldManager, subresource: 'status' });
      assert.deepEqual([after.spec, after.status], [{ size: 1 }, { seen: 3 }]);
    },
  },
  {
    id: 'P5',
    name: 'a client writes under its own field manager, and a field that no schema knows is refused',
    async run(harness) {
      const namespace = await harness.namespace('apply');
      const client = harness.client({ fieldManager: 'the-default' });
      const made = await client.create(widgets, widget(namespace, 'one'));
      assert.partialDeepStrictEqual(made.metadata.managedFields, [{ manager: 'the-default' }]);
      const strange: Widget & { bogus: number } = { ...widget(namespace, 'two'), bogus: 1 };
      await assert.rejects(client.create(widgets, strange), (error) => isKind(error, 'BadRequest'));
      await assert.rejects(client.apply(widgets, strange, { fieldManager }), /bogus: field not declared in schema/);
      const lenient = await client.create(widgets, strange, { fieldValidation: 'Ignore' });
      assert.equal('bogus' in lenient, false);
    },
  },
  {
    id: 'apply of children',
    name: 'the same wish twice is one write and no further request, also after a restart',
    async run(harness) {
      const { applier, newApplier, child, requests, client } = await scene(harness);
      const made = await applier.apply(client, await child({ size: 1, parts: root }));
      assert.equal(made.outcome, 'applied');
      assert.deepEqual(await requests(), { GET: 1, PATCH: 1 }, 'one look whether it is there, one apply');
      assert.equal((await applier.apply(client, await child({ size: 1, parts: root }))).outcome, 'unchanged');
      assert.equal((await newApplier().apply(client, await child({ parts: root, size: 1 }))).outcome, 'unchanged');
      assert.deepEqual(await requests(), {});
    },
  },
  {
    id: 'apply of children',
    name: 'changes that are not ours (a status, a field of another) cause no request; a change of ours is put right',
    async run(harness) {
      const { applier, child, requests, meddle, live, client } = await scene(harness);
      await applier.apply(client, await child({ size: 1, parts: root }));
      await meddle({ status: { seen: 1 } }, 'status');
      await meddle({ spec: { extra: 'theirs' }, metadata: { labels: { theirs: 'x' } } });
      await requests();
      assert.equal((await applier.apply(client, await child({ size: 1, parts: root }))).outcome, 'unchanged');
      assert.deepEqual(await requests(), {});

      await meddle({ spec: { size: 99 } });
      assert.equal((await applier.apply(client, await child({ size: 1, parts: root }))).outcome, 'applied');
      await meddle({ metadata: { labels: { app: null } } });
      assert.equal((await applier.apply(client, await child({ size: 1, parts: root }))).outcome, 'applied');
      const { spec, metadata } = (await live()) ?? widget('', '');
      assert.deepEqual([spec?.size, spec?.['extra']], [1, 'theirs']);
      assert.deepEqual(metadata.labels, { app: 'test', theirs: 'x' });
    },
  },
  {
    id: 'apply of children',
    name: 'an entry that another client added to an atomic list survives, and one that we drop goes',
    async run(harness) {
      const { applier, child, meddle, live, requests, client } = await scene(harness);
      await applier.apply(client, await child({ parts: [...root, { name: 'data', amount: 2 }] }));
      await meddle({ spec: { parts: [...root, { name: 'data', amount: 2 }, plugged] } });
      await applier.apply(client, await child({ parts: [...root, { name: 'data', amount: 3 }] }));
      assert.deepEqual(partsOf(await live()), [...root, { name: 'data', amount: 3 }, plugged]);
      await applier.apply(client, await child({ parts: root }));
      assert.deepEqual(partsOf(await live()), [...root, plugged]);
      await requests();
      assert.equal((await applier.apply(client, await child({ parts: root }))).outcome, 'unchanged');
      assert.deepEqual(await requests(), {});
      await meddle({ spec: { parts: root } });
      await applier.apply(client, await child({ parts: root }));
      assert.deepEqual(partsOf(await live()), root, 'what they unplug is not plugged in again');
    },
  },
  {
    id: 'apply of children',
    name: 'what was plugged in between our read and our apply survives',
    async run(harness) {
      const { applier, child, meddle, live, client } = await scene(harness);
      await applier.apply(client, await child({ size: 1, parts: root }));
      const late = await child({ size: 2, parts: root });
      await meddle({ spec: { parts: [...root, plugged] } });
      assert.equal((await applier.apply(client, late)).outcome, 'applied');
      const after = await live();
      assert.deepEqual([after?.spec?.size, partsOf(after)], [2, [...root, plugged]]);
    },
  },
  {
    id: 'apply of children',
    name: 'a projection without the lists is enough: the whole object is read before it is written',
    async run(harness) {
      const { applier, child, meddle, live, requests, client } = await scene(harness);
      await applier.apply(client, await child({ parts: root }));
      const projected = async (spec: NonNullable<Widget['spec']>): Promise<Child<Widget>> => {
        const whole = await live();
        assert.ok(whole !== undefined);
        const { managedFields: _managedFields, ...metadata } = whole.metadata;
        return child(spec, { live: { metadata }, projected: true });
      };
      await requests();
      assert.equal((await applier.apply(client, await projected({ parts: root }))).outcome, 'unchanged');
      assert.deepEqual(await requests(), {});
      await meddle({ spec: { parts: [...root, plugged] } });
      await applier.apply(client, await projected({ parts: [{ name: 'root', amount: 5 }] }));
      assert.deepEqual(await requests(), { GET: 1, PATCH: 1 });
      assert.deepEqual(partsOf(await live()), [{ name: 'root', amount: 5 }, plugged]);
    },
  },
  {
    id: 'apply of children',
    name: 'an object deleted since it was read is not created again, and one that was created again is not overwritten',
    async run(harness) {
      const { applier, child, live, client, namespace } = await scene(harness);
      await applier.apply(client, await child({ size: 1 }));
      const late = await child({ size: 2 });
      await client.delete(widgets, { namespace, name: 'one' });
      await assert.rejects(applier.apply(client, late), isConflict);
      assert.equal(await live(), undefined);
      await client.create(widgets, widget(namespace, 'one', { size: 9 }));
      await assert.rejects(applier.apply(client, late), isConflict);
      assert.equal((await live())?.spec?.size, 9);
    },
  },
  {
    id: 'apply of children',
    name: 'a writer who wakes up late does not overwrite what a newer one has applied',
    async run(harness) {
      const { applier, newApplier, child, live, client } = await scene(harness);
      await applier.apply(client, await child({ size: 1 }));
      const late = await child({ size: 2 });
      const unseen = await child({ size: 4 }, { live: undefined });
      await newApplier().apply(client, await child({ size: 3 }));
      await assert.rejects(applier.apply(client, late), isConflict);
      await assert.rejects(applier.apply(client, unseen), isConflict, 'a cache that does not know the object yet');
      assert.equal((await live())?.spec?.size, 3);
    },
  },
  {
    id: 'apply of children',
    name: 'a foreign object is not taken, and one that is being deleted is left alone',
    async run(harness) {
      const { applier, child, live, client, namespace, requests } = await scene(harness);
      await client.create(widgets, {
        ...widget(namespace, 'one', { size: 9 }),
        metadata: { namespace, name: 'one', finalizers: ['test.ssvirt.io/held'] },
      });
      const mayTake = (object: Widget): boolean => object.metadata.labels?.['app'] === 'test';
      await assert.rejects(applier.apply(client, await child({ size: 1 }, { mayTake })), NotOurs);
      await assert.rejects(applier.apply(client, await child({ size: 1 }, { mayTake, live: undefined })), NotOurs);
      await client.delete(widgets, { namespace, name: 'one' });
      await requests();
      assert.equal((await applier.apply(client, await child({ size: 1 }))).outcome, 'deleting');
      assert.deepEqual(await requests(), {});
      assert.equal((await live())?.spec?.size, 9);
    },
  },
];
