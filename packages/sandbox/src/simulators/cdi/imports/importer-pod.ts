/** The pod that fills a PVC, as users see it. */
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import { persistentVolumeClaims, type PersistentVolumeClaim, type Pod } from '../../kubevirt/objects.ts';
import * as name from '../names.ts';

export const IMPORTER_LABEL = 'cdi.kubevirt.io';
const VERSION = 'v1.66.0';

/** Undefined for a PVC that no pod fills. */
export function podNameFor({ metadata }: PersistentVolumeClaim): string | undefined {
  switch (metadata.annotations?.[name.POPULATOR_KIND]) {
    case undefined:
      return undefined;
    case 'VolumeImportSource':
      return `importer-${metadata.name ?? ''}`;
    default:
      return `cdi-upload-${metadata.name ?? ''}`;
  }
}

export function podFor(prime: PersistentVolumeClaim, podName: string): Pod {
  const isImporter = podName.startsWith('importer-');
  const container = isImporter ? 'importer' : 'cdi-upload-server';
  const isBlock = prime.spec['volumeMode'] === 'Block';
  const volume = { name: 'cdi-data-vol', persistentVolumeClaim: { claimName: prime.metadata.name ?? '' } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: prime.metadata.namespace ?? '',
      name: podName,
      labels: { ...name.APP, ...name.RECOMMENDED, [IMPORTER_LABEL]: container, 'prometheus.cdi.kubevirt.io': 'true' },
      annotations: { 'cdi.kubevirt.io/storage.createdByController': 'yes' },
      ownerReferences: [controllerReference(persistentVolumeClaims, prime)],
    },
    spec: {
      restartPolicy: 'OnFailure',
      terminationGracePeriodSeconds: 30,
      securityContext: { runAsNonRoot: true, runAsUser: 107, fsGroup: 107, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: container,
          image: `cdi-${isImporter ? 'importer' : 'uploadserver'}:${VERSION}`,
          imagePullPolicy: 'IfNotPresent',
          ...(isBlock
            ? { volumeDevices: [{ name: 'cdi-data-vol', devicePath: '/dev/cdi-block-volume' }] }
            : { volumeMounts: [{ name: 'cdi-data-vol', mountPath: '/data' }] }),
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
      volumes: [volume],
    },
  };
}
