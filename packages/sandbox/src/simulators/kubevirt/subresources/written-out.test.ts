import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missingRecordings, readRecording, readScenario } from '../../../../../../test/kubevirt/transcripts.ts';
import { notRun } from '../../../../../../test/not-run.ts';
import type { JsonObject } from '../../../values/json.ts';
import { defaultConfig } from '../admission/cluster-config.ts';
import type { VirtualMachine } from '../objects.ts';
import { writtenOut } from './written-out.ts';

/** Expanded VMs, as far as recordings show them. */
const medium = { cpu: { guest: 1 }, memory: { guest: '4Gi' } };
const fedora = {
  annotations: { 'vm.kubevirt.io/os': 'linux' },
  devices: { preferredDiskBus: 'virtio', preferredInterfaceModel: 'virtio', preferredRng: {} },
  features: { preferredSmm: {} },
  firmware: { preferredEfi: { secureBoot: true } },
};

const missing = missingRecordings();
const file = 'packages/sandbox/src/simulators/kubevirt/subresources/written-out.test.ts';
describe('recorded expansions', { skip: missing === undefined ? false : notRun(file, missing) }, () => {
  test('expand-vm-spec writes out what was sent', () => {
    const { cases } = readRecording('subresources/access-and-cluster.json') as { cases?: unknown } as {
      readonly cases: readonly {
        readonly code: number;
        readonly path: string;
        readonly requestBody?: VirtualMachine;
        readonly body: JsonObject;
      }[];
    };
    const recorded = cases.find(({ code, path }) => code === 200 && path.endsWith('/expand-vm-spec'));
    assert.ok(recorded?.requestBody !== undefined);
    const { spec } = writtenOut(recorded.requestBody, { instancetype: medium }, defaultConfig);
    assert.deepEqual(spec, recorded.body['spec']);
  });

  test('expand-spec writes out what is stored', () => {
    const [created, asked] = readScenario('instancetype/cluster-halted').steps;
    const vm = created?.calls[0]?.response.body as unknown as VirtualMachine;
    const recorded = asked?.calls[0]?.response.body as JsonObject | undefined;
    const { spec } = writtenOut(vm, { instancetype: medium, preference: fedora }, defaultConfig);
    assert.deepEqual(spec, recorded?.['spec']);
  });
});

test('fields that the VM and its instance type both set are named', () => {
  const vm: VirtualMachine = {
    metadata: { name: 'vm1' },
    spec: { template: { spec: { domain: { memory: { guest: '1Gi' } } } }, instancetype: { name: 'medium' } },
  };
  assert.throws(() => writtenOut(vm, { instancetype: medium }, defaultConfig), {
    message: 'VM field(s) spec.template.spec.domain.memory.guest conflicts with selected instance type',
  });
});
