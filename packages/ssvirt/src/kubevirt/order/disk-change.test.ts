import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { diskChange, diskClass, type DiskChange } from './disk-change.ts';

const image = 'docker://quay.io/a:1';
const parameters = { image, diskSize: '20Gi' };
const classes = [{ name: 'fast', expandable: true }, { name: 'fixed' }] as const;

function dataVolume(size: string, storageClassName = 'fast', how = 'pvc'): object {
  return {
    spec: {
      source: { registry: { url: image } },
      [how]: { resources: { requests: { storage: size } }, storageClassName },
    },
  };
}

function claim(size: string, { storageClassName = 'fast', phase = 'Bound', from = image } = {}): object {
  return {
    metadata: { annotations: { 'cdi.kubevirt.io/storage.import.endpoint': from } },
    spec: { resources: { requests: { storage: size } }, storageClassName },
    status: { phase },
  };
}

function word(change: DiskChange): string {
  if (typeof change === 'string') return change;
  return 'grow' in change ? `grow to ${change.grow}` : change.problem.message;
}

suite('the disk of an order that wants 20Gi', () => {
  const cases: readonly (readonly [
    reason: string,
    dataVolume: object | undefined,
    claim: object | undefined,
    says: RegExp,
  ])[] = [
    ['is made where there is none', undefined, undefined, /^create$/],
    ['is kept where it is as ordered', dataVolume('20Gi'), claim('20Gi'), /^keep$/],
    ['is kept where CDI has cleared its DataVolume away', undefined, claim('20Gi'), /^keep$/],
    ['grows where it is smaller', dataVolume('10Gi'), claim('10Gi'), /^grow to 20Gi$/],
    ['is kept where it has grown already', dataVolume('10Gi'), claim('20Gi'), /^keep$/],
    ['waits until it is bound', dataVolume('10Gi'), claim('10Gi', { phase: 'Pending' }), /^keep$/],
    ['does not shrink', dataVolume('30Gi'), claim('30Gi'), /disks do not shrink: set disk_size to 30Gi or more/],
    ['does not shrink below what it has grown to', dataVolume('10Gi'), claim('30Gi'), /do not shrink/],
    [
      'does not grow where its class lets none',
      dataVolume('10Gi', 'fixed'),
      claim('10Gi', { storageClassName: 'fixed' }),
      /StorageClass "fixed" does not let it grow/,
    ],
    [
      'is kept where CDI has added to what was asked for',
      dataVolume('20Gi', 'fast', 'storage'),
      claim('21Gi'),
      /^keep$/,
    ],
    [
      'is not filled again',
      undefined,
      claim('20Gi', { from: 'docker://quay.io/b:1' }),
      /was made from "docker:\/\/quay.io\/b:1"/,
    ],
  ];
  for (const [reason, volume, pvc, says] of cases)
    test(reason, () => {
      assert.match(word(diskChange(parameters, volume, pvc, classes)), says);
    });

  test('keeps its class for good', () => {
    assert.equal(diskClass(dataVolume('1Gi', 'a'), claim('1Gi', { storageClassName: 'b' })), 'b');
    assert.equal(diskClass(dataVolume('1Gi', 'a'), undefined), 'a');
  });
});
