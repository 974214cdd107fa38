/** Renders the DataVolume of a VM's dataVolumeTemplate. */
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import type { ObjectMeta } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../../values/json.ts';
import { conditionOf } from '../vmi-state.ts';
import { virtualMachines, type DataVolume, type VirtualMachine } from '../../objects.ts';

export interface DataVolumeTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec: JsonObject;
}

export interface CloneSource {
  readonly kind: 'pvc' | 'snapshot';
  readonly namespace: string;
  readonly name: string;
}

export interface SourceRef {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export function templatesOf(vm: VirtualMachine): readonly DataVolumeTemplate[] {
  return (vm.spec.dataVolumeTemplates ?? []) as unknown as readonly DataVolumeTemplate[];
}

export function sourceRefOf(spec: JsonObject): SourceRef | undefined {
  return spec['sourceRef'] as SourceRef | undefined;
}

/** `cloneSourceIn` returns what `source` clones, if it is a clone; `namespace` is the default for a source that names none. */
export function cloneSourceIn(source: unknown, namespace: string): CloneSource | undefined {
  const { pvc, snapshot } = (source ?? {}) as Readonly<
    Record<string, { namespace?: string; name?: string } | undefined>
  >;
  const [kind, found] = pvc === undefined ? (['snapshot', snapshot] as const) : (['pvc', pvc] as const);
  if (found === undefined) return undefined;
  return { kind, namespace: found.namespace || namespace, name: found.name ?? '' };
}

/** `clone` replaces the source or sourceRef of the template after that is resolved. */
export function dataVolumeOf(
  vm: VirtualMachine,
  { metadata = {}, spec }: DataVolumeTemplate,
  clone: CloneSource | undefined,
): DataVolume {
  const priority = vm.spec.template.spec['priorityClassName'] as string | undefined;
  const { sourceRef: _, ...resolved } = spec;
  const source = clone === undefined ? undefined : { [clone.kind]: { namespace: clone.namespace, name: clone.name } };
  return {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: {
      ...metadata,
      ...(vm.metadata.namespace === undefined ? {} : { namespace: vm.metadata.namespace }),
      labels: { ...metadata.labels, 'kubevirt.io/created-by': vm.metadata.uid ?? '' },
      annotations: { ...metadata.annotations, 'cdi.kubevirt.io/allowClaimAdoption': 'true' },
      ownerReferences: [controllerReference(virtualMachines, vm)],
    },
    spec: {
      ...(source === undefined ? spec : { ...resolved, source }),
      ...(spec['priorityClassName'] === undefined && priority !== undefined ? { priorityClassName: priority } : {}),
    },
  };
}

/** `quotaRefusalOf` returns the quota error because of which a Pending DataVolume cannot continue. */
export function quotaRefusalOf(dataVolume: DataVolume): string | undefined {
  const bound = conditionOf(dataVolume, 'Bound');
  return bound !== undefined && bound.status !== 'True' && bound.reason === 'ErrExceededQuota'
    ? `DataVolume ${dataVolume.metadata.name} importer is not running due to an error: ${bound.message ?? ''}`
    : undefined;
}
