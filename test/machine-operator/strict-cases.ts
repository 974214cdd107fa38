/**
 * The objects of Machines, checked by an API server: its definitions refuse unknown fields, and KubeVirt's and CDI's
 * webhooks answer.
 */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import {
  claims,
  dataVolumes,
  instances,
  networkAttachments,
  secrets,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import { fieldManager } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { namespaces } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import {
  configurations,
  identity,
  machineCases,
  objectsOf,
} from '../../packages/ssvirt/src/kubevirt/machine/cases.fixture.ts';
import type { MachineIdentity } from '../../packages/ssvirt/src/kubevirt/machine/identity.ts';
import type { MachineSpec, NetworkConfigurationSpec } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import type { KubeLike } from '../../packages/ssvirt/src/kubevirt/tenant-vm/kube-like.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { anySpec } from './any-machine.ts';
import { samples } from './definitions.ts';

export interface Harness {
  readonly start: () => Promise<Credentials & { stop(): Promise<void> }>;
  /** Definitions that replace the sandbox's own. */
  readonly crds?: string;
  readonly anyMachines: number;
}

const namespace = 'machines';
const who: MachineIdentity = { ...identity, namespace };
const strict = { dryRun: true, fieldValidation: 'Strict' } as const;

const types: ReadonlyMap<string, ResourceType<KubeObject>> = new Map(
  [claims, dataVolumes, networkAttachments, secrets as ResourceType<KubeObject>, virtualMachines].map((type) => [
    type.kind,
    type,
  ]),
);

export function strictCases({ start, crds, anyMachines }: Harness): void {
  let cluster: Awaited<ReturnType<Harness['start']>>;
  let client: Client;
  let simulators: Simulators;

  before(async () => {
    cluster = await start();
    client = createClient({ cluster: 'strict', source: fixedSource(cluster), userAgent: 'strict-test' });
    simulators = await startSimulators({
      source: fixedSource(cluster),
      name: 'strict',
      // Without nodes nothing ever runs; here the object only has to be accepted.
      parts: ['kubevirt', 'cdi'],
      ...defined({ crds }),
      log: pino({ level: 'silent' }),
    });
    await client.create(namespaces, { metadata: { name: namespace } });
  });
  after(async () => {
    await simulators?.stop({ leaveRegistered: true });
    await client?.close();
    await cluster?.stop();
  });

  /** As the operator sends it: virtual machines, attachments and Secrets are applied, disks are created. */
  const check = async (object: KubeLike): Promise<void> => {
    const type = types.get(object.kind);
    assert.ok(type !== undefined, object.kind);
    await client.create<KubeObject>(type, object, strict);
    if (type !== claims && type !== dataVolumes)
      await client.apply<KubeObject>(type, object, { ...strict, fieldManager, force: true });
    if (type === virtualMachines) await client.create<KubeObject>(instances, instanceOf(object), strict);
  };
  const checkAll = async (objects: readonly KubeLike[]): Promise<void> => {
    for (const object of objects) await check(object);
  };

  suite('what is made of a Machine', () => {
    for (const [name, spec, secretText] of machineCases)
      test(`is accepted: ${name}`, () => checkAll(objectsOf(who, spec, secretText)));

    test('is accepted for a name of 253 characters with dots', () => {
      const name = `${'a'.repeat(120)}.${'b'.repeat(132)}`;
      return checkAll(objectsOf({ ...who, name }, { template: 'small', cloudInit: { userData: 'x'.repeat(3000) } }));
    });

    test('is accepted whatever is asked for', async () => {
      await fc.assert(
        fc.asyncProperty(anySpec, (spec) => checkAll(objectsOf(who, spec, '#cloud-config\n'))),
        { numRuns: anyMachines },
      );
    });

    test('would be refused with one unknown field', async () => {
      const vm = objectsOf(who, { template: 'small' }).at(-1);
      assert.ok(vm !== undefined);
      await assert.rejects(check({ ...vm, spec: { ...Object(vm['spec']), odd: 1 } }), /odd/);
    });
  });

  suite('what is made of the samples', () => {
    for (const { file, objects } of samples())
      for (const machine of objects.filter(({ kind }) => kind === 'Machine'))
        test(`is accepted: ${file}, ${machine.metadata.name}`, () => {
          const { name = '', labels = {} } = machine.metadata;
          const known = new Map([...configurations, ...configurationsIn(objects)]);
          const spec = machine['spec'] as MachineSpec;
          return checkAll(objectsOf({ ...who, name, labels }, spec, '#cloud-config\n', known));
        });
  });
}

function configurationsIn(objects: readonly Unstructured[]): readonly (readonly [string, NetworkConfigurationSpec])[] {
  return objects
    .filter(({ kind }) => kind === 'NetworkConfiguration')
    .map(({ metadata, spec = {} }) => [metadata.name ?? '', spec as NetworkConfigurationSpec]);
}

/** As KubeVirt creates it from the template in a VM: a refusal would show only when the VM starts. */
function instanceOf(vm: KubeLike): KubeObject & { readonly spec: object } {
  const { template } = vm['spec'] as { readonly template: { readonly metadata: object; readonly spec: object } };
  const { name } = vm.metadata;
  return { metadata: { namespace, name, ...template.metadata }, spec: template.spec };
}
