import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../values/json.ts';
import { cloneFault, specFault, updateFault } from './validate.ts';

const sized = { resources: { requests: { storage: '1Gi' } } };
const claim = { accessModes: ['ReadWriteOnce'], ...sized };
const http = { http: { url: 'http://a/b.img' } };
const from = (source: JsonObject, more: JsonObject = {}): JsonObject => ({ source, storage: sized, ...more });

test('the problems of a DataVolume are reported in the words of CDI', () => {
  const cases: readonly [spec: JsonObject, message: string | undefined, field?: string][] = [
    [from(http), undefined],
    [{ source: http, pvc: claim }, undefined],
    [{ source: http }, 'Missing Data volume PVC', 'spec.PVC'],
    [
      { source: http, pvc: claim, storage: sized },
      'Duplicate storage definition, both target storage and target pvc defined',
      'spec.PVC.Storage',
    ],
    [{ source: http, storage: {} }, 'Storage size is missing', 'spec.Storage.resources.requests.size'],
    [{ source: { pvc: { namespace: 'a', name: 'b' } }, storage: {} }, undefined],
    [{ source: http, pvc: { accessModes: ['ReadWriteOnce'] } }, 'PVC size is missing'],
    [
      { source: http, storage: { resources: { requests: { storage: '0' } } } },
      "Storage size can't be equal or less than zero",
    ],
    [{ source: http, pvc: sized }, 'Required value: at least 1 access mode is required', 'spec.PVC.accessModes'],
    [{ source: http, pvc: { ...sized, accessModes: ['ReadWriteOnce', 'ReadWriteMany'] } }, 'PVC multiple accessModes'],
    [
      { source: http, pvc: { ...sized, accessModes: ['ReadWriteOncePod'] } },
      'Unsupported value: "ReadWriteOncePod": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
    ],
    [
      { storage: sized },
      'Data volume should have either Source or SourceRef, or be externally populated',
      'spec.source',
    ],
    [
      { source: http, sourceRef: { kind: 'DataSource', name: 'a' }, storage: sized },
      'Data volume should have either Source or SourceRef, or be externally populated',
    ],
    [{ storage: { ...sized, dataSourceRef: { kind: 'A', name: 'b' } } }, undefined],
    [
      { source: http, storage: { ...sized, dataSourceRef: { kind: 'A', name: 'b' } } },
      'External population is incompatible with Source and SourceRef',
    ],
    [{ sourceRef: { kind: 'DataSource', name: 'a' }, storage: {} }, undefined],
    [{ sourceRef: { name: 'a' }, storage: sized }, 'Missing sourceRef kind', 'spec.sourceRef.Kind'],
    [
      { sourceRef: { kind: 'Image', name: 'a' }, storage: sized },
      'Unsupported sourceRef kind Image, currently only DataSource is supported',
    ],
    [{ sourceRef: { kind: 'DataSource' }, storage: sized }, 'Missing sourceRef name'],
    [from({}), 'Missing Data volume source', 'spec.source'],
    [from({ ...http, blank: {} }), 'Multiple Data volume sources'],
    [from(http, { contentType: 'movie' }), 'ContentType not one of: kubevirt, archive', 'spec.contentType'],
    [from({ blank: {} }, { contentType: 'archive' }), 'SourceType cannot be blank and the contentType be archive'],
    [from({ http: { url: '' } }), 'spec.source source URL is empty', 'spec.source.HTTP.url'],
    [from({ http: { url: 'nowhere' } }), 'spec.source Invalid source URL: nowhere'],
    [from({ http: { url: 'ftp://a/b' } }), 'spec.source Invalid source URL scheme: ftp://a/b'],
    [from({ registry: { url: 'docker://a/b:c' } }), undefined],
    [
      from({ registry: { url: 'https://a/b' } }),
      'Illegal registry source URL scheme https://a/b',
      'spec.source.Registry.URL',
    ],
    [from({ registry: {} }), 'Source registry should have either URL or ImageStream', 'spec.source.Registry'],
    [from({ registry: { url: 'docker://a', pullMethod: 'hand' } }), 'ImportMethod hand is neither pod, node or ""'],
    [
      from({ registry: { imageStream: 'a' } }),
      'Source registry ImageStream is supported only with node pull import method',
    ],
    [
      from({ registry: { url: 'docker://a' } }, { contentType: 'archive' }),
      'ContentType must be kubevirt when Source is Registry',
    ],
    [
      from({ vddk: { url: 'https://a', secretRef: 's' } }),
      'spec.source.VDDK source VDDK is not valid',
      'spec.source.VDDK',
    ],
    [from({ pvc: { name: 'a' } }), 'spec.source.PVC source PVC is not valid', 'spec.source.PVC'],
    [from({ upload: {} }), undefined],
  ];
  for (const [spec, message, field] of cases) {
    const fault = specFault(spec);
    assert.equal(fault?.message, message, JSON.stringify(spec));
    if (field !== undefined) assert.equal(fault?.field, field);
  }
});

test('a spec cannot be changed, but the stages of an import in stages can', () => {
  const vddk = { vddk: { url: 'https://a' } };
  const checkpoints = [{ current: 'a', previous: '' }];
  assert.equal(updateFault(from(http), from(http)), undefined);
  assert.equal(updateFault(from(http), from({ blank: {} }))?.message, 'Cannot update DataVolume Spec');
  assert.equal(updateFault(from(http), from(http, { checkpoints }))?.message, 'Cannot update DataVolume Spec');
  assert.equal(updateFault(from(vddk), from(vddk, { checkpoints, finalCheckpoint: true })), undefined);
});

test('a clone holds what is cloned, and is of the same sort', () => {
  const source = { bytes: 2n ** 31n, contentType: 'kubevirt' };
  const field = 'spec.source.PVC';
  assert.equal(cloneFault(source, { storage: {} }, field), undefined);
  assert.equal(cloneFault(source, { storage: { resources: { requests: { storage: '2Gi' } } } }, field), undefined);
  assert.equal(
    cloneFault(source, { storage: sized }, field)?.message,
    'target resources requests storage size is smaller than the source',
  );
  assert.equal(
    cloneFault(source, { contentType: 'archive', storage: {} }, field)?.message,
    'Source contentType (kubevirt) and target contentType (archive) do not match',
  );
});
