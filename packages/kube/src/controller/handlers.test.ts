import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Projected } from '../informer/informer.ts';
import type { OwnerReference } from '../object.ts';
import type { Change } from './change.ts';
import { enqueueMapped, enqueueObject, enqueueOwner } from './handlers.ts';

function object(name: string, ownerReferences: readonly OwnerReference[] = [], namespace?: string): Projected {
  return {
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      ownerReferences,
      ...defined({ namespace }),
    },
  };
}

function created(one: Projected): Change<Projected> {
  return { type: 'created', object: one, initial: false };
}

function owner(name: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name, uid: name, ...more };
}

const machines = { group: 'kubevirt.io', kind: 'VirtualMachine', namespaced: true };

suite('handlers', () => {
  test('P2: enqueueObject names the object, with a namespace where it has one', () => {
    assert.deepEqual([...enqueueObject(created(object('x', [], 'shop')), 'a')], [{ namespace: 'shop', name: 'x' }]);
    assert.deepEqual([...enqueueObject(created(object('x')), 'a')], [{ name: 'x' }]);
    const gone: Change<Projected> = { type: 'deleted', object: object('x'), finalStateUnknown: true };
    assert.deepEqual([...enqueueObject(gone, 'a')], [{ name: 'x' }]);
  });

  for (const [what, reference, matches] of [
    ['the same version', owner('vm'), true],
    ['another version of the group', owner('vm', { apiVersion: 'kubevirt.io/v1alpha3' }), true],
    ['another group', owner('vm', { apiVersion: 'example.io/v1' }), false],
    ['the core group', owner('vm', { apiVersion: 'v1' }), false],
    ['another kind', owner('vm', { kind: 'VirtualMachineInstance' }), false],
  ] as const)
    test(`P2: enqueueOwner ${matches ? 'follows' : 'ignores'} an owner of ${what}`, () => {
      const found = [...enqueueOwner(machines)(created(object('child', [reference], 'shop')), 'a')];
      assert.deepEqual(found, matches ? [{ namespace: 'shop', name: 'vm' }] : []);
    });

  test('P2: enqueueOwner follows the core group, and owners that stand in no namespace', () => {
    const nodes = { group: '', kind: 'Node', namespaced: false };
    const child = object('child', [owner('n1', { apiVersion: 'v1', kind: 'Node' })], 'shop');
    assert.deepEqual([...enqueueOwner(nodes)(created(child), 'a')], [{ name: 'n1' }]);
  });

  test('P2: enqueueOwner can be told to follow the controller only', () => {
    const child = created(object('child', [owner('one'), owner('two', { controller: true })]));
    const names = (options?: { readonly controllerOnly: boolean }): readonly string[] =>
      [...enqueueOwner(machines, options)(child, 'a')].map(({ name }) => name);
    assert.deepEqual(names(), ['one', 'two']);
    assert.deepEqual(names({ controllerOnly: true }), ['two']);
  });

  test('P2: an update concerns the owner that was and the owner that is', () => {
    const change: Change<Projected> = {
      type: 'updated',
      before: object('child', [owner('old')]),
      object: object('child', [owner('new')]),
      resync: false,
    };
    assert.deepEqual(
      [...enqueueOwner(machines)(change, 'a')].map(({ name }) => name),
      ['old', 'new'],
    );
  });

  test('P2: enqueueMapped maps what was and what is, with the cluster, and may name another one', () => {
    const map = enqueueMapped<Projected>(({ metadata }, cluster) => [
      { name: `${cluster}-${metadata.name}` },
      { cluster: 'hub', name: 'all' },
    ]);
    const change: Change<Projected> = { type: 'updated', before: object('x'), object: object('y'), resync: false };
    assert.deepEqual(
      [...map(change, 'a')],
      [{ name: 'a-x' }, { cluster: 'hub', name: 'all' }, { name: 'a-y' }, { cluster: 'hub', name: 'all' }],
    );
    assert.equal([...map(created(object('x')), 'a')].length, 2);
  });

  test('P2: an old state that cannot be mapped does not hide the new one', () => {
    const map = enqueueMapped<Projected>(({ metadata }) => {
      if (metadata.name === 'old') throw new Error('cannot map');
      return [{ name: metadata.name ?? '' }];
    });
    const change: Change<Projected> = { type: 'updated', before: object('old'), object: object('new'), resync: false };
    const found: string[] = [];
    assert.throws(() => {
      for (const { name } of map(change, 'a')) found.push(name);
    }, /cannot map/);
    assert.deepEqual(found, ['new']);
  });
});
