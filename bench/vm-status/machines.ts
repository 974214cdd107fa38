/** The machines of the bench, by index: their objects, their rows' ids, and the states that they go through. */
import type { JsonObject, KubeObject } from '../../src/sandbox/json.ts';
import { virtualMachine } from '../sandbox/virtual-machine.ts';

export const namespace = 'bench';
export const collection = '/apis/kubevirt.io/v1/virtualmachines';
export const inNamespace = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`;
export const vappSize = 10;

/** Of a fixed length, so that a text with one in it can be made into a text with another. */
export const nameOf = (index: number): string => `bench-${String(index).padStart(6, '0')}`;

const uuid = (kind: number, index: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

export const organizationId = uuid(1, 0);
export const vdcId = uuid(2, 0);
export const vappId = (index: number): string => uuid(3, Math.floor(index / vappSize));
export const vmId = (index: number): string => uuid(4, index);
/** Where nobody else gives one. */
export const uidOf = (index: number): string => uuid(5, index);
export const indexOf = (id: string): number => Number.parseInt(id.slice(-12), 16);

/**
 * Five states that no two neighbours of share a row's status, and none of which waits for anything: a machine's n-th change leads to the n-th of them,
 * round and round. So no change leaves a row as it was, and a status that is seen tells which of the last four changes it is of.
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

/** With the status of its first version, which only a server without the subresource takes. */
export function machine(index: number): KubeObject {
  const object = virtualMachine('kubevirt.io/v1', nameOf(index), index);
  const labels = { ...object.metadata?.['labels'], 'vapp.ssvirt.io/vapp-id': vappId(index) };
  return { ...object, metadata: { ...object.metadata, namespace, labels }, status: status(0) };
}
