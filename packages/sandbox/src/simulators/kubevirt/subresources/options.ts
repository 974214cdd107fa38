/**
 * Bodies of calls: optional, JSON or YAML regardless of the content type, and refused if a field has the wrong type.
 */
import type { Json, JsonObject } from '../../../values/json.ts';
import { goJsonError } from '../../../objects/schema/go/go-json-error.ts';
import { parseYaml } from '../../../values/yaml.ts';
import { badRequest } from './refusals.ts';

/** The Go types of the decoded fields. */
type FieldType = 'string' | 'int64' | 'bool' | '[]string' | 'map[string]string' | 'object';

interface Struct {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldType>>;
}

export const startOptions: Struct = { name: 'StartOptions', fields: { paused: 'bool', dryRun: '[]string' } };
export const stopOptions: Struct = { name: 'StopOptions', fields: { gracePeriod: 'int64', dryRun: '[]string' } };
export const restartOptions: Struct = {
  name: 'RestartOptions',
  fields: { gracePeriodSeconds: 'int64', dryRun: '[]string' },
};
export const migrateOptions: Struct = {
  name: 'MigrateOptions',
  fields: { addedNodeSelector: 'map[string]string', dryRun: '[]string' },
};
export const pauseOptions: Struct = { name: 'PauseOptions', fields: { dryRun: '[]string' } };
export const unpauseOptions: Struct = { name: 'UnpauseOptions', fields: { dryRun: '[]string' } };
export const addVolumeOptions: Struct = {
  name: 'AddVolumeOptions',
  fields: { name: 'string', disk: 'object', volumeSource: 'object', dryRun: '[]string' },
};
export const removeVolumeOptions: Struct = {
  name: 'RemoveVolumeOptions',
  fields: { name: 'string', dryRun: '[]string' },
};
export const memoryDumpOptions: Struct = {
  name: 'VirtualMachineMemoryDumpRequest',
  fields: { claimName: 'string', phase: 'string' },
};
export const evacuateCancelOptions: Struct = {
  name: 'EvacuateCancelOptions',
  fields: { evacuationNodeName: 'string', dryRun: '[]string' },
};
export const sevSessionOptions: Struct = {
  name: 'SEVSessionOptions',
  fields: { session: 'string', dhCert: 'string' },
};
export const anyOptions: Struct = { name: 'Options', fields: {} };

export function decode(body: Buffer, struct: Struct): JsonObject {
  const value = parse(body.toString());
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw unreadable(`json: cannot unmarshal ${goKind(value)} into Go value of type v1.${struct.name}`);
  for (const [field, type] of Object.entries(struct.fields)) check(struct.name, field, type, value[field]);
  return value;
}

function parse(text: string): Json {
  if (text.trim() === '') return null;
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      throw unreadable(goJsonError(text));
    }
  }
  try {
    return parseYaml(text);
  } catch (error) {
    throw unreadable(`error converting YAML to JSON: yaml: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const unreadable = (why: string): Error => badRequest(`Can not unmarshal Request body to struct, error: ${why}`);

function check(struct: string, field: string, type: FieldType, value: Json | undefined): void {
  if (value === undefined || value === null || fits(type, value)) return;
  const [found, wanted] =
    type === '[]string' && Array.isArray(value)
      ? [goKind(value.find((entry) => typeof entry !== 'string') ?? null), 'string']
      : [goKind(value), type === 'object' ? `v1.${field}` : type];
  throw unreadable(`json: cannot unmarshal ${found} into Go struct field ${struct}.${field} of type ${wanted}`);
}

function fits(type: FieldType, value: Json): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'int64':
      return Number.isInteger(value);
    case 'bool':
      return typeof value === 'boolean';
    case '[]string':
      return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'map[string]string':
      return (
        typeof value === 'object' &&
        !Array.isArray(value) &&
        Object.values(value ?? {}).every((entry) => typeof entry === 'string')
      );
  }
}

function goKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'number' : `number ${value}`;
    default:
      return 'object';
  }
}

/** `dryRun: [All]` as virt-api itself checks it. The API server refuses any other value, if the value reaches it. */
export const isDryRun = (options: JsonObject): boolean =>
  Array.isArray(options['dryRun']) && options['dryRun'][0] === 'All';

/** `unknownDryRun` returns a value that the API server would refuse. */
export function unknownDryRun(options: JsonObject): string | undefined {
  const words = Array.isArray(options['dryRun']) ? options['dryRun'] : [];
  return words.find((word): word is string => word !== 'All' && typeof word === 'string');
}
