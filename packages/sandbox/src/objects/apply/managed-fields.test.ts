import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, ManagedFieldsEntry } from '../../values/json.ts';
import { definition } from '../kinds/builtin.ts';
import { applyConfiguration, isNoOp, managerName, trackUpdate } from './managed-fields.ts';
import { parentEntries, scaleEntries } from './scale.ts';

const schema = definition('io.k8s.api.core.v1.ConfigMap');
const now = '2024-01-01T00:00:00Z';

const configMap = (data: { [key: string]: string }, metadata: KubeObject['metadata'] = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', ...metadata },
  data,
});

const write = { schema, manager: 'm', subresource: '', now };

function applied(data: { [key: string]: string }): KubeObject {
  const object = configMap(data);
  const result = applyConfiguration({
    ...write,
    live: undefined,
    applied: object,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    force: false,
  });
  return { ...result, metadata: { ...result.metadata, uid: 'u', resourceVersion: '1' } };
}

describe('tracking', () => {
  test('leaves its inputs alone', () => {
    const live = applied({ x: '1' });
    const object = configMap({ x: '2' });
    const before = JSON.stringify([live, object]);
    trackUpdate({ ...write, live, object, manager: 'other' });
    assert.equal(JSON.stringify([live, object]), before);
  });

  test('keeps the encoded fields of managers that lost nothing', () => {
    const live = applied({ x: '1' });
    const result = trackUpdate({ ...write, live, object: configMap({ x: '1', y: '2' }), manager: 'other' });
    assert.equal(result.metadata.managedFields?.[0]?.fieldsV1, live.metadata.managedFields?.[0]?.fieldsV1);
  });

  test('forgets ownership of an object that does not fit its schema', () => {
    const live = applied({ x: '1' });
    const result = trackUpdate({ ...write, live, object: { ...configMap({}), extra: 1 } });
    assert.equal(result.metadata.managedFields, undefined);
    assert.equal(result['extra'], 1);
  });

  test('names the unnamed', () => {
    const result = trackUpdate({ ...write, live: undefined, object: configMap({ x: '1' }), manager: '' });
    assert.equal(result.metadata.managedFields?.[0]?.manager, 'unknown');
  });

  test('deduces types without a schema', () => {
    const object: KubeObject = {
      apiVersion: 'x/v1',
      kind: 'X',
      metadata: { name: 'a' },
      spec: { l: [1], m: { a: 1 } },
    };
    const result = trackUpdate({ ...write, schema: undefined, live: undefined, object });
    assert.deepEqual(result.metadata.managedFields?.[0]?.fieldsV1, {
      'f:spec': { '.': {}, 'f:l': {}, 'f:m': { '.': {}, 'f:a': {} } },
    });
  });

  test('writes whole seconds of UTC for times that a client sent', () => {
    const entry: ManagedFieldsEntry = {
      manager: 'c',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2024-01-01T01:00:00.5+01:00',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:x': {} } },
    };
    const object = configMap({ x: '1' }, { managedFields: [entry] });
    const result = trackUpdate({ ...write, live: applied({ x: '1' }), object });
    assert.equal(result.metadata.managedFields?.[0]?.time, '2024-01-01T00:00:00Z');
  });
});

describe('applying', () => {
  test('returns an object that shares nothing with the live one', () => {
    const live = applied({ x: '1' });
    const result = applyConfiguration({
      ...write,
      live,
      applied: configMap({ x: '2' }),
      apiVersion: 'v1',
      kind: 'ConfigMap',
      force: false,
    });
    assert.deepEqual(result['data'], { x: '2' });
    assert.deepEqual(live['data'], { x: '1' });
    assert.notEqual(result.metadata, live.metadata);
  });

  test('refuses a live object whose managedFields cannot be read', () => {
    const live = applied({ x: '1' });
    live.metadata.managedFields = [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2' }];
    assert.throws(
      () =>
        applyConfiguration({
          ...write,
          live,
          applied: configMap({}),
          apiVersion: 'v1',
          kind: 'ConfigMap',
          force: false,
        }),
      {
        code: 500,
        reason: '',
        message: 'failed to decode managed fields: invalid fieldsType "FieldsV2" in managed fields entry 0',
      },
    );
  });
});

describe('a write that changes nothing', () => {
  const before = applied({ x: '1' });
  const timed = (time: string): KubeObject => ({
    ...before,
    metadata: {
      ...before.metadata,
      managedFields: before.metadata.managedFields!.map((entry) => ({ ...entry, time })),
    },
  });
  const cases: { name: string; after: KubeObject; noOp: boolean }[] = [
    { name: 'the same', after: structuredClone(before), noOp: true },
    { name: 'other times only', after: timed('2030-01-01T00:00:00Z'), noOp: true },
    { name: 'other data', after: { ...before, data: { x: '2' } }, noOp: false },
    { name: 'a field more', after: { ...before, immutable: true }, noOp: false },
    { name: 'other metadata', after: { ...before, metadata: { ...before.metadata, labels: { a: 'b' } } }, noOp: false },
    { name: 'an owner less', after: { ...before, metadata: { ...before.metadata, managedFields: [] } }, noOp: false },
  ];
  for (const { name, after, noOp } of cases) test(`${name}: ${noOp}`, () => assert.equal(isNoOp(before, after), noOp));
});

test('a manager is named by its parameter or by the start of its user agent', () => {
  assert.equal(managerName('given', 'kubectl/v1.36.3 (linux/amd64)'), 'given');
  assert.equal(managerName('', 'kubectl/v1.36.3 (linux/amd64)'), 'kubectl');
  assert.equal(managerName('', 'a\u0007b\u00a0c d'), 'abc d');
  assert.equal(managerName('', 'ü'.repeat(100)), 'ü'.repeat(64));
});

describe('scaling, as observed', () => {
  const paths = { 'apps/v1': ['spec', 'replicas'] };
  const owner = (
    manager: string,
    operation: 'Apply' | 'Update',
    rest: ManagedFieldsEntry = {},
  ): ManagedFieldsEntry => ({
    manager,
    operation,
    apiVersion: 'apps/v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    ...rest,
  });
  const app = owner('app', 'Apply', { time: now, fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:selector': {} } } });
  const scaler = owner('scaler', 'Update', { subresource: 'scale' });

  test('a Scale shows the owners of replicas', () => {
    assert.deepEqual(scaleEntries([app, scaler, owner('old', 'Update', { apiVersion: 'apps/v0' })], paths), [
      { ...app, apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      { ...scaler, apiVersion: 'autoscaling/v1' },
    ]);
  });

  test('whoever scales takes replicas from the applier, without a time', () => {
    const scaled = [{ ...scaler, apiVersion: 'autoscaling/v1', time: now }];
    assert.deepEqual(parentEntries([app], scaled, 'apps/v1', paths), [
      { ...app, fieldsV1: { 'f:spec': { 'f:selector': {} } } },
      scaler,
    ]);
  });

  test('who owns nothing else is gone, who still owns is kept', () => {
    const kept = { ...app, apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } };
    assert.deepEqual(parentEntries([app, scaler], [kept], 'apps/v1', paths), [app]);
  });
});
