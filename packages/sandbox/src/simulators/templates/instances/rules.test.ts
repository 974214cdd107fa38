import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../values/json.ts';
import { created, failed, isFinished, notReady, waiting, withConditions } from './conditions.ts';
import { filledTemplate } from './filled.ts';
import { isWaitedFor, readinessOf, WAIT_ANNOTATION, type InstanceReadiness } from './readiness.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the values of a Secret', () => {
  const parameters = [
    { name: 'A', value: 'old' },
    { name: 'B', generate: 'expression', from: '[a-z]{3}' },
    { name: 'C', value: 'kept' },
  ];
  const data = { A: base64('new'), B: '', D: base64('x') };
  const { parameters: filled, metadata } = filledTemplate({ parameters }, { metadata: {}, data }, 'n');

  test('count where they are of a parameter, even if they are empty; nothing is generated then', () => {
    assert.deepEqual(filled, [
      { name: 'A', value: 'new' },
      { name: 'B', from: '[a-z]{3}', value: '' },
      { name: 'C', value: 'kept' },
    ]);
  });

  test('go into a template that is in the namespace of the instance unless it says otherwise', () => {
    assert.deepEqual(metadata, { namespace: 'n' });
    const elsewhere = filledTemplate({ metadata: { namespace: 'm' } }, undefined, 'n');
    assert.deepEqual(elsewhere['metadata'], { namespace: 'm' });
  });
});

describe('conditions', () => {
  const first = withConditions({}, [waiting], '2026-01-01T00:00:00Z');

  test('keep their time while they say the same, and are replaced by what they say next', () => {
    assert.equal(withConditions(first, [waiting], 'later').conditions?.[0]?.lastTransitionTime, '2026-01-01T00:00:00Z');
    const next = withConditions(first, [created], 'later');
    assert.deepEqual(next.conditions, [{ ...created, lastTransitionTime: 'later' }]);
  });

  test('end with success or failure', () => {
    assert.equal(isFinished({ status: first }), false);
    assert.equal(isFinished({ status: withConditions(first, [created], 'later') }), true);
    assert.equal(isFinished({ status: withConditions(first, [failed('no'), notReady], 'later') }), true);
  });
});

describe('readiness', () => {
  const deployment = (progressing: string, reason: string, available: string): JsonObject => ({
    metadata: { generation: 2 },
    status: {
      observedGeneration: 2,
      conditions: [
        { type: 'Progressing', status: progressing, reason },
        { type: 'Available', status: available },
      ],
    },
  });
  const cases: [string, string, JsonObject, InstanceReadiness][] = [
    ['apps/v1 Deployment', 'rolled out', deployment('True', 'NewReplicaSetAvailable', 'True'), 'ready'],
    ['apps/v1 Deployment', 'on its way', deployment('True', 'ReplicaSetUpdated', 'True'), 'waiting'],
    ['apps/v1 Deployment', 'out, but not available', deployment('True', 'NewReplicaSetAvailable', 'False'), 'waiting'],
    ['apps/v1 Deployment', 'stuck', deployment('False', 'ProgressDeadlineExceeded', 'False'), 'failed'],
    ['apps/v1 Deployment', 'not looked at', { metadata: { generation: 1 } }, 'waiting'],
    [
      'apps/v1 StatefulSet',
      'all replicas',
      { metadata: { generation: 1 }, spec: { replicas: 2 }, status: { observedGeneration: 1, readyReplicas: 2 } },
      'ready',
    ],
    [
      'apps/v1 StatefulSet',
      'one of two',
      { metadata: { generation: 1 }, spec: { replicas: 2 }, status: { observedGeneration: 1, readyReplicas: 1 } },
      'waiting',
    ],
    ['batch/v1 Job', 'complete', { status: { completionTime: 'now' } }, 'ready'],
    ['batch/v1 Job', 'running', { status: { active: 1 } }, 'waiting'],
    ['batch/v1 Job', 'failed once', { status: { failed: 1 } }, 'failed'],
  ];
  for (const [type, what, object, readiness] of cases) {
    const [apiVersion = '', kind = ''] = type.split(' ');
    const reference = { apiVersion, kind, name: 'a' };
    test(`${kind}: ${what} is ${readiness}`, () => {
      const metadata = { ...(object['metadata'] as JsonObject), annotations: { [WAIT_ANNOTATION]: 'true' } };
      assert.equal(readinessOf(reference, { ...object, metadata }), readiness);
      assert.equal(readinessOf(reference, object), 'ready', 'nobody asked to wait');
      assert.ok(isWaitedFor(reference));
    });
  }

  test('of a machine is not waited for', () =>
    assert.equal(isWaitedFor({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'a' }), false));
});
