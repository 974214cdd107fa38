/** The kinds that are written, and where each stores the values that reveal a lost write. */
import { isObject, type JsonObject, type KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { applyMergePatch } from '../../packages/sandbox/src/objects/patch/merge-patch.ts';
import { virtualMachine, virtualMachineStatus } from '../sandbox/virtual-machine.ts';
import { configMaps } from '../sandbox/workload.ts';

export interface Kind {
  readonly kind: string;
  readonly apiVersion: string;
  /** The path of the list of all objects. */
  readonly all: string;
  collection(namespace: string): string;
  object(name: string, index: number): KubeObject;
  /** A part of the object that contains the value of a field. */
  place(field: string, value: string): JsonObject;
  read(object: KubeObject, field: string): string | undefined;
  /** A patch of the status subresource, if there is one; its value is read as the field "status". */
  status?(round: number): JsonObject;
}

export const namespaces = ['soak-0', 'soak-1'] as const;
/** Every write of a value moves the object to one side, so that caches with a selector see it appear and disappear. */
export const sideLabel = 'soak.example.org/side';

const side = (value: string): JsonObject => ({
  labels: { [sideLabel]: value.endsWith('0') || value.endsWith('5') ? 'left' : 'right' },
});

const text = (value: JsonObject[string]): string | undefined => (typeof value === 'string' ? value : undefined);

const configMap: Kind = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  all: '/api/v1/configmaps',
  collection: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
  object: (name, index) => named(configMaps.object(index), name),
  place: (field, value) => ({ metadata: side(value), data: { [field]: value } }),
  read: (object, field) => (isObject(object['data']) ? text(object['data'][field]) : undefined),
};

const group = 'bench.example.org/v1';

const machine: Kind = {
  kind: 'VirtualMachine',
  apiVersion: group,
  all: `/apis/${group}/virtualmachines`,
  collection: (namespace) => `/apis/${group}/namespaces/${namespace}/virtualmachines`,
  object: (name, index) => virtualMachine(group, name, index),
  place: (field, value) => ({ metadata: { ...side(value), annotations: { [`soak.example.org/${field}`]: value } } }),
  read: (object, field) => {
    if (field !== 'status') return object.metadata.annotations?.[`soak.example.org/${field}`];
    const status = object['status'];
    return isObject(status) ? String(status['observedGeneration']) : undefined;
  },
  status: (round) => ({ status: virtualMachineStatus(round) ?? {} }),
};

export const kinds: readonly Kind[] = [configMap, machine];

/** An object of a kind with a value in one field. */
export function withField(kind: Kind, object: KubeObject, field: string, value: string): KubeObject {
  return applyMergePatch(object, kind.place(field, value)) as KubeObject;
}

function named(object: KubeObject, name: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, name } };
}
