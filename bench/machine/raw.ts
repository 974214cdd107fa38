/**
 * The same writes without an operator: reads what the operator created and creates it again in another namespace, in
 * the same sequence for each Machine, with the same concurrency in each cluster and the same client. There are no
 * earlier reads, decisions, watches or Events.
 */
import { defined } from '@ssvirt/base/values/defined';
import { claims, namespaces, secrets, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { fieldManager, machines, type Machine } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { annotations, labels } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { applyOne, machineOf, nameOf } from './declared.ts';
import type { Server } from '../operator/sandbox.ts';
import { concurrently } from '../operator/concurrently.ts';
import type { Harness } from './harness.ts';

/** The operator's default concurrency in one cluster. */
const atOnce = 5;

interface Made {
  readonly machine: Machine;
  readonly children: readonly { readonly type: ResourceType<KubeObject>; readonly object: KubeObject }[];
}

/** By the Machine's name. */
export async function whatWasMade(harness: Harness, namespace: string): Promise<ReadonlyMap<string, Made>> {
  const children = new Map<string, Made['children'][number][]>();
  for (const { client } of harness.members)
    for (const type of [claims, secrets, virtualMachines] as readonly ResourceType<KubeObject>[])
      for await (const { items } of client.pages(type, { namespace }))
        for (const object of items) {
          const of = object.metadata.labels?.[labels.machine] ?? '';
          children.set(of, [...(children.get(of) ?? []), { type, object }]);
        }
  const made = new Map<string, Made>();
  for await (const { items } of harness.supervisor.client.pages(machines, { namespace }))
    for (const machine of items) {
      const { name = '' } = machine.metadata;
      made.set(name, { machine, children: children.get(name) ?? [] });
    }
  return made;
}

/** Returns how long each took, in milliseconds, from the Machine to its VirtualMachine. */
export async function writeRaw(
  harness: Harness,
  namespace: string,
  count: number,
  made: ReadonlyMap<string, Made>,
): Promise<readonly number[]> {
  const times: number[] = [];
  const { members } = harness;
  await Promise.all(
    members.map(async (member, place) => {
      await member.client.create(namespaces, { metadata: { name: namespace } });
      const own = Math.ceil((count - place) / members.length);
      await concurrently(own, atOnce, async (turn) => {
        const index = place + turn * members.length;
        const sample = made.get(nameOf(index % made.size));
        if (sample === undefined) throw new Error(`there is no Machine ${nameOf(index)} to write again`);
        times.push(await writeOne(harness, member, machineOf(namespace, index, harness), sample));
      });
    }),
  );
  return times;
}

async function writeOne(harness: Harness, member: Server, machine: Machine, sample: Made): Promise<number> {
  const { client } = harness.supervisor;
  const began = performance.now();
  await applyOne(client, machine);
  const key = { namespace: machine.metadata.namespace ?? '', name: machine.metadata.name ?? '' };
  const { status = {} } = sample.machine;
  const { finalizers } = sample.machine.metadata;
  const metadata = { annotations: { [annotations.kubevirtConfig]: member.name }, finalizers };
  await client.patch(machines, key, { type: 'merge', body: { metadata } });
  await patchStatus(client, key, { phase: 'Pending', kubevirtConfigRef: member.name, lastUpdated: status.lastUpdated });
  for (const { type, object } of sample.children) await write(member.client, type, again(object, sample.machine, key));
  const took = performance.now() - began;
  await patchStatus(client, key, status);
  return took;
}

async function patchStatus(client: Client, key: { namespace: string; name: string }, status: object): Promise<void> {
  await client.patch(machines, key, { type: 'merge', body: { status } }, { subresource: 'status' });
}

/** Disks are created, everything else is applied. */
async function write(client: Client, type: ResourceType<KubeObject>, object: KubeObject): Promise<void> {
  if (type === claims) await client.create(type, object);
  else await client.apply(type, object, { fieldManager, force: true });
}

/** The object as the operator sent it, for another Machine. */
function again(object: KubeObject, { metadata }: Machine, key: { namespace: string; name: string }): KubeObject {
  const { apiVersion, kind, metadata: was, status: _status, ...rest } = object as Unstructured;
  const name = (was.name ?? '').replace(metadata.name ?? '', key.name);
  const { labels: marks = {}, annotations: notes = {} } = was;
  return {
    ...defined({ apiVersion, kind }),
    metadata: { namespace: key.namespace, name, labels: marks, annotations: notes },
    ...rest,
  };
}
