/** Faults of a template that do not depend on an order. */
import { fields, list } from '../../facts/reading.ts';
import { shown } from '../shown.ts';
import type { OrderTemplateSpec, TemplateParameter } from '../parameters/template.ts';
import { invalid, type TemplateFault } from './fault.ts';
import { readValue } from './parameter-values.ts';
import { readPattern } from './pattern.ts';
import { isListed, kinds, type ListedKind } from './positions.ts';
import { textFaults } from './text-faults.ts';
import { orderName, tenantNamespace } from './substitution.ts';

export function templateFaults({ parameters = [], objects }: OrderTemplateSpec): readonly TemplateFault[] {
  const declared = new Map(parameters.map((one) => [one.name, one]));
  return [
    ...parameters.flatMap(parameterFaults),
    ...repeated(parameters),
    ...objects.flatMap((object, at) => objectFaults(object, `objects[${at}]`, declared)),
    ...machineFaults(objects),
  ];
}

function parameterFaults(parameter: TemplateParameter): readonly TemplateFault[] {
  const { name, type = 'string', required = false, default: usual, pattern, minimum, maximum } = parameter;
  const where = `parameters: ${shown(name)}`;
  if (name === orderName || name === tenantNamespace)
    return [invalid(where, 'is set for every order: choose another name')];
  const judged = pattern === undefined ? undefined : readPattern(pattern);
  if (judged !== undefined && 'fault' in judged)
    return [invalid(where, `has a pattern that cannot be judged: ${judged.fault}`)];
  if (type !== 'integer' && (minimum !== undefined || maximum !== undefined))
    return [invalid(where, `is of type ${type}, and only an integer has a minimum or maximum: leave them out`)];
  if (usual === undefined)
    return required || type === 'string'
      ? []
      : [invalid(where, `is of type ${type}, and neither required nor has it a default: give it one of them`)];
  const read = readValue({ ...parameter, required: true }, usual, usual, false);
  return 'problem' in read ? [invalid(where, `has a default that violates its own rule: ${read.problem.rule}`)] : [];
}

function repeated(parameters: readonly TemplateParameter[]): readonly TemplateFault[] {
  const names = parameters.map(({ name }) => name);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  return [...twice].map((name) => invalid(`parameters: ${shown(name)}`, 'is listed twice: remove one of them'));
}

type Declared = ReadonlyMap<string, TemplateParameter>;

function objectFaults(object: unknown, where: string, declared: Declared): readonly TemplateFault[] {
  const { apiVersion, kind, metadata } = fields(object);
  if (!isListed(apiVersion, kind)) return [forbidden(where, apiVersion, kind)];
  const named = `${where} (${kind})`;
  return [
    ...fieldFaults(object, named, kind),
    ...metadataFaults(metadata, `${named} metadata`),
    ...kindFaults(object, named, kind),
    ...textFaults(object, kind, named, declared),
  ];
}

function forbidden(where: string, apiVersion: unknown, kind: unknown): TemplateFault {
  const all = Object.entries(kinds).map(([one, version]) => `${version} ${one}`);
  const message = `${where} is of kind ${shown(kind)} of ${shown(apiVersion)}, but a template may only have ${all.join(', ')}, and these words stand there as they are: take the object out of the template.`;
  return { reason: 'ForbiddenKind', message };
}

const contents: Readonly<Record<ListedKind, readonly string[]>> = {
  Secret: ['data', 'stringData', 'type'],
  ConfigMap: ['data', 'binaryData'],
  Service: ['spec'],
  PersistentVolumeClaim: ['spec'],
  DataVolume: ['spec'],
  VirtualMachine: ['spec'],
};

function fieldFaults(object: unknown, where: string, kind: ListedKind): readonly TemplateFault[] {
  const known = ['apiVersion', 'kind', 'metadata', ...contents[kind]];
  const odd = Object.keys(fields(object)).filter((field) => !known.includes(field));
  return odd.map((field) => invalid(where, `has ${shown(field)}, but may only have ${known.join(', ')}: leave it out`));
}

const metadataFields: readonly string[] = ['name', 'namespace', 'labels', 'annotations'];
/** Our own prefixes: an object with such a label belongs to an owner, or would be mistaken for an owner's. */
const reserved = /(?:^|\.)(?:cloudkit\.openshift\.io|ssvirt\.io|vitistack\.io)\//;

function metadataFaults(metadata: unknown, where: string, mayName = true): readonly TemplateFault[] {
  const { name, namespace } = fields(metadata);
  const known = mayName ? metadataFields : ['labels', 'annotations'];
  // Tools write `creationTimestamp: null`.
  const odd = Object.entries(fields(metadata)).flatMap(([field, value]) =>
    known.includes(field) || value === null ? [] : [field],
  );
  const isOwnName = typeof name === 'string' && /^\$\{ORDER_NAME\}(?:-|$)/.test(name);
  return [
    ...odd.map((field) => invalid(where, `has ${shown(field)}, but may only have ${known.join(', ')}: leave it out`)),
    ...(mayName && !isOwnName
      ? [
          invalid(
            `${where}.name`,
            `is ${shown(name)}, but must be "\${ORDER_NAME}" or begin with "\${ORDER_NAME}-": so two orders never meet`,
          ),
        ]
      : []),
    ...(mayName && namespace !== undefined && namespace !== '${TENANT_NAMESPACE}'
      ? [
          invalid(
            `${where}.namespace`,
            `is ${shown(namespace)}, but objects are only made in the namespace of the order's tenant: leave it out, or write "\${TENANT_NAMESPACE}"`,
          ),
        ]
      : []),
    ...['labels', 'annotations'].flatMap((map) => mapFaults(fields(metadata)[map], `${where}.${map}`)),
  ];
}

function mapFaults(map: unknown, where: string): readonly TemplateFault[] {
  if (map !== undefined && (typeof map !== 'object' || map === null || Array.isArray(map)))
    return [invalid(where, 'is not an object: write names and strings')];
  return Object.entries(fields(map)).flatMap(([key, value]) => [
    ...(typeof value === 'string' ? [] : [invalid(where, `has ${shown(key)}, which is no text: put it in quotes`)]),
    ...(reserved.test(key) ? [invalid(where, `has ${shown(key)}, which the operator sets itself: leave it out`)] : []),
  ]);
}

function kindFaults(object: unknown, where: string, kind: ListedKind): readonly TemplateFault[] {
  const { spec, type } = fields(object);
  switch (kind) {
    case 'Secret':
      return type === undefined || type === 'Opaque'
        ? []
        : [
            invalid(
              `${where} type`,
              `is ${shown(type)}; the operator makes Secrets of type "Opaque" only: leave it out`,
            ),
          ];
    case 'Service':
      return serviceFaults(spec, where);
    case 'VirtualMachine':
      return vmFaults(spec, where);
    default:
      return [];
  }
}

/** Fields that would attract traffic meant for others, or redirect it. */
function serviceFaults(spec: unknown, where: string): readonly TemplateFault[] {
  const { type, externalIPs, externalName } = fields(spec);
  const given = [
    ...(type === 'ExternalName' || externalName !== undefined ? ['externalName'] : []),
    ...(externalIPs === undefined ? [] : ['externalIPs']),
  ];
  return given.map((field) =>
    invalid(
      `${where} spec.${field}`,
      "sends traffic outside of the order: a Service may only select the order's machine",
    ),
  );
}

function vmFaults(spec: unknown, where: string): readonly TemplateFault[] {
  const { template, dataVolumeTemplates, running, runStrategy } = fields(spec);
  return [
    ...(list(dataVolumeTemplates).length > 0
      ? [
          invalid(
            `${where} spec.dataVolumeTemplates`,
            'would create disks outside of the order: list DataVolumes among the objects of the template',
          ),
        ]
      : []),
    ...(running !== undefined && runStrategy !== undefined
      ? [invalid(`${where} spec`, 'has running and runStrategy, but KubeVirt accepts only one: remove one of them')]
      : []),
    ...(template === undefined ? [invalid(`${where} spec`, 'has no template: write what the machine is made of')] : []),
    ...metadataFaults(fields(template)['metadata'], `${where} spec.template.metadata`, false),
  ];
}

function machineFaults(objects: readonly unknown[]): readonly TemplateFault[] {
  const machines = objects.filter((object) => fields(object)['kind'] === 'VirtualMachine');
  return machines.length > 1
    ? [
        invalid(
          'objects',
          `have ${machines.length} VirtualMachines, but an order is of one at most: write a template for each`,
        ),
      ]
    : [];
}
