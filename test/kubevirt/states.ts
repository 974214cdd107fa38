/**
 * The compared part of an object: the fields that the recordings' README names, flat, so that two states can be shown
 * side by side.
 */
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { isObject } from '../../packages/sandbox/src/values/json.ts';

/** Field by field; `gone` after the deletion. */
export type State = Readonly<Record<string, string>>;

export const gone: State = { gone: 'yes' };

type Reader = (object: JsonObject, status: JsonObject) => Record<string, string | undefined>;

const readers: Readonly<Record<string, Reader>> = {
  VirtualMachine: (_, status) => ({
    status: text(status['printableStatus']),
    created: status['created'] === true ? 'yes' : undefined,
    ready: status['ready'] === true ? 'yes' : undefined,
    requests: requests(status['stateChangeRequests']),
    conditions: conditions(status['conditions']),
  }),
  VirtualMachineInstance: (_, status) => ({
    phase: text(status['phase']),
    conditions: conditions(status['conditions']),
  }),
  VirtualMachineInstanceMigration: (_, status) => ({
    phase: text(status['phase']),
    conditions: conditions(status['conditions']),
  }),
  Pod: (_, status) => ({ phase: text(status['phase']) }),
  DataVolume: (_, status) => ({ phase: text(status['phase']) }),
  PersistentVolumeClaim: (_, status) => ({ phase: text(status['phase']) }),
  ControllerRevision: () => ({}),
  PodDisruptionBudget: () => ({}),
};

export const comparedKinds = Object.keys(readers);

export function stateOf(kind: string, object: JsonObject): State {
  const status = object['status'];
  const metadata = object['metadata'];
  const deleting = isObject(metadata) && metadata['deletionTimestamp'] !== undefined;
  const fields = readers[kind]?.(object, isObject(status) ? status : {}) ?? {};
  const known = Object.entries({ ...fields, deleting: deleting ? 'yes' : undefined });
  return Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Other marks of an object when a controller has processed a stimulus. They are awaited, but not compared: their
 * effects come later, if at all.
 */
export function settledState(kind: string, object: JsonObject): string {
  const status = isObject(object['status']) ? object['status'] : {};
  const metadata = object['metadata'] as JsonObject;
  // Another component removes the garbage collector's finalizers.
  const finalizers = texts(metadata['finalizers']).filter((one) => !/^(foregroundDeletion|orphan)$/.test(one));
  const node = isObject(metadata['labels']) ? metadata['labels']['kubevirt.io/nodeName'] : undefined;
  switch (kind) {
    case 'VirtualMachine':
      return JSON.stringify([
        status['desiredGeneration'],
        status['observedGeneration'],
        status['runStrategy'],
        status['snapshotInProgress'] === undefined,
        finalizers,
      ]);
    case 'VirtualMachineInstance': {
      const pods = isObject(status['activePods']) ? Object.values(status['activePods']).map(String).toSorted() : [];
      return JSON.stringify([pods, status['nodeName'], node, status['qosClass'], finalizers]);
    }
    case 'VirtualMachineInstanceMigration':
      return JSON.stringify(finalizers);
    case 'Pod':
      return JSON.stringify([conditions(status['conditions']), node]);
    default:
      return '';
  }
}

export function sameState(a: State, b: State): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** One line for display. */
export function stateText(state: State | undefined): string {
  if (state === undefined) return '';
  if (state === gone || state['gone'] === 'yes') return '(gone)';
  const { status, phase, created, ready, requests: asked, conditions: all, deleting } = state;
  const words = [
    deleting === undefined ? undefined : 'DELETING',
    status ?? phase ?? '-',
    created === undefined ? undefined : 'created',
    ready === undefined ? undefined : 'ready',
    asked === undefined ? undefined : `[${asked}]`,
    all,
  ];
  return words.filter((word) => word !== undefined).join(' ');
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function list(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}

function requests(value: Json | undefined): string | undefined {
  const all = list(value).map(({ action, data, uid }) => {
    const options = isObject(data)
      ? `(${Object.keys(data)
          .map((key) => `${key}=${String(data[key])}`)
          .join()})`
      : '';
    return `${String(action)}${options}${uid === undefined ? '' : ' of uid'}`;
  });
  return all.length === 0 ? undefined : all.join(', ');
}

function conditions(value: Json | undefined): string | undefined {
  const all = list(value).map(({ type, status, reason }) => {
    const why = typeof reason === 'string' && reason !== '' ? `/${reason}` : '';
    return `${String(type)}=${String(status)}${why}`;
  });
  return all.length === 0 ? undefined : all.toSorted().join(' ');
}
