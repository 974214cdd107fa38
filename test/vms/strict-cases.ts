/**
 * All objects of the builders, checked by an API server: its definitions refuse unknown fields, and KubeVirt's and
 * CDI's webhooks answer.
 */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { dataVolumes, namespaces, virtualMachines } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { machineTemplate } from '../../packages/sandbox/src/simulators/samples/machine-templates.ts';
import { openshiftTemplates } from '../../packages/sandbox/src/simulators/samples/openshift-templates.ts';
import { virtualMachineTemplates } from '../../packages/sandbox/src/simulators/samples/kinds.ts';
import { systemNamed } from '../../packages/sandbox/src/simulators/samples/systems.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { secrets, templateInstances } from '../../packages/sandbox/src/simulators/templates/kinds.ts';
import { buildMachine, type BuiltMachine } from '../../packages/ssvirt/src/kubevirt/tenant-vm/build.ts';
import { identity, machineCases, plain } from '../../packages/ssvirt/src/kubevirt/tenant-vm/cases.fixture.ts';
import { changeOf, type DesiredVm } from '../../packages/ssvirt/src/kubevirt/tenant-vm/change.ts';
import { addedDisk, withoutDisk } from '../../packages/ssvirt/src/kubevirt/tenant-vm/disks.ts';
import type { KubeLike } from '../../packages/ssvirt/src/kubevirt/tenant-vm/kube-like.ts';
import { instanceName } from '../../packages/ssvirt/src/kubevirt/tenant-vm/names.ts';
import type { VmSpec } from '../../packages/ssvirt/src/kubevirt/tenant-vm/spec.ts';
import {
  fromProcessed,
  instanceTemplate,
  parameterSecret,
  templateInstance,
} from '../../packages/ssvirt/src/kubevirt/tenant-vm/template-vm.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { anyIdentity, anySize, anySpec } from './any-vm.ts';

export interface Harness {
  readonly start: () => Promise<Credentials & { stop(): Promise<void> }>;
  /** Definitions that replace the sandbox's own. */
  readonly crds?: string;
  readonly anyMachines: number;
}

const { namespace } = identity;
const strict = { dryRun: true, fieldValidation: 'Strict' } as const;
const size = { cpus: 2, memoryMb: 2048, running: false };
/** An existing one, for changes to it. */
const changing = { ...identity, vmName: 'changing-9a1c44de' };
const full: VmSpec = {
  ...plain,
  source: { kind: 'direct', boot: { kind: 'blank' } },
  rootDisk: { sizeMb: 1024 },
  disks: [{ name: 'data', sizeMb: 64 }],
};

export function strictCases({ start, crds, anyMachines }: Harness): void {
  let cluster: Awaited<ReturnType<Harness['start']>>;
  let client: Client;
  let simulators: Simulators;
  let vm: KubeObject;

  before(async () => {
    cluster = await start();
    client = createClient({ cluster: 'strict', source: fixedSource(cluster), userAgent: 'strict-test' });
    simulators = await startSimulators({
      source: fixedSource(cluster),
      name: 'strict',
      // Without nodes nothing ever runs; here the object only has to be accepted.
      parts: ['kubevirt', 'cdi', 'templates'],
      ...defined({ crds }),
      log: pino({ level: 'silent' }),
    });
    await client.create(namespaces, { metadata: { name: namespace } });
    vm = await client.create<KubeObject>(virtualMachines, buildMachine(changing, full, size).machine);
  });
  after(async () => {
    await simulators?.stop({ leaveRegistered: true });
    await client?.close();
    await cluster?.stop();
  });

  const check = (type: ResourceType<KubeObject>, object: KubeLike): Promise<KubeObject> =>
    client.create(type, object, strict);
  const checkAll = async (built: BuiltMachine): Promise<void> => {
    for (const secret of built.secrets) await check(secrets, secret);
    await check(virtualMachines, built.machine);
    for (const disk of disksOf(built)) await check(dataVolumes, disk);
  };

  suite('machines that are built', () => {
    for (const [name, spec] of machineCases)
      test(`${name}: are accepted`, async () => {
        await checkAll(buildMachine(identity, spec, { ...size, running: true }));
      });

    test('are accepted whatever is asked for', async () => {
      await fc.assert(
        fc.asyncProperty(anyIdentity(identity), anySpec, anySize, (who, spec, hardware) =>
          checkAll(buildMachine(who, spec, hardware)),
        ),
        { numRuns: anyMachines },
      );
    });

    test('would be refused with one unknown field', async () => {
      const { machine } = buildMachine(identity, plain, size);
      await assert.rejects(check(virtualMachines, { ...machine, spec: { ...Object(machine['spec']), odd: 1 } }), /odd/);
    });
  });

  suite('changes of a machine', () => {
    const key = { namespace, name: changing.vmName };
    const api = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${changing.vmName}`;
    /** Retries, since its controller writes to it too. */
    const read = (): Promise<KubeObject> => client.get(virtualMachines, key);
    const checkPatch = async (patchOf: (live: KubeObject) => object | undefined): Promise<void> => {
      await until('no other write came first', async () => {
        const body = patchOf(await read());
        assert.ok(body !== undefined);
        await client.patch(virtualMachines, key, { type: 'merge', body }, strict);
        return true;
      });
    };

    const desiredStates: readonly DesiredVm[] = [
      { cpus: 5 },
      { memoryMb: 4096 },
      { cpus: 1, memoryMb: 512, name: 'ä', description: '', vappName: 'x' },
      { instancetype: { name: 'u1.small' } },
      { running: true },
    ];
    for (const desired of desiredStates)
      test(`are accepted: ${JSON.stringify(desired)}`, () => checkPatch((live) => changeOf(live, desired).patch));

    test('are refused where the machine has changed since it was read', async () => {
      const body = changeOf({ ...vm, metadata: { ...vm.metadata, resourceVersion: '1' } }, { cpus: 5 }).patch;
      await assert.rejects(client.patch(virtualMachines, key, { type: 'merge', body: body ?? {} }, strict), {
        kind: 'Conflict',
      });
    });

    test('are accepted: a disk that it was made with goes', () =>
      checkPatch((live) => {
        const removal = withoutDisk(live, 'data');
        return removal.kind === 'patch' ? removal.patch : undefined;
      }));

    test('are accepted: a disk comes, and goes again', async () => {
      const { dataVolume, addVolumeOptions } = addedDisk(changing, { name: 'more', sizeMb: 64 }, vm.metadata.uid ?? '');
      await check(dataVolumes, dataVolume);
      await client.request({ method: 'PUT', path: `${api}/addvolume`, body: addVolumeOptions });
      const removal = withoutDisk(await read(), 'more');
      assert.ok(removal.kind === 'unplug');
      assert.equal(removal.dataVolume, dataVolume.metadata.name);
      await client.request({ method: 'PUT', path: `${api}/removevolume`, body: removal.removeVolumeOptions });
      assert.deepEqual(withoutDisk(await read(), 'more'), { kind: 'gone' });
    });
  });

  suite('machines of templates', () => {
    test('are accepted as KubeVirt’s own template gives them', async () => {
      const template = machineTemplate(systemNamed('fedora'), namespace);
      await client.create(virtualMachineTemplates, template);
      const path = `/apis/subresources.template.kubevirt.io/v1beta1/namespaces/${namespace}/virtualmachinetemplates/fedora/process`;
      const { body } = await client.request({ method: 'POST', path, body: { parameters: { NAME: 'ours' } } });
      const { virtualMachine } = body as { readonly virtualMachine: unknown };
      await check(virtualMachines, fromProcessed(virtualMachine, identity, { running: true }));
    });

    test('are made by OpenShift’s, with our labels and under our name', async () => {
      const who = { ...identity, vmName: 'fedora-abc', vmId: '33333333-1111-4222-8333-444455556666' };
      const first = openshiftTemplates.find(({ object }) => object.kind === 'Template');
      const template = instanceTemplate(first?.object, [who], { powerOn: false });
      const name = instanceName(who);
      await client.create(secrets, parameterSecret(who, name, { NAME: 'fedora-abc', CLOUD_USER_PASSWORD: 'x' }));
      const instance = templateInstance(who, name, template);
      await client.create<KubeObject>(templateInstances, instance, { fieldValidation: 'Strict' });
      const made = { namespace, name: 'fedora-abc' };
      let machine: KubeObject | undefined;
      await until('its machine is there', async () => {
        machine = await client.get(virtualMachines, made);
        return true;
      });
      assert.equal(machine?.metadata.labels?.['ssvirt.io/vm-id'], who.vmId);
      assert.equal(machine?.metadata.labels?.['vapp.ssvirt.io/vapp-id'], who.vappId);
      assert.equal(machine?.metadata.annotations?.['ssvirt.io/vm-name'], who.name);
    });
  });
}

/** As KubeVirt creates them from the templates in a VM. */
function disksOf({ machine }: BuiltMachine): readonly KubeLike[] {
  const { dataVolumeTemplates = [] } = machine['spec'] as {
    readonly dataVolumeTemplates?: readonly { readonly metadata: object; readonly spec: object }[];
  };
  return dataVolumeTemplates.map(({ metadata, spec }) => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { ...machine.metadata, ...metadata },
    spec,
  }));
}
