/** The target pod of a migration, and what is written to the VMI about it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Pod } from '../objects.ts';
import { podOf, vmiOf } from '../vmi/builders.fixture.ts';
import { launcherOf, migrationOf, runningOn, up } from './builders.fixture.ts';
import { handOver } from './hand-over.ts';
import { imageIdsOf, renderTargetPod, type TargetOptions } from './target-pod.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const disk = { name: 'root', containerDisk: { image: 'registry:5000/disks/fedora:42' } };
const withDisk = vmiOf({ volumes: [disk] });

const pulled = (imageID: string): Pod =>
  podOf({ status: { phase: 'Running', initContainerStatuses: [{ name: 'volumeroot', image: 'fedora', imageID }] } });

suite('images of a target pod', () => {
  const cases: readonly (readonly [name: string, source: Pod, ids: Readonly<Record<string, string>>])[] = [
    ['are those that were pulled', pulled(`fedora@${DIGEST}`), { root: `registry:5000/disks/fedora@${DIGEST}` }],
    [
      'are those of a source that was a target itself',
      podOf({ spec: { volumes: [{ name: 'root', image: { reference: `fedora@${DIGEST}` } }] } }),
      { root: `fedora@${DIGEST}` },
    ],
    ['are not known before they were pulled', podOf(), {}],
  ];
  for (const [name, source, ids] of cases) test(name, () => assert.deepEqual(imageIdsOf(withDisk, source), ids));

  test('cannot be told without a digest', () => {
    const expected = 'failed to identify image digest for container "registry:5000/disks/fedora:42" with id "fedora"';
    assert.throws(() => imageIdsOf(withDisk, pulled('fedora')), { message: expected });
  });
});

suite('where a target pod may run', () => {
  const node = (labels: Readonly<Record<string, string>>): TargetOptions['node'] => ({
    metadata: { name: 'node01', labels },
  });
  const intel = node({
    'cpu-vendor.node.kubevirt.io/Intel': 'true',
    'host-model-cpu.node.kubevirt.io/Skylake-Server': 'true',
    'host-model-required-features.node.kubevirt.io/vmx': 'true',
  });
  const { spec, ...rest } = runningOn('node01');
  const hostModel = { ...rest, spec: { ...spec, domain: { ...spec.domain, cpu: { model: 'host-model' } } } };
  const options = { node: intel, claim: () => undefined, matchesSelinuxLevel: true };
  const selectorOf = (pod: Pod): readonly string[] =>
    Object.keys(pod.spec['nodeSelector'] as object).filter((label) => label.startsWith('cpu-'));

  test('is another node with the same CPU', () => {
    const pod = renderTargetPod(migrationOf(), hostModel, podOf(), options);
    assert.deepEqual(selectorOf(pod), [
      'cpu-vendor.node.kubevirt.io/Intel',
      'cpu-model-migration.node.kubevirt.io/Skylake-Server',
      'cpu-feature.node.kubevirt.io/vmx',
    ]);
    const { podAntiAffinity } = pod.spec['affinity'] as { readonly podAntiAffinity: object };
    assert.deepEqual(podAntiAffinity, {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          labelSelector: { matchLabels: { 'kubevirt.io/created-by': 'vmi-uid' } },
          topologyKey: 'kubernetes.io/hostname',
        },
      ],
    });
    assert.equal(pod.metadata.labels?.['kubevirt.io/migrationJobUID'], 'mig-uid');
    assert.equal(pod.metadata.annotations?.['kubevirt.io/migrationJobName'], 'mig1');
  });

  test('is where the first migration could have gone', () => {
    const nodeSelector = { 'cpu-model-migration.node.kubevirt.io/Haswell': 'true', other: 'true' };
    const pod = renderTargetPod(migrationOf(), hostModel, podOf({ spec: { nodeSelector } }), options);
    assert.deepEqual(selectorOf(pod), ['cpu-model-migration.node.kubevirt.io/Haswell']);
  });

  test('is what the migration asks for, unless the launcher says otherwise', () => {
    const addedNodeSelector = { zone: 'a', 'kubevirt.io/schedulable': 'false' };
    const pod = renderTargetPod(migrationOf({ spec: { addedNodeSelector } }), hostModel, podOf(), options);
    const selector = pod.spec['nodeSelector'] as Readonly<Record<string, string>>;
    assert.deepEqual([selector['zone'], selector['kubevirt.io/schedulable']], ['a', 'true']);
  });

  test('cannot be told of a node without a CPU', () => {
    assert.throws(() => renderTargetPod(migrationOf(), hostModel, podOf(), { ...options, node: node({}) }), {
      message:
        'unable to locate host cpu model, does not contain label "host-model-cpu.node.kubevirt.io/" with information',
    });
  });
});

test('a VMI gets its target, with the configuration that holds', () => {
  const target = launcherOf(up, { annotations: { 'kubevirt.io/memory-overhead-bytes': '281018368' } });
  const migration = migrationOf({ status: { migrationState: { sourcePod: 'virt-launcher-vm1-a' } } });
  const placed = { ...target, spec: { ...target.spec, nodeName: 'node02' } };
  const configuration = { parallelMigrationsPerCluster: 5 };
  const { state, labels } = handOver(migration, runningOn('node01'), placed, { configuration, attachment: undefined });
  assert.deepEqual(state, {
    migrationConfiguration: configuration,
    migrationUid: 'mig-uid',
    sourceNode: 'node01',
    sourcePod: 'virt-launcher-vm1-a',
    targetMemoryOverhead: '268Mi',
    targetNode: 'node02',
    targetPod: 'virt-launcher-vm1-b',
  });
  assert.equal(labels['kubevirt.io/migrationTargetNodeName'], 'node02');
});
