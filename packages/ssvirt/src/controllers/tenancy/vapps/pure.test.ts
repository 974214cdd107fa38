import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TaskId, TaskStatus } from '../../../db/schema/schema.ts';
import type { ChildTask } from '../../../db/vapps/vapp-work.ts';
import { instanceLabels, machineAnnotations, machineLabels } from '../../../kubevirt/tenant-vm/labels.ts';
import { pauseSince } from './attempt.ts';
import { instanceState } from './instance-state.ts';
import { stampOf } from './created-vms.ts';
import { endingOf } from './parents.ts';

describe('a task that was handed to the machines', () => {
  const id = 'parent' as TaskId;
  const child = (machine: string, status: TaskStatus, message: string | null = null, parent = 'parent'): ChildTask => ({
    parent,
    machine,
    status,
    ended: !['queued', 'preRunning', 'running'].includes(status),
    message,
  });
  const words = (...children: readonly ChildTask[]): string => {
    const end = endingOf({ id }, children);
    return typeof end === 'string' ? end : end.message;
  };
  const many = Array.from({ length: 7 }, (_, i) => child(`m${i}`, 'error', 'no'));

  const cases: readonly [what: string, children: readonly ChildTask[], words: RegExp][] = [
    ['is done where there is none', [], /^done$/],
    ['is open while one is', [child('a', 'success'), child('b', 'queued')], /^open$/],
    ['is open while one is, though another has failed', [child('a', 'error'), child('b', 'running')], /^open$/],
    ['is done when all are', [child('a', 'success'), child('b', 'success')], /^done$/],
    ['looks at its own only', [child('a', 'error', 'no', 'another')], /^done$/],
    ['names what has failed', [child('a', 'success'), child('b', 'error', 'no room')], /1 of 2 .*: "b": no room$/],
    ['names the one', [child('a', 'aborted', 'superseded')], /to its virtual machine "a": superseded$/],
    ['says what became of one without a reason', [child('a', 'canceled'), child('b', 'success')], /"a": canceled$/],
    ['names a few of many', many, /7 of 7 .*"m4": no and 2 more$/],
  ];
  for (const [what, children, expected] of cases) test(what, () => assert.match(words(...children), expected));
});

describe('a TemplateInstance', () => {
  const instance = (...conditions: readonly object[]): Parameters<typeof instanceState>[0] => ({
    metadata: { name: 'a', uid: 'u' },
    status: { conditions },
  });
  const failed = (message: string): object => ({
    type: 'InstantiateFailure',
    status: 'True',
    reason: 'Failed',
    message,
  });

  test('is at work, ready, or has failed', () => {
    assert.equal(instanceState({ metadata: {} }).state, 'running');
    assert.equal(instanceState(instance({ type: 'Ready', status: 'False' })).state, 'running');
    assert.equal(instanceState(instance({ type: 'Ready', status: 'True' })).state, 'ready');
    assert.equal(instanceState(instance(failed('no'), { type: 'Ready', status: 'True' })).state, 'failed');
  });

  test('fails with the words of the cluster, and without the name of our account', () => {
    const why = (message: string): string => {
      const found = instanceState(instance(failed(message)));
      return found.state === 'failed' ? found.failure.message : found.state;
    };
    assert.match(why('unable to create VirtualMachine, Name=x: already exists'), /Name=x: already exists/);
    const account = 'unable to authorize user to create secrets, Name=x: User "system:serviceaccount:a:b" cannot';
    assert.match(why(account), /lacks a right in the cluster/);
    assert.doesNotMatch(why(account), /system:serviceaccount/);
  });
});

test('a machine is stamped with what it lacks, and not where it has all', () => {
  const ids = { installationId: 'i', organizationId: 'o', vdcId: 'd', namespace: 'n', vappId: 'a', vappName: 'shop' };
  const machine = { ...ids, vmId: 'v', vmName: 'web', name: 'web', description: '' };
  const [labels, annotations] = [machineLabels(machine), machineAnnotations(machine)];
  const spec = { template: { metadata: { labels: instanceLabels(machine) } } };
  assert.equal(stampOf({ metadata: { labels: { ...labels, more: '' }, annotations }, spec }, machine), undefined);
  assert.deepEqual(stampOf({ metadata: { labels }, spec }, machine), { metadata: { annotations } });
  assert.deepEqual(stampOf({ metadata: { labels, annotations } }, machine), { metadata: {}, spec });
});

test('the longer it takes, the less often it is looked', () => {
  const at = (ms: number): number => pauseSince(new Date(0), { waitMs: 2_000 }, ms);
  assert.deepEqual([-5_000, 100, 4_000, 3_600_000].map(at), [250, 250, 2_000, 10_000]);
});
