import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCompatibility, type ServedVersions } from './compatibility.ts';

function served(vm: string, vmi: string, dataVolume: string): ServedVersions {
  const versions = (text: string): string[] => text.split(' ').filter((version) => version !== '');
  return new Map([
    ['virtualmachines.kubevirt.io', versions(vm)],
    ['virtualmachineinstances.kubevirt.io', versions(vmi)],
    ['datavolumes.cdi.kubevirt.io', versions(dataVolume)],
  ]);
}

const usual = served('v1', 'v1', 'v1beta1');

const cases: readonly {
  reason: string;
  ours: ServedVersions;
  theirs?: ServedVersions;
  expected: readonly [status: string, reason: string];
  text: RegExp;
}[] = [
  { reason: 'all is served', ours: usual, expected: ['True', 'Supported'], text: /all kinds/ },
  {
    reason: 'older versions beside v1 do not matter',
    ours: served('v1 v1alpha3', 'v1 v1alpha3', 'v1beta1'),
    expected: ['True', 'Supported'],
    text: /all kinds/,
  },
  {
    reason: 'a version below the floor',
    ours: served('v1alpha3', 'v1', 'v1beta1'),
    expected: ['False', 'Unsupported'],
    text: /virtualmachines\.kubevirt\.io is needed in version v1 and served are v1alpha3/,
  },
  {
    reason: 'no KubeVirt at all',
    ours: served('', '', ''),
    expected: ['False', 'Unsupported'],
    text: /virtualmachineinstances\.kubevirt\.io .* not served/,
  },
  {
    reason: 'CDI is optional, and its lack is said',
    ours: served('v1', 'v1', ''),
    expected: ['True', 'Supported'],
    text: /until CDI is installed/,
  },
  {
    reason: 'another cluster serves other versions',
    ours: usual,
    theirs: served('v1 v1beta2', 'v1', 'v1beta1'),
    expected: ['True', 'VersionsDiffer'],
    text: /Cluster 'west': KubeVirt CRD 'virtualmachines\.kubevirt\.io' version mismatch - east: v1, v1beta2, west: v1$/,
  },
  {
    reason: 'another cluster has a kind that is missing here',
    ours: served('v1', 'v1', ''),
    theirs: usual,
    expected: ['True', 'VersionsDiffer'],
    text: /'datavolumes\.cdi\.kubevirt\.io' not found \(exists in 'east' with version v1beta1\)/,
  },
  {
    reason: 'what only this cluster has is no warning here',
    ours: usual,
    theirs: served('v1', 'v1', ''),
    expected: ['True', 'Supported'],
    text: /all kinds/,
  },
];

for (const { reason, ours, theirs, expected, text } of cases) {
  test(`Compatible: ${reason}`, () => {
    const compatibility = judgeCompatibility(
      'west',
      ours,
      theirs === undefined ? undefined : { name: 'east', served: theirs },
    );
    assert.deepEqual([compatibility.status, compatibility.reason], expected);
    assert.match(compatibility.message, text);
  });
}
