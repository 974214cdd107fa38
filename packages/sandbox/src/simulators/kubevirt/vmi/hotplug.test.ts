import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, Volume } from '../objects.ts';
import { claimNamed, NOW, podOf, runningPod, vmiOf } from './builders.fixture.ts';
import { hotplugVolumes, planHotplug } from './hotplug.ts';
import { volumeStatuses } from './volume-status.ts';
import type { Storage } from './volumes.ts';

const volume = (name: string): Volume => ({ name, persistentVolumeClaim: { claimName: name, hotpluggable: true } });
const storage: Storage = {
  claim: (name) => (name === 'missing' ? undefined : claimNamed(name)),
  dataVolume: () => undefined,
};

function attachment(uid: string, phase: 'Pending' | 'Running', ...names: string[]): Pod {
  const volumes = [
    { name: 'hotplug-disks', emptyDir: {} },
    ...names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
  ];
  return podOf({ metadata: { name: `hp-${uid}`, uid, creationTimestamp: NOW }, spec: { volumes }, status: { phase } });
}

for (const { name, volumes, attachments, attach, remove } of [
  { name: 'nothing to do', volumes: [], attachments: [] },
  { name: 'the first volume needs a pod', volumes: ['a'], attachments: [], attach: ['a'] },
  { name: 'a volume without a claim waits', volumes: ['missing'], attachments: [] },
  { name: 'its pod is there', volumes: ['a'], attachments: [attachment('1', 'Pending', 'a')] },
  {
    name: 'a second volume needs a new pod beside the old one',
    volumes: ['a', 'b'],
    attachments: [attachment('1', 'Running', 'a')],
    attach: ['a', 'b'],
  },
  {
    name: 'a pod that is not up yet is not overtaken',
    volumes: ['a', 'b'],
    attachments: [attachment('1', 'Pending', 'a')],
    remove: ['1'],
  },
  {
    name: 'the old pod goes when the new one runs',
    volumes: ['a', 'b'],
    attachments: [attachment('1', 'Running', 'a'), attachment('2', 'Running', 'a', 'b')],
    remove: ['1'],
  },
  {
    name: 'the old pod stays until then',
    volumes: ['a', 'b'],
    attachments: [attachment('1', 'Running', 'a'), attachment('2', 'Pending', 'a', 'b')],
  },
  {
    name: 'the last volume takes its pod along',
    volumes: [],
    attachments: [attachment('1', 'Running', 'a')],
    remove: ['1'],
  },
])
  test(`hotplug: ${name}`, () => {
    const plan = planHotplug(volumes.map(volume), attachments, storage);
    assert.deepEqual(
      plan.attach?.map((one) => one.name),
      attach,
    );
    assert.deepEqual(
      plan.remove.map(({ metadata }) => metadata.uid),
      remove ?? [],
    );
  });

test('volumes that the launcher mounts are no hotplugged ones', () => {
  const launcher = podOf({ spec: { volumes: [{ name: 'a' }] } });
  const vmi = vmiOf({ volumes: [volume('a'), volume('b'), { name: 'c', containerDisk: { image: 'x' } }] });
  assert.deepEqual(
    hotplugVolumes(vmi, launcher).map(({ name }) => name),
    ['b'],
  );
});

test('a volume goes from Bound to AttachedToNode with its pod, says so once, and leaves with it', () => {
  const told: string[] = [];
  const pod = runningPod();
  const status = (volumes: readonly Volume[], known: object[], attachments: readonly Pod[]): readonly object[] =>
    volumeStatuses({
      vmi: vmiOf({ volumes, status: { phase: 'Running', volumeStatus: known as never } }),
      pod,
      attachments,
      claim: (name) => claimNamed(name),
      tell: (_, message) => told.push(message),
    });
  const up = attachment('1', 'Running', 'a');
  const [bound] = status([volume('a')], [], []) as [Record<string, unknown>];
  assert.equal(bound['phase'], 'Bound');
  const [attached] = status([volume('a')], [bound], [up]) as [Record<string, unknown>];
  assert.equal(attached['phase'], 'AttachedToNode');
  assert.deepEqual(status([volume('a')], [attached], [up]), [attached]);
  assert.deepEqual(told, ['Created hotplug attachment pod hp-1, for volume a']);
  const [leaving] = status([], [attached], [up]) as [Record<string, unknown>];
  assert.equal(leaving['phase'], 'Detaching');
  assert.deepEqual(status([], [leaving], []), []);
});
