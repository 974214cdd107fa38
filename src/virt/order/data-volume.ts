/** The disk of an order. CDI lets nobody change the spec of a DataVolume, so it is the role's to the letter: another one would end AAP's job. */
import { cdiVersion, type KubeLike } from '../machine/kube-like.ts';
import { childMetadata, type OrderIdentity } from './identity.ts';
import { childNames } from './child-names.ts';
import type { OrderParameters } from './order-parameters.ts';

export function buildDataVolume(
  identity: OrderIdentity,
  { image, diskSize }: OrderParameters,
  storageClass: string,
): KubeLike {
  return {
    ...dataVolumeMarks(identity),
    spec: {
      source: { registry: { url: image } },
      // Not `storage`, which is padded for a file system: the claim would be larger than what was ordered.
      pvc: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: diskSize } },
        storageClassName: storageClass,
      },
    },
  };
}

/**
 * What is applied over one that is there: whose it is, and nothing of its spec. So one is to be made by a plain create: had its spec been applied, an
 * apply without it would take it away.
 */
export function dataVolumeMarks(identity: OrderIdentity): KubeLike {
  return {
    apiVersion: cdiVersion,
    kind: 'DataVolume',
    metadata: childMetadata(identity, childNames(identity).dataVolume),
  };
}
