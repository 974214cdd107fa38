/**
 * The rules of a VM beyond those of its template: run strategy, data volume templates, growth, running snapshots and
 * restores, matchers, requirements.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../../values/json.ts';
import { defaultConfig } from '../cluster-config.ts';
import { dataVolumeTemplateCauses, templateNamespaceCauses } from '../data-volume-templates.ts';
import { inProgressCauses } from '../in-progress.ts';
import { matcherCauses } from '../matchers.ts';
import { requirementCauses, spreadCauses } from '../preference-requirements.ts';
import { vmiSpec } from '../rules/vmi-spec.fixture.ts';
import { runStrategyCauses, vmSpecCauses } from './vm-spec.ts';

const told = (causes: readonly { readonly field?: string; readonly message: string }[]): string[] =>
  causes.map(({ field = '', message }) => `${field}: ${message}`);

describe('run strategies', () => {
  const both =
    'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead';
  const gate =
    'Invalid RunStrategy (WaitAsReceiver), DecentralizedLiveMigration feature gate is not enabled in kubevirt resource';
  const rows: readonly (readonly [JsonObject, readonly string[]])[] = [
    [{ runStrategy: 'Halted' }, []],
    [{ running: false }, []],
    [{ running: true, runStrategy: 'Always' }, [`spec.running: ${both}`]],
    [{}, ['spec.running: RunStrategy must be specified']],
    [{ runStrategy: 'Sometimes' }, ['spec.runStrategy: Invalid RunStrategy (Sometimes)']],
    [{ runStrategy: 'WaitAsReceiver' }, [`spec.runStrategy: ${gate}`]],
  ];
  for (const [spec, causes] of rows) {
    test(JSON.stringify(spec), () => assert.deepEqual(told(runStrategyCauses(spec, defaultConfig)), causes));
  }
});

describe('data volume templates', () => {
  const source = { http: { url: 'http://x' } };
  const storage = { resources: { requests: { storage: '1Gi' } } };
  const template = (change: JsonObject, name = 'disk1'): JsonObject => ({
    template: { spec: { volumes: [{ name: 'rootdisk', dataVolume: { name: 'disk1' } }] } },
    dataVolumeTemplates: [{ metadata: { name }, spec: { source, storage, ...change } }],
  });
  const at = 'spec.dataVolumeTemplate[0]';
  const rows: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['that is complete', template({}), []],
    [
      'without a name',
      template({}, ''),
      [`${at}.name: 'name' field must not be empty for DataVolumeTemplate entry ${at}.name.`],
    ],
    [
      'that no volume names',
      template({}, 'other'),
      [`${at}: DataVolumeTemplate entry ${at} must be referenced in the VMI template's 'volumes' list`],
    ],
    [
      'with both kinds of storage',
      template({ pvc: {} }),
      [`${at}.PVC.Storage: Duplicate storage definition, both target storage and target pvc defined`],
    ],
    ['without storage', template({ storage: null }), [`${at}.PVC.Storage: Missing Data volume PVC or Storage`]],
    [
      'without a source',
      template({ source: null }),
      [`${at}.source.sourceRef: Data volume should have either Source, SourceRef, or be externally populated`],
    ],
    ['with a source and a reference', template({ sourceRef: { kind: 'DataSource', name: 'x' } }), []],
    ['with two sources', template({ source: { ...source, blank: {} } }), [`${at}.source: Multiple dataVolume sources`]],
  ];
  for (const [name, spec, causes] of rows) {
    test(name, () => assert.deepEqual(told(dataVolumeTemplateCauses('spec', spec)), causes));
  }

  test('stay in the namespace of their VM', () => {
    const spec = { dataVolumeTemplates: [{ metadata: { name: 'a', namespace: 'other' } }] };
    assert.deepEqual(told(templateNamespaceCauses(spec, undefined, 'ns1')), [
      'spec.dataVolumeTemplates[0]: Embedded DataVolume namespace other differs from VM namespace ns1',
    ]);
    assert.deepEqual(templateNamespaceCauses(spec, spec, 'ns1'), []);
  });
});

test('too many sockets are minded twice: as a rule of VMIs, and of live update', () => {
  const spec = vmiSpec({ domain: { cpu: { sockets: 4, maxSockets: 2 } } });
  const causes = vmSpecCauses({ runStrategy: 'Halted', template: { spec } }, defaultConfig, false);
  assert.deepEqual(
    causes.map(({ field }) => field),
    ['spec.template.spec.domain.cpu.sockets', 'spec.template.spec.domain.cpu.sockets'],
  );
});

test('a limit for the growth of memory is refused with the reason', () => {
  const spec = vmiSpec({
    domain: { memory: { guest: '2Gi', maxGuest: '1Gi' }, cpu: { dedicatedCpuPlacement: true, cores: 1 } },
  });
  const causes = vmSpecCauses({ runStrategy: 'Halted', template: { spec } }, defaultConfig, false);
  assert.deepEqual(told(causes), [
    'spec.template.spec.domain.cpu.dedicatedCpuPlacement: Memory hotplug is not compatible with dedicated CPUs',
    'spec.template.spec.domain.memory.guest: Guest memory is greater than the configured maxGuest memory',
  ]);
});

describe('while a snapshot or a restore is under way', () => {
  const vm = (status: JsonObject, change: JsonObject = {}): JsonObject => ({
    spec: { runStrategy: 'Halted', template: { spec: { volumes: [] } }, ...change },
    status,
  });
  const rows: readonly (readonly [string, JsonObject, JsonObject, readonly string[]])[] = [
    [
      'a snapshot keeps the power state',
      { snapshotInProgress: 's' },
      { runStrategy: 'Always' },
      ['spec: Cannot update vm running state until snapshot "s" completes'],
    ],
    [
      'a snapshot keeps the volumes',
      { snapshotInProgress: 's' },
      { template: { spec: { volumes: [{ name: 'e' }] } } },
      ['spec: Cannot update vm disks or volumes until snapshot "s" completes'],
    ],
    [
      'a snapshot lets the rest change',
      { snapshotInProgress: 's' },
      { template: { spec: { hostname: 'h', volumes: [] } } },
      [],
    ],
    [
      'a restore keeps the power state',
      { restoreInProgress: 'r' },
      { runStrategy: 'Always' },
      ['spec: Cannot update VM runStrategy until restore "r" completes'],
    ],
    ['without either nothing is kept', {}, { runStrategy: 'Always' }, []],
  ];
  for (const [name, status, change, causes] of rows) {
    test(name, () => assert.deepEqual(told(inProgressCauses(vm(status, change), vm(status))), causes));
  }
});

describe('matchers', () => {
  const rows: readonly (readonly [string, JsonObject, JsonObject | undefined, readonly string[]])[] = [
    ['a name', { instancetype: { name: 'u1.medium' } }, undefined, []],
    [
      'nothing',
      { instancetype: {} },
      undefined,
      ['spec.instancetype: Either Name or InferFromVolume should be provided within the InstancetypeMatcher'],
    ],
    [
      'a name and a volume',
      { preference: { name: 'a', inferFromVolume: 'b' } },
      undefined,
      ['spec.preference.name: Name already set, should be cleared before setting inferFromVolume'],
    ],
    [
      'an unknown policy',
      { preference: { inferFromVolume: 'b', inferFromVolumeFailurePolicy: 'Cry' } },
      undefined,
      ["spec.preference.inferFromVolumeFailurePolicy: Invalid value 'Cry' for InferFromVolumeFailurePolicy"],
    ],
    [
      'another name with the old revision',
      { instancetype: { name: 'b', revisionName: 'r' } },
      { instancetype: { name: 'a', revisionName: 'r' } },
      ['spec.instancetype.revisionName: the Matcher Name has been updated without updating the RevisionName'],
    ],
    [
      'another name without a revision',
      { instancetype: { name: 'b' } },
      { instancetype: { name: 'a', revisionName: 'r' } },
      [],
    ],
  ];
  for (const [name, spec, old, causes] of rows) {
    test(name, () => assert.deepEqual(told(matcherCauses(spec, old)), causes));
  }
});

describe('what a preference asks for', () => {
  const preference = (requirements: JsonObject, cpu: JsonObject = {}): JsonObject => ({ requirements, cpu });
  const failure = 'failure checking preference requirements';
  test('vCPUs of the instance type', () => {
    assert.deepEqual(told(requirementCauses({ cpu: { guest: 1 } }, preference({ cpu: { guest: 2 } }), vmiSpec())), [
      `spec.instancetype: ${failure}: insufficient CPU resources of 1 vCPU provided by instance type, preference requires 2 vCPU`,
    ]);
    assert.deepEqual(requirementCauses({ cpu: { guest: 2 } }, preference({ cpu: { guest: 2 } }), vmiSpec()), []);
  });
  test('vCPUs of the VM, in the part that it prefers', () => {
    const spec = vmiSpec({ domain: { cpu: { sockets: 4, cores: 1, threads: 1 } } });
    const asked = preference({ cpu: { guest: 2 } }, { preferredCPUTopology: 'cores' });
    assert.deepEqual(told(requirementCauses(undefined, asked, spec)), [
      `spec.template.spec.domain.cpu.cores: ${failure}: insufficient CPU resources of 1 vCPU provided by VirtualMachine, preference requires 2 vCPU provided as cores`,
    ]);
  });
  test('an architecture', () => {
    assert.deepEqual(told(requirementCauses(undefined, preference({ architecture: 'arm64' }), vmiSpec())), [
      `spec.template.spec.architecture: ${failure}: preference requires architecture arm64 but amd64 is being requested`,
    ]);
  });
  test('vCPUs that can be spread', () => {
    const spread = { cpu: { preferredCPUTopology: 'spread' } };
    assert.deepEqual(told(spreadCauses({ cpu: { guest: 3 } }, spread)), [
      'instancetype.spec.cpu.guest: 3 vCPUs provided by the instance type are not divisible by the Spec.PreferSpreadSocketToCoreRatio or Spec.CPU.PreferSpreadOptions.Ratio of 2 provided by the preference',
    ]);
    assert.deepEqual(spreadCauses({ cpu: { guest: 4 } }, spread), []);
  });
});
