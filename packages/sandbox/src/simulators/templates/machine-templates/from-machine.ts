/**
 * Builds a VirtualMachineTemplate from a VM: its name becomes a parameter, its disks become clones of the copies that
 * the request made.
 */
import { createHash } from 'node:crypto';
import type { KubeObject } from '@ssvirt/kube/object';
import { isObject, type JsonObject } from '../../../values/json.ts';
import type { VirtualMachine, Volume } from '../../kubevirt/objects.ts';
import { REQUEST_LABEL, type MachineTemplate, type TemplateRequest } from './kinds.ts';

const NAME = '${NAME}';
const LONGEST_BASE = 52;

/** A deterministic name that is unique to the inputs. */
export function stableName(base: string, ...inputs: readonly string[]): string {
  const hash = createHash('sha256')
    .update([base, ...inputs].join('\0'))
    .digest('hex')
    .slice(0, 10);
  const start = /^[a-z]/.test(base) ? base : `x-${base}`;
  return `${start.slice(0, LONGEST_BASE).replace(/-+$/, '')}-${hash}`;
}

export function templateNameOf({ metadata, spec }: TemplateRequest): string {
  return spec.templateName ?? metadata.name ?? '';
}

/** `Copied` is a copied disk of the VM: the volume, the source, and the name of the copy. */
export interface Copied {
  readonly volume: string;
  readonly claim: string;
  readonly copy: string;
}

export function copiedDisks(request: TemplateRequest, { spec }: VirtualMachine): readonly Copied[] {
  return (spec.template.spec.volumes ?? []).flatMap((volume) => {
    const claim = claimOf(volume);
    if (claim === undefined) return [];
    const copy = stableName(templateNameOf(request), request.metadata.uid ?? '', volume.name);
    return [{ volume: volume.name, claim, copy }];
  });
}

function claimOf({ dataVolume, persistentVolumeClaim }: Volume): string | undefined {
  return dataVolume?.name ?? persistentVolumeClaim?.claimName;
}

export function copyOf(request: TemplateRequest, { claim, copy }: Copied, owner: JsonObject): KubeObject {
  const { namespace = '', uid = '' } = request.metadata;
  const object = {
    metadata: {
      namespace,
      name: copy,
      labels: { [REQUEST_LABEL]: uid },
      annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': '' },
      ownerReferences: [owner],
    },
    spec: { source: { pvc: { namespace: request.spec.virtualMachineRef.namespace, name: claim } }, storage: {} },
  };
  return object as unknown as KubeObject;
}

export function templateOf(
  request: TemplateRequest,
  machine: VirtualMachine,
  copied: readonly Copied[],
): MachineTemplate {
  const { namespace = '', uid = '' } = request.metadata;
  const { spec } = machine;
  const volumes = (spec.template.spec.volumes ?? []).map((volume) => {
    const one = copied.find(({ volume: name }) => name === volume.name);
    return one === undefined ? volume : { name: volume.name, dataVolume: { name: `${one.claim}-${NAME}` } };
  });
  const kept = (spec.dataVolumeTemplates ?? []).filter(
    ({ metadata }) => !copied.some(({ claim }) => isObject(metadata) && metadata['name'] === claim),
  );
  const dataVolumeTemplates = [
    ...kept,
    ...copied.map(({ claim, copy }) => ({
      metadata: { name: `${claim}-${NAME}` },
      spec: { source: { pvc: { namespace, name: copy } }, storage: {} },
    })),
  ];
  const virtualMachine = {
    metadata: { name: NAME },
    spec: {
      ...spec,
      ...(dataVolumeTemplates.length === 0 ? {} : { dataVolumeTemplates }),
      template: { ...spec.template, spec: { ...spec.template.spec, ...(volumes.length === 0 ? {} : { volumes }) } },
    },
  };
  return {
    metadata: { namespace, name: templateNameOf(request), labels: { [REQUEST_LABEL]: uid } },
    spec: {
      virtualMachine: virtualMachine as unknown as JsonObject,
      parameters: [{ name: 'NAME', required: true }],
    },
  };
}
