/** How the provisioner handles a PVC. */
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { formatQuantity, parseQuantity, quantityCeil } from '../../objects/schema/quantity.ts';
import type { PersistentVolumeClaim } from '../kubevirt/objects.ts';
import { SELECTED_NODE } from '../node/pod-claims.ts';
import { amountOf } from '../node/amounts.ts';
import { DRIVER } from './classes.ts';

const PROVISIONERS = ['volume.kubernetes.io/storage-provisioner', 'volume.beta.kubernetes.io/storage-provisioner'];

/**
 * The control plane sets this annotation when the driver must act: at once for an immediate class, otherwise after a
 * node was selected.
 */
export function isOurTurn(claim: PersistentVolumeClaim): boolean {
  const { annotations = {}, deletionTimestamp } = claim.metadata;
  return (
    PROVISIONERS.some((name) => annotations[name] === DRIVER) &&
    deletionTimestamp === undefined &&
    textAt(claim.spec, 'volumeName') === '' &&
    !isPopulated(claim)
  );
}

/** A PVC with a populator gets its volume from that. Snapshots and other PVCs as sources are copied by the driver. */
export function isPopulated({ spec }: PersistentVolumeClaim): boolean {
  const source = objectAt(spec, 'dataSourceRef') ?? objectAt(spec, 'dataSource');
  if (source === undefined) return false;
  const ours = ['PersistentVolumeClaim', 'VolumeSnapshot'];
  return !ours.includes(textAt(source, 'kind'));
}

/** `clonedClaim` returns the PVC to copy; undefined if the volume starts empty. */
export function clonedClaim({ spec }: PersistentVolumeClaim): string | undefined {
  const source = objectAt(spec, 'dataSourceRef') ?? objectAt(spec, 'dataSource');
  return textAt(source, 'kind') === 'PersistentVolumeClaim' ? textAt(source, 'name') : undefined;
}

export function volumeName({ metadata }: PersistentVolumeClaim): string {
  return `pvc-${metadata.uid ?? ''}`;
}

export function volumeFor(claim: PersistentVolumeClaim, storageClass: Unstructured | undefined): Unstructured {
  const { namespace = '', name = '', uid = '', resourceVersion = '', annotations = {} } = claim.metadata;
  const node = annotations[SELECTED_NODE];
  const requests = objectAt(objectAt(claim.spec, 'resources'), 'requests');
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName(claim), annotations: { 'pv.kubernetes.io/provisioned-by': DRIVER } },
    spec: {
      accessModes: claim.spec['accessModes'],
      capacity: { storage: inBinaryUnits(textAt(requests, 'storage')) },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion },
      csi: { driver: DRIVER, volumeHandle: volumeName(claim) },
      persistentVolumeReclaimPolicy: storageClass?.['reclaimPolicy'] ?? 'Delete',
      storageClassName: textAt(claim.spec, 'storageClassName'),
      volumeMode: textAt(claim.spec, 'volumeMode') || 'Filesystem',
      ...(node === undefined ? {} : { nodeAffinity: { required: { nodeSelectorTerms: [onNode(node)] } } }),
    },
  };
}

/** A driver counts bytes and reports binary units: 10737418240 becomes 10Gi. */
function inBinaryUnits(text: string): string {
  const parsed = parseQuantity(text);
  if (parsed === undefined) return text;
  return formatQuantity({ value: quantityCeil(parsed), scale: 0, format: 'BinarySI', int64: true });
}

function onNode(node: string): JsonObject {
  return { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] };
}

/** `wantedSize` returns the larger size that a bound PVC requests; undefined if it has that size already. */
export function wantedSize(claim: PersistentVolumeClaim): string | undefined {
  const asked = textAt(objectAt(objectAt(claim.spec, 'resources'), 'requests'), 'storage');
  const status = claim.status as Json | undefined;
  const has = textAt(objectAt(isObject(status) ? status : undefined, 'capacity'), 'storage');
  if (claim.status?.phase !== 'Bound' || has === '' || amountOf(asked) <= amountOf(has)) return undefined;
  return inBinaryUnits(asked);
}
