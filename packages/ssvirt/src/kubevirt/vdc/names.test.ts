import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { vdcNamespace } from './names.ts';

const id = '7D6A3C6E-6f0b-4b8e-9a0f-2f9d5a1c0b11';

suite('the namespace of a virtual data center', () => {
  const cases: readonly (readonly [reason: string, organization: string, vdc: string, expected: string])[] = [
    ['plain names are kept', 'acme', 'production', 'acme-production-7d6a3c6e'],
    ['case, spaces and signs become one dash', 'Acme Corp.', '  Test & Dev_1 ', 'acme-corp-test-dev-1-7d6a3c6e'],
    ['accents go', 'Ärzte Zürich', 'Übung', 'arzte-zurich-ubung-7d6a3c6e'],
    ['letters of other scripts go', '東京', 'Облако', 'org-vdc-7d6a3c6e'],
    ['what is written wide is the same letter', 'ＡＣＭＥ', 'ﬁrst', 'acme-first-7d6a3c6e'],
    ['signs alone leave nothing', '---', '!!!', 'org-vdc-7d6a3c6e'],
    ['openshift- is reserved', 'openshift', 'a', 'org-openshift-a-7d6a3c6e'],
    ['kube- is reserved', 'Kube System', 'a', 'org-kube-system-a-7d6a3c6e'],
    ['kubernetes- is reserved', 'kubernetes', 'a', 'org-kubernetes-a-7d6a3c6e'],
    ['what only begins alike is not', 'kubernauts', 'kube', 'kubernauts-kube-7d6a3c6e'],
    [
      'a dash where it is cut goes',
      `${'a'.repeat(25)} b`,
      `${'c'.repeat(25)} d`,
      `${'a'.repeat(25)}-${'c'.repeat(25)}-7d6a3c6e`,
    ],
  ];
  for (const [reason, organization, vdc, expected] of cases)
    test(reason, () => assert.equal(vdcNamespace(organization, vdc, id), expected));

  test('is a DNS label that is not reserved, whatever the names are', () => {
    const names = [
      'x'.repeat(300),
      `openshift-${'y'.repeat(90)}`,
      `kube ${'-'.repeat(80)}z`,
      '',
      '9',
      '\u0000\ud800',
      'İ',
    ];
    for (const organization of names)
      for (const vdc of names) {
        const name = vdcNamespace(organization, vdc, id);
        assert.match(name, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, `${organization} ${vdc}`);
        assert.doesNotMatch(name, /^(openshift|kube|kubernetes)-/);
      }
  });

  test('differs for another id, with the same names', () => {
    assert.notEqual(vdcNamespace('a', 'b', id), vdcNamespace('a', 'b', id.replace('7', '8')));
  });
});
