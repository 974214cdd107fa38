/**
 * The disk of an order. CDI does not allow changes of a DataVolume's spec, so it equals the role's exactly: a different
 * one would make AAP's job fail.
 */
import { cdiVersion, type KubeLike } from '../tenant-vm/kube-like.ts';
import { childMetadata, type OrderIdentity } from './identity.ts';
import { childNames } from './child-names.ts';
import type { OrderParameters } from './parameters/order-parameters.ts';

export function buildDataVolume(
  identity: OrderIdentity,
  { image, diskSize }: OrderParameters,
  storageClass: string,
): KubeLike {
  return {
    ...dataVolumeMarks(identity),
    spec: {
      source: { registry: { url: image } },
      // Not `storage`, to which CDI adds the overhead of a file system: the claim would be larger than ordered.
      pvc: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: diskSize } },
        storageClassName: storageClass,
      },
    },
  };
}

/**
 * What is applied over an existing DataVolume: labels, annotations and owner, and nothing of its spec. A new one must
 * therefore be created by a plain create: had its spec been applied, an apply without the spec would remove it.
 */
export function dataVolumeMarks(identity: OrderIdentity): KubeLike {
  return {
    apiVersion: cdiVersion,
    kind: 'DataVolume',
    metadata: childMetadata(identity, childNames(identity).dataVolume),
  };
}
