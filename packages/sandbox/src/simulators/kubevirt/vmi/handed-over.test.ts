import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vmiOf } from './builders.fixture.ts';
import { changesOf } from './handed-over.ts';

const running = vmiOf({
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    interfaces: [{ name: 'a' }, { name: 'b' }],
  },
});

test('what did not change is not sent', () => assert.deepEqual(changesOf(running, { ...running }), []));

test('a change is sent onto what was seen only', () => {
  const next = { ...running, status: { ...running.status, phase: 'Failed' as const } };
  assert.deepEqual(changesOf(running, next), [
    { op: 'test', path: '/status/phase', value: 'Running' },
    { op: 'replace', path: '/status/phase', value: 'Failed' },
  ]);
});

test('what was not there is added', () => {
  const next = { ...running, status: { ...running.status, volumeStatus: [{ name: 'v' }] } };
  assert.deepEqual(changesOf(running, next), [{ op: 'add', path: '/status/volumeStatus', value: [{ name: 'v' }] }]);
});

test("the order of interfaces is virt-handler's own", () => {
  const next = { ...running, status: { ...running.status, interfaces: [{ name: 'b' }, { name: 'a' }] } };
  assert.deepEqual(changesOf(running, next), []);
});
