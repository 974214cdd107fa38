import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../values/json.ts';
import { aDataVolume } from './builders.fixture.ts';
import { dataSourceStatus } from './data-source-status.ts';
import { originOf, type Origin } from './origin.ts';

const dataSource = (namespace: string, name: string, source: JsonObject): Unstructured => ({
  metadata: { namespace, name },
  spec: { source },
});
const known: readonly Unstructured[] = [
  dataSource('ns1', 'golden', { pvc: { namespace: 'images', name: 'fedora' } }),
  dataSource('ns1', 'alias', { dataSource: { namespace: 'ns1', name: 'golden' } }),
  dataSource('ns1', 'far', { dataSource: { namespace: 'ns1', name: 'alias' } }),
  dataSource('ns1', 'snap', { snapshot: { namespace: 'images', name: 'fedora-snap' } }),
  dataSource('ns1', 'empty', {}),
];
const find = (namespace: string, name: string): Unstructured | undefined =>
  known.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);

test('where a disk comes from, directly or through DataSources', () => {
  const through = (name: string): JsonObject => ({ sourceRef: { kind: 'DataSource', name } });
  const fedora: Origin = { kind: 'clone', of: 'pvc', namespace: 'images', name: 'fedora' };
  const cases: readonly [spec: JsonObject, origin: Partial<Origin>][] = [
    [{ source: { http: { url: 'http://a' } } }, { kind: 'import', source: 'http', endpoint: 'http://a' }],
    [{ source: { blank: {} } }, { kind: 'import', source: 'none', endpoint: '' }],
    [{ source: { upload: {} } }, { kind: 'upload' }],
    [{ source: { pvc: { name: 'a' } } }, { kind: 'clone', of: 'pvc', namespace: 'ns1', name: 'a' }],
    [through('golden'), fedora],
    [through('alias'), fedora],
    [through('snap'), { kind: 'clone', of: 'snapshot', namespace: 'images', name: 'fedora-snap' }],
    [through('far'), { kind: 'unknown' }],
    [through('missing'), { kind: 'unknown' }],
    [{ storage: { dataSourceRef: { kind: 'A', name: 'b' } } }, { kind: 'external' }],
    [{ storage: {} }, { kind: 'unknown' }],
  ];
  for (const [spec, origin] of cases) assert.partialDeepStrictEqual(originOf(aDataVolume(spec), find), origin);
});

test('a DataSource is ready when what it stands for is there and filled', () => {
  const said = (name: string, phase: string | undefined, hasClaim: boolean, snapshot?: boolean): unknown => {
    const around = {
      phaseOf: () => phase,
      hasClaim: () => hasClaim,
      isSnapshotReady: () => snapshot,
      dataSource: find,
    };
    const found = find('ns1', name);
    assert.ok(found);
    const { conditions, source } = dataSourceStatus(found, around, new Date(0)) as unknown as {
      conditions: readonly { status: string; reason: string; message: string }[];
      source?: object;
    };
    return [conditions[0]?.status, conditions[0]?.reason, conditions[0]?.message, source !== undefined];
  };
  const ready = ['True', 'Ready', 'DataSource is ready to be consumed', true];
  assert.deepEqual(said('golden', 'Succeeded', true), ready);
  assert.deepEqual(said('golden', undefined, true), ready);
  assert.deepEqual(said('alias', 'Succeeded', true), ready);
  assert.deepEqual(said('golden', undefined, false), ['False', 'NotFound', 'PVC not found', true]);
  assert.deepEqual(said('golden', 'ImportInProgress', true), [
    'False',
    'ImportInProgress',
    'Import DataVolume phase ImportInProgress',
    true,
  ]);
  assert.deepEqual(said('snap', undefined, false), ['False', 'NotFound', 'Snapshot not found', true]);
  assert.deepEqual(said('snap', undefined, false, true), ready);
  assert.deepEqual(said('empty', undefined, false), ['False', 'NoSource', 'No source PVC set', false]);
  assert.deepEqual((said('far', undefined, false) as string[])[1], 'MaxReferenceDepthReached');
});
