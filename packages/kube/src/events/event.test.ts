import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventName, eventOf, referenceTo, regarding } from './event.ts';

const circumstances = {
  source: { component: 'test' },
  date: new Date('2026-01-02T03:04:05.678Z'),
  nanoseconds: 0xabcn,
};
const node = { apiVersion: 'v1', kind: 'Node', name: 'n1' };
const happening = { type: 'Normal', reason: 'Started', message: 'hello' } as const;

test('E3: an event is in the namespace of its object, or in default', () => {
  const inLab = eventOf({ ...node, kind: 'Pod', namespace: 'lab' }, happening, circumstances);
  assert.equal(inLab.metadata.namespace, 'lab');
  const nowhere = eventOf(node, happening, circumstances);
  assert.equal(nowhere.metadata.namespace, 'default');
  assert.equal(nowhere.involvedObject.namespace, undefined);
});

const names: readonly { readonly object: string; readonly name: RegExp; readonly reason: string }[] = [
  { object: 'db', name: /^db\.abc$/, reason: 'the object and the time' },
  { object: 'x'.repeat(253), name: /^x{249}\.abc$/, reason: 'a long name is cut' },
  { object: `${'x'.repeat(248)}-yyyy`, name: /^x{248}\.abc$/, reason: 'a cut does not leave a dash before the dot' },
  { object: 'system:node', name: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, reason: 'no event could be named so' },
];
for (const { object, name, reason } of names) {
  test(`E3: names of events are unique and fit: ${reason}`, () => {
    assert.match(eventName(object, 0xabcn), name);
    assert.ok(eventName(object, 0xabcn).length <= 253);
  });
}

test('E3: an event bears seconds, its writer twice, and no more text than others can read', () => {
  const long = { ...happening, message: '🚀'.repeat(2000) };
  const event = eventOf(node, long, { ...circumstances, source: { component: 'test', host: 'h1' } });
  assert.equal(event.firstTimestamp, '2026-01-02T03:04:05Z');
  assert.deepEqual([event.reportingComponent, event.reportingInstance], ['test', 'h1']);
  assert.equal([...event.message].length, 1024);
  assert.equal(event.message.at(-1), '…');
});

test('E3: an object that does not say its kind has no reference until the kind is given', () => {
  const metadata = { name: 'db', namespace: 'lab', uid: 'u1', resourceVersion: '7' };
  assert.equal(referenceTo({ metadata }), undefined);
  const type = {
    group: 'kubevirt.io',
    version: 'v1',
    kind: 'VirtualMachine',
    plural: 'virtualmachines',
    namespaced: true,
  };
  assert.deepEqual(referenceTo(regarding(type, { metadata })), {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    name: 'db',
    namespace: 'lab',
    uid: 'u1',
    resourceVersion: '7',
  });
});
