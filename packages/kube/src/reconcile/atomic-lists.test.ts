import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../object.ts';
import { ownEntries, ownEntriesAnnotation, withForeignEntries } from './atomic-lists.ts';

const lists = [{ path: 'spec.volumes' }];

interface Machine extends KubeObject {
  readonly spec?: { readonly volumes?: readonly unknown[]; readonly running?: boolean };
}

function machine(volumes: readonly unknown[] | undefined, own?: string): Machine {
  const annotations = own === undefined ? {} : { [ownEntriesAnnotation]: own };
  return { metadata: { name: 'm', annotations }, ...(volumes === undefined ? {} : { spec: { volumes } }) };
}

const volume = (name: string, size = 1): object => ({ name, size });
const ours = (...names: readonly string[]): string => JSON.stringify({ 'spec.volumes': names });

const cases: readonly {
  readonly reason: string;
  readonly desired: Machine;
  readonly live: Machine | undefined;
  readonly volumes: readonly unknown[] | undefined;
}[] = [
  { reason: 'nothing is there yet', desired: machine([volume('root')]), live: undefined, volumes: [volume('root')] },
  {
    reason: 'a hot-plugged entry is kept where it is',
    desired: machine([volume('root', 2)]),
    live: machine([volume('plugged'), volume('root')], ours('root')),
    volumes: [volume('plugged'), volume('root', 2)],
  },
  {
    reason: 'what is new of ours comes behind theirs, and ours stand in our order where they were',
    desired: machine([volume('b', 2), volume('a', 2), volume('new')]),
    live: machine([volume('a'), volume('plugged'), volume('b')], ours('a', 'b')),
    volumes: [volume('b', 2), volume('plugged'), volume('a', 2), volume('new')],
  },
  {
    reason: 'one that we dropped goes',
    desired: machine([volume('root')]),
    live: machine([volume('root'), volume('data')], ours('root', 'data')),
    volumes: [volume('root')],
  },
  {
    reason: 'we drop the whole list, theirs stays',
    desired: machine(undefined),
    live: machine([volume('root'), volume('plugged')], ours('root')),
    volumes: [volume('plugged')],
  },
  {
    reason: 'an object that we take over keeps all that is not ours',
    desired: machine([volume('root')]),
    live: machine([volume('old'), volume('root', 9)]),
    volumes: [volume('old'), volume('root')],
  },
  {
    reason: 'an invalid annotation loses nothing',
    desired: machine([volume('root')]),
    live: machine([volume('root'), volume('data')], '{oops'),
    volumes: [volume('root'), volume('data')],
  },
  {
    reason: 'entries without a name are distinguished by their content',
    desired: machine([{ size: 1 }]),
    live: machine([{ size: 1 }, { size: 2 }], JSON.stringify({ 'spec.volumes': ['{"size":1}'] })),
    volumes: [{ size: 1 }, { size: 2 }],
  },
];
for (const { reason, desired, live, volumes } of cases) {
  test(`atomic lists: ${reason}`, () => {
    assert.deepEqual((withForeignEntries(desired, live, lists) as Machine).spec?.volumes, volumes);
  });
}

test('atomic lists: nothing else of the wish changes, and the wish itself stays as it is', () => {
  const desired: Machine = { metadata: { name: 'm' }, spec: { running: true, volumes: [volume('root')] } };
  const before = structuredClone(desired);
  const merged = withForeignEntries(desired, machine([volume('plugged')]), lists);
  assert.deepEqual(merged, {
    metadata: { name: 'm' },
    spec: { running: true, volumes: [volume('plugged'), volume('root')] },
  });
  assert.deepEqual(desired, before);
});

test('atomic lists: the annotation names our entries by their key', () => {
  assert.equal(ownEntries(machine([volume('root'), volume('data')]), lists), ours('root', 'data'));
  assert.equal(ownEntries(machine(undefined), lists), ours());
  assert.equal(ownEntries(machine([volume('root')]), []), undefined);
  const bySize = [{ path: 'spec.volumes', key: 'size' }];
  assert.equal(ownEntries(machine([{ size: 'big' }]), bySize), JSON.stringify({ 'spec.volumes': ['big'] }));
});
