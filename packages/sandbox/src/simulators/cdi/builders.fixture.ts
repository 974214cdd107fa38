/** Objects for tests. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../values/json.ts';
import type { DataVolume, PersistentVolumeClaim } from '../kubevirt/objects.ts';

export function aDataVolume(spec: JsonObject = {}, more: Partial<DataVolume> = {}): DataVolume {
  const { metadata, ...rest } = more;
  return { metadata: { namespace: 'ns1', name: 'disk1', uid: 'dv-uid', ...metadata }, spec, ...rest };
}

export function aClaim(
  annotations: Readonly<Record<string, string>> = {},
  phase: 'Pending' | 'Bound' | 'Lost' = 'Pending',
  spec: JsonObject = {},
): PersistentVolumeClaim {
  return { metadata: { namespace: 'ns1', name: 'disk1', uid: 'pvc-uid', annotations }, spec, status: { phase } };
}

export function aClass(
  name: string,
  more: {
    readonly provisioner?: string;
    readonly mode?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly created?: string;
  } = {},
): Unstructured {
  return {
    metadata: {
      name,
      creationTimestamp: more.created ?? '2026-01-01T00:00:00Z',
      ...(more.annotations === undefined ? {} : { annotations: more.annotations }),
    },
    provisioner: more.provisioner ?? 'csi.sandbox.ssvirt.io',
    volumeBindingMode: more.mode ?? 'Immediate',
  };
}
