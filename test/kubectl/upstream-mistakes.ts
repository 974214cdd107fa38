/** Mistakes in objects of KubeVirt or CDI, and the words in which kube-apiserver 1.36.3 refuses them. */
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { dataVolume, instancetype, machine, snapshot, storageProfile } from './upstream-objects.ts';

export interface Mistake {
  readonly reason: string;
  readonly object: JsonObject;
  /** Where the object is changed, by keys and indexes. */
  readonly path: string;
  /** If absent, the field is removed. */
  readonly value?: Json;
  readonly says: readonly string[];
}

const SPEC = 'spec.template.spec';
const unchecked =
  '* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function unknownField(path: string, object = machine, value: Json = 'red'): Mistake {
  const shown = path.replaceAll(/\.(\d+)/g, '[$1]');
  const says = [`${of(object)}: strict decoding error: unknown field "${shown}"\n`];
  return { reason: `the unknown field ${shown} of a ${String(object['kind'])}`, object, path, value, says };
}

function of(object: JsonObject): string {
  const kind = String(object['kind']);
  const version = String(object['apiVersion']).split('/')[1] ?? '';
  return `(BadRequest): error when creating "STDIN": ${kind} in version "${version}" cannot be handled as a ${kind}`;
}

function wrongType(reason: string, path: string, value: Json, wanted: string, given: string): Mistake {
  const says = [
    `* ${path}: Invalid value: "${given}": ${path} in body must be of type ${wanted}: "${given}"`,
    unchecked,
  ];
  return { reason, object: machine, path, value, says };
}

function missing(path: string): Mistake {
  const shown = path.replaceAll(/\.(\d+)/g, '[$1]');
  return { reason: `no ${shown}`, object: machine, path, says: [`* ${shown}: Required value\n`, unchecked] };
}

const twice: Json = [
  { name: 'a', claimName: 'a' },
  { name: 'a', claimName: 'b' },
];
const muddle: Json = { cpu: { cores: 'x', colour: 1 }, machine: { type: 5 }, rebootPolicy: 'Maybe' };
const outside: Json = { name: 'root', containerPath: { path: 'a/../b', readOnly: false } };
const profiles: Json = Array.from({ length: 9 }, () => ({ accessModes: ['ReadWriteOnce'], volumeMode: 'Block' }));

export const mistakes: readonly Mistake[] = [
  unknownField('colour'),
  unknownField('metadata.colour'),
  unknownField('spec.colour'),
  unknownField('spec.template.colour'),
  unknownField(`${SPEC}.domain.colour`),
  unknownField(`${SPEC}.domain.devices.disks.1.disk.colour`),
  unknownField('spec.dataVolumeTemplates.0.spec.colour'),
  unknownField(`${SPEC}.volumes.0.dataVolume.colour`, machine, { a: 1 }),
  unknownField('spec.source.tape', dataVolume, {}),
  unknownField('spec.cpu.colour', instancetype),
  {
    reason: 'an unknown field beside other mistakes',
    object: machine,
    path: `${SPEC}.domain`,
    value: muddle,
    says: ['strict decoding error: unknown field "spec.template.spec.domain.cpu.colour"\n'],
  },
  wrongType('a text for a number', `${SPEC}.domain.cpu.cores`, 'two', 'integer', 'string'),
  wrongType('a fraction for a whole number', `${SPEC}.domain.cpu.cores`, 1.5, 'int32', 'float64'),
  wrongType('a number for a text', 'spec.runStrategy', 1, 'string', 'integer'),
  wrongType('a text for a truth', 'spec.running', 'yes', 'boolean', 'string'),
  wrongType('an object for a list', `${SPEC}.domain.devices.disks`, {}, 'array', 'object'),
  wrongType('a list for an object', `${SPEC}.domain`, [], 'object', 'array'),
  wrongType('a truth for a quantity', `${SPEC}.domain.memory.guest`, true, 'integer,string', 'boolean'),
  {
    reason: 'a quantity that is none',
    object: machine,
    path: `${SPEC}.domain.memory.guest`,
    value: 'much',
    says: [
      `is invalid: ${SPEC}.domain.memory.guest: Invalid value: "much": ${SPEC}.domain.memory.guest in body should match '^`,
    ],
  },
  { ...missing(`${SPEC}.domain`), reason: 'null for an object', value: null },
  missing('spec'),
  missing('spec.template'),
  missing(`${SPEC}.domain.devices`),
  missing(`${SPEC}.domain.devices.disks.0.name`),
  missing(`${SPEC}.volumes.1.name`),
  missing(`${SPEC}.networks.0.name`),
  {
    reason: 'no cpu in an instance type',
    object: instancetype,
    path: 'spec.cpu',
    says: ['The VirtualMachineInstancetype "bad" is invalid: spec.cpu: Required value\n'],
  },
  {
    reason: 'no source in a snapshot',
    object: snapshot,
    path: 'spec.source',
    says: ['The VirtualMachineSnapshot "bad" is invalid: spec.source: Required value\n'],
  },
  {
    reason: 'a value that the enum of a machine does not have',
    object: machine,
    path: `${SPEC}.domain.rebootPolicy`,
    value: 'Maybe',
    says: [
      `* ${SPEC}.domain.rebootPolicy: Unsupported value: "Maybe": supported values: "Reboot", "Terminate"\n`,
      unchecked,
    ],
  },
  {
    reason: 'a value that the enum of a data volume does not have',
    object: dataVolume,
    path: 'spec.contentType',
    value: 'tape',
    says: ['is invalid: spec.contentType: Unsupported value: "tape": supported values: "kubevirt", "archive"\n'],
  },
  {
    reason: 'a path against the CEL rules',
    object: machine,
    path: `${SPEC}.volumes.0`,
    value: outside,
    says: [
      `* ${SPEC}.volumes[0].containerPath.path: Invalid value: "a/../b": path must be absolute (start with '/')\n`,
      `* ${SPEC}.volumes[0].containerPath.path: Invalid value: "a/../b": path must not contain '..'\n`,
      `* ${SPEC}.volumes[0].containerPath.readOnly: Invalid value: false: readOnly must be true, write access is not supported\n`,
    ],
  },
  {
    reason: 'an access mode against the CEL rules',
    object: storageProfile,
    path: 'spec.claimPropertySets.0.accessModes',
    value: ['Sometimes'],
    says: ['is invalid: spec.claimPropertySets[0].accessModes: Invalid value: Illegal AccessMode\n'],
  },
  {
    reason: 'more property sets than a profile takes',
    object: storageProfile,
    path: 'spec.claimPropertySets',
    value: profiles,
    says: ['spec.claimPropertySets: Too many: 9: must have at most 8 items\n'],
  },
  {
    reason: 'two volumes of one name',
    object: machine,
    path: `${SPEC}.utilityVolumes`,
    value: twice,
    says: [`is invalid: ${SPEC}.utilityVolumes[1]: Duplicate value: {"name":"a"}\n`],
  },
  {
    reason: 'a name that is none',
    object: machine,
    path: 'metadata.name',
    value: 'Good_One',
    says: ['The VirtualMachine "Good_One" is invalid: metadata.name: Invalid value: "Good_One": a lowercase RFC 1123'],
  },
  {
    reason: 'a label that is none',
    object: machine,
    path: 'metadata.labels.app',
    value: 'a b',
    says: ['is invalid: metadata.labels: Invalid value: "a b": a valid label must be an empty string or consist of'],
  },
];
