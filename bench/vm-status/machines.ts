/** The VMs of the bench by index: their objects, the ids of their rows, and their sequence of states. */
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { virtualMachine } from '../sandbox/virtual-machine.ts';

export const namespace = 'bench';
export const collection = '/apis/kubevirt.io/v1/virtualmachines';
export const inNamespace = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`;
export const vappSize = 10;

/** The length is fixed, so that a text with one name can be turned into a text with another. */
export const nameOf = (index: number): string => `bench-${String(index).padStart(6, '0')}`;

const uuid = (kind: number, index: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

export const organizationId = uuid(1, 0);
export const vdcId = uuid(2, 0);
export const vappId = (index: number): string => uuid(3, Math.floor(index / vappSize));
export const vmId = (index: number): string => uuid(4, index);
/** The uid if no server assigns one. */
export const uidOf = (index: number): string => uuid(5, index);
export const indexOf = (id: string): number => Number.parseInt(id.slice(-12), 16);

/**
 * Five states. Neighbors never share a row's status, and none waits for anything. The n-th change of a VM leads to the
 * n-th state, in a cycle. So every change changes the row, and an observed status identifies which of the last four
 * changes caused it.
 */
const states = [
  { printable: 'Running', row: 'POWERED_ON' },
  { printable: 'Paused', row: 'SUSPENDED' },
  { printable: 'Stopping', row: 'POWERING_OFF' },
  { printable: 'Stopped', row: 'POWERED_OFF' },
  { printable: 'Starting', row: 'POWERING_ON' },
] as const;

export const cycle = states.length;

const state = (version: number): (typeof states)[number] => states[version % cycle] ?? states[0];

export const rowStatus = (version: number): string => state(version).row;

export function status(version: number): JsonObject {
  const { printable } = state(version);
  const at = new Date(1_750_000_000_000 + version * 1000).toISOString().replace(/\.\d+Z/, 'Z');
  const ready = printable === 'Running' ? 'True' : 'False';
  return {
    created: printable !== 'Stopped',
    ready: ready === 'True',
    printableStatus: printable,
    runStrategy: 'RerunOnFailure',
    conditions: [
      { type: 'Ready', status: ready, lastProbeTime: null, lastTransitionTime: at },
      ...(printable === 'Paused'
        ? [{ type: 'Paused', status: 'True', reason: 'PausedByUser', lastProbeTime: at, lastTransitionTime: at }]
        : []),
      { type: 'LiveMigratable', status: 'True', lastProbeTime: null, lastTransitionTime: at },
      { type: 'AgentConnected', status: 'True', lastProbeTime: at, lastTransitionTime: at },
    ],
    volumeSnapshotStatuses: ['root', 'data', 'cloudinit'].map((name) => ({ name, enabled: name !== 'cloudinit' })),
  };
}

/** With the status of its first version, which only a server without the status subresource accepts. */
export function machine(index: number): KubeObject {
  const object = virtualMachine('kubevirt.io/v1', nameOf(index), index);
  const labels = { ...object.metadata?.['labels'], 'vapp.ssvirt.io/vapp-id': vappId(index) };
  return { ...object, metadata: { ...object.metadata, namespace, labels }, status: status(0) };
}
