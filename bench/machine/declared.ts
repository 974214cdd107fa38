/**
 * What users declare: a small Machine with one disk, and cloud-init that is too long to be inline in the
 * VirtualMachine.
 */
import { machines, type Machine } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { concurrently } from '../operator/concurrently.ts';
import type { Harness } from './harness.ts';

/** The concurrency of a user who applies a folder with a few processes. */
const applyAtOnce = 16;

const line = '  - "the quick brown fox jumps over the lazy dog, and says so in a log"\n';
const userData = `#cloud-config\nhostname: bench\nbootcmd:\n${line.repeat(40)}`;

export const nameOf = (index: number): string => `bench-${String(index).padStart(5, '0')}`;

/** Members take turns, so that all clusters have the same amount of work at any time. */
export function machineOf(namespace: string, index: number, { members }: Pick<Harness, 'members'>): Machine {
  return {
    metadata: { namespace, name: nameOf(index) },
    spec: {
      template: 'small',
      kubevirtConfigRef: members[index % members.length]?.name ?? '',
      cloudInit: { userData },
    },
  };
}

export async function makeNamespace(client: Client, name: string): Promise<void> {
  await client.create(namespaces, { metadata: { name } });
}

/** Resolves when the last one is answered. */
export async function applyAll(harness: Harness, namespace: string, count: number): Promise<void> {
  const { client } = harness.supervisor;
  await concurrently(count, applyAtOnce, (index) => applyOne(client, machineOf(namespace, index, harness)));
}

export function applyOne(client: Client, machine: Machine): Promise<Machine> {
  return client.apply(machines, machine, { fieldManager: 'kubectl' });
}
