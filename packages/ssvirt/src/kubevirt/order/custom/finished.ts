/** Makes an object the order's: sets its namespace, labels and owner. They override what the template states. */
import { fields, text, type Fields } from '../../facts/reading.ts';
import type { KubeLike } from '../../tenant-vm/kube-like.ts';
import { childLabels, childMetadata, type OrderIdentity } from '../identity.ts';
import { labels } from '../resource.ts';
import type { Draft } from './filling.ts';

type Texts = Readonly<Record<string, string>>;

export function finished(identity: OrderIdentity, { kind, object }: Draft): KubeLike {
  const { apiVersion, metadata, stringData, data, ...rest } = object;
  const own = fields(metadata);
  const marked = childMetadata(identity, text(own['name']) ?? '');
  return {
    ...rest,
    ...heldData(kind, data, stringData),
    apiVersion: String(apiVersion),
    kind,
    metadata: {
      ...marked,
      labels: { ...(own['labels'] as Texts | undefined), ...marked.labels },
      annotations: { ...(own['annotations'] as Texts | undefined), ...marked.annotations },
    },
    ...(kind === 'VirtualMachine' ? { spec: machineSpec(identity, marked.name, fields(rest['spec'])) } : {}),
  };
}

/**
 * Puts all values of a Secret into `data`: a server does not keep which fields of `stringData` were applied, and by
 * whom.
 */
function heldData(kind: Draft['kind'], data: unknown, stringData: unknown): Fields {
  if (kind !== 'Secret') return data === undefined ? {} : { data };
  const encoded = Object.entries(fields(stringData)).map(([key, value]) => [
    key,
    Buffer.from(String(value), 'utf8').toString('base64'),
  ]);
  return { data: { ...fields(data), ...Object.fromEntries(encoded) } };
}

/**
 * KubeVirt copies the template's metadata to the instance and its pod, and nothing of the VirtualMachine's own
 * metadata.
 */
function machineSpec(identity: OrderIdentity, name: string, spec: Fields): Fields {
  const template = fields(spec['template']);
  const own = fields(template['metadata']);
  return {
    ...spec,
    template: {
      ...template,
      metadata: {
        labels: { [labels.vm]: name, ...fields(own['labels']), ...childLabels(identity) },
        annotations: { ...fields(own['annotations']), ...identity.marks.annotations },
      },
    },
  };
}
