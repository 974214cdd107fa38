/** The two kinds of objects that are written, listed and watched, and the patches for them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import type { Call } from './connection.ts';
import { ownDefinition } from './own-definition.ts';
import { virtualMachine, virtualMachineStatus } from './virtual-machine.ts';

export const namespace = 'bench';
/** Matches one object in ten. */
export const tenthSelector = 'bench/tenth=3';

export interface Workload {
  /** The title in the report. */
  readonly title: string;
  readonly plural: string;
  /** The path of the collection in the bench's namespace. */
  readonly path: string;
  readonly definition?: KubeObject;
  object(index: number): KubeObject;
  /** Each `round` differs from the previous one, so that every write changes something. */
  mergePatch(round: number): JsonObject;
  applied(index: number, round: number): KubeObject;
  status?(round: number): JsonObject;
}

const nameOf = (index: number): string => `bench-${String(index).padStart(6, '0')}`;

export const configMaps: Workload = {
  title: 'ConfigMap',
  plural: 'configmaps',
  path: `/api/v1/namespaces/${namespace}/configmaps`,
  object: (index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: nameOf(index),
      labels: { 'app.kubernetes.io/name': 'bench', 'bench/tenth': String(index % 10) },
      annotations: { 'bench/owner': 'the team that measures' },
    },
    data: {
      'application.properties': `index=${index}\n${'key=value of a usual length\n'.repeat(20)}`,
      'log.level': 'info',
      round: '0',
    },
  }),
  mergePatch: (round) => ({ data: { round: String(round) } }),
  applied: (index, round) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: nameOf(index), labels: { 'bench/applied': 'yes' } },
    data: { applied: `round ${round}`, more: 'owned by the applier' },
  }),
};

/**
 * Uses KubeVirt's own definition if the folder has it: its schema of half a megabyte makes a VM expensive to validate.
 */
export function virtualMachines(definitions: string): Workload {
  const file = join(definitions, 'virtualmachines.kubevirt.io.yaml');
  const upstream = existsSync(file);
  const definition = upstream ? (parse(readFileSync(file, 'utf8')) as KubeObject) : ownDefinition;
  const apiVersion = upstream ? 'kubevirt.io/v1' : 'bench.example.org/v1';
  return {
    title: upstream ? 'VirtualMachine' : 'VirtualMachine (own CRD)',
    plural: 'virtualmachines',
    path: `/apis/${apiVersion}/namespaces/${namespace}/virtualmachines`,
    definition,
    object: (index) => virtualMachine(apiVersion, nameOf(index), index),
    mergePatch: (round) => ({
      metadata: { annotations: { 'bench/round': String(round) } },
      spec: { template: { spec: { terminationGracePeriodSeconds: 30 + (round % 600) } } },
    }),
    applied: (index, round) => ({
      apiVersion,
      kind: 'VirtualMachine',
      metadata: { name: nameOf(index), labels: { 'bench/applied': 'yes' } },
      spec: {
        template: {
          metadata: { annotations: { 'bench/round': String(round) } },
          spec: { domain: { memory: { guest: `${4 + (round % 8)}Gi` } } },
        },
      },
    }),
    status: (round) => ({ status: virtualMachineStatus(round) }),
  };
}

export const createCall = (workload: Workload, index: number): Call => ({
  method: 'POST',
  path: workload.path,
  body: JSON.stringify(workload.object(index)),
});

export const mergeCall = (workload: Workload, index: number, round: number): Call => ({
  method: 'PATCH',
  path: `${workload.path}/${nameOf(index)}`,
  type: 'application/merge-patch+json',
  body: JSON.stringify(workload.mergePatch(round)),
});

export const applyCall = (workload: Workload, index: number, round: number): Call => ({
  method: 'PATCH',
  path: `${workload.path}/${nameOf(index)}?fieldManager=bench-apply&force=true`,
  type: 'application/apply-patch+yaml',
  body: JSON.stringify(workload.applied(index, round)),
});

export const statusCall = (workload: Workload, index: number, round: number): Call => ({
  method: 'PATCH',
  path: `${workload.path}/${nameOf(index)}/status`,
  type: 'application/merge-patch+json',
  body: JSON.stringify(workload.status?.(round) ?? {}),
});
