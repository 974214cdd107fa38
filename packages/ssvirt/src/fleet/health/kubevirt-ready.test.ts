import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeKubeVirt, type KubeVirt } from './kubevirt-ready.ts';

function kubeVirt(available: string | undefined, message = '', phase = 'Deployed'): KubeVirt {
  const conditions = available === undefined ? [] : [{ type: 'Available', status: available, message }];
  return {
    metadata: { name: 'kubevirt', namespace: 'virt' },
    status: { phase, observedKubeVirtVersion: 'v1.6.0', conditions },
  };
}

const cases: readonly {
  reason: string;
  installations: readonly KubeVirt[] | undefined;
  expected: readonly [status: string, reason: string, version: string | undefined];
  text: RegExp;
}[] = [
  {
    reason: 'the kind is not served',
    installations: undefined,
    expected: ['False', 'NotInstalled', undefined],
    text: /install KubeVirt/,
  },
  {
    reason: 'no object, in no namespace',
    installations: [],
    expected: ['False', 'NotInstalled', undefined],
    text: /no KubeVirt object/,
  },
  {
    reason: 'available, wherever it is',
    installations: [kubeVirt('True')],
    expected: ['True', 'Available', 'v1.6.0'],
    text: /v1\.6\.0/,
  },
  {
    reason: 'one of two is available',
    installations: [kubeVirt('False'), kubeVirt('True')],
    expected: ['True', 'Available', 'v1.6.0'],
    text: /available/,
  },
  {
    reason: 'not available, and its own words say why',
    installations: [kubeVirt('False', 'virt-api has no pods')],
    expected: ['False', 'NotAvailable', 'v1.6.0'],
    text: /"virt\/kubevirt".*virt-api has no pods/,
  },
  {
    reason: 'no condition yet',
    installations: [kubeVirt(undefined, '', 'Deploying')],
    expected: ['False', 'NotAvailable', 'v1.6.0'],
    text: /phase is Deploying/,
  },
  {
    reason: 'no status at all',
    installations: [{ metadata: { name: 'k', namespace: 'n' } }],
    expected: ['False', 'NotAvailable', undefined],
    text: /not set/,
  },
];

for (const { reason, installations, expected, text } of cases) {
  test(`KubeVirtReady: ${reason}`, () => {
    const { status, reason: why, version, message } = judgeKubeVirt(installations);
    assert.deepEqual([status, why, version], expected);
    assert.match(message, text);
  });
}
