/**
 * The PVC that keeps the state of a persistent TPM or EFI across restarts: one per VM, created before its first
 * launcher pod.
 */
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import { virtualMachineInstances, type PersistentVolumeClaim, type VirtualMachineInstance } from '../objects.ts';
import { claimOf } from './domain.ts';
import { labels } from './names.ts';

/** `renderStateClaim` uses the storage class of the first disk, because its owner chose that class for this VM. */
export function renderStateClaim(
  vmi: VirtualMachineInstance,
  claim: (name: string) => PersistentVolumeClaim | undefined,
): PersistentVolumeClaim {
  const { name = '', namespace, ownerReferences } = vmi.metadata;
  const disk = (vmi.spec.volumes ?? []).map(claimOf).find((claimName) => claimName !== undefined);
  const storageClassName = disk === undefined ? undefined : claim(disk)?.spec['storageClassName'];
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      generateName: `persistent-state-for-${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [labels.persistentStateFor]: name },
      ownerReferences: ownerReferences ?? [controllerReference(virtualMachineInstances, vmi)],
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      volumeMode: 'Filesystem',
      resources: { requests: { storage: '10Mi' } },
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
  };
}
