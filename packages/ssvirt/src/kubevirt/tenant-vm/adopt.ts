/**
 * Takes over a VirtualMachine that something else wrote: adds our labels and run strategy, and removes everything that
 * decides where it runs.
 */
import { defined } from '@ssvirt/base/values/defined';
import { fields, list, type Fields } from '../facts/reading.ts';
import { evictionStrategy } from './build.ts';
import { instanceLabels, machineAnnotations, machineLabels, type VmIdentity, type Texts } from './labels.ts';
import { instanceSpecOf, specOf, templateOf } from './live.ts';

export function adopted(vm: unknown, identity: VmIdentity, runStrategy: string): Fields {
  const { running: _, ...spec } = specOf(vm);
  const template = templateOf(vm);
  return {
    ...fields(vm),
    metadata: {
      ...bare(fields(vm)['metadata'], machineLabels(identity), machineAnnotations(identity)),
      name: identity.vmName,
    },
    spec: {
      ...spec,
      runStrategy,
      ...(spec['dataVolumeTemplates'] === undefined
        ? {}
        : { dataVolumeTemplates: list(spec['dataVolumeTemplates']).map((disk) => labelled(disk, identity)) }),
      template: {
        ...template,
        metadata: withLabels(template['metadata'], instanceLabels(identity)),
        spec: { ...instanceSpecOf(vm), evictionStrategy },
      },
    },
  };
}

/**
 * Keeps only name, labels and annotations. The rest of the metadata belongs to the place that it was read from, and a
 * namespace would decide where the object is created.
 */
export function bare(metadata: unknown, labels: Texts, annotations: Texts = {}): Fields {
  const { name, generateName, labels: own, annotations: words } = fields(metadata);
  const all = { ...withoutOurs(withoutCopies(fields(words))), ...annotations };
  return {
    ...defined({ name }),
    ...(name !== undefined || generateName === undefined ? {} : { generateName }),
    labels: { ...withoutOurs(fields(own)), ...labels },
    ...(Object.keys(all).length === 0 ? {} : { annotations: all }),
  };
}

function withLabels(metadata: unknown, labels: Texts): Fields {
  const own = fields(metadata);
  return { ...own, labels: { ...fields(own['labels']), ...labels } };
}

function labelled(disk: unknown, identity: VmIdentity): Fields {
  const { metadata, ...rest } = fields(disk);
  const { namespace: _, ...own } = withLabels(metadata, machineLabels(identity));
  return { ...rest, metadata: own };
}

const ours = /(?:^|\.)(?:ssvirt\.io|vitistack\.io|cloudkit\.openshift\.io)\//;

/**
 * Objects are found and deleted by these labels: a template that bears them would point at another tenant's objects.
 */
function withoutOurs(texts: Fields): Fields {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !ours.test(key)));
}

/** The annotation of `kubectl apply` holds the whole object once more. */
function withoutCopies(annotations: Fields): Fields {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...others } = annotations;
  return others;
}
