/** The events that report a new phase of a DataVolume. */
import type { EventType } from '@ssvirt/kube/events/event';
import type { ObjectMeta } from '@ssvirt/kube/object';
import type { Origin } from './origin.ts';

export type News = readonly [type: EventType, reason: string, message: string];

export function newsOf(phase: string, origin: Origin, { namespace = '', name = '' }: ObjectMeta): News | undefined {
  if (phase === 'Failed') return ['Warning', 'ErrClaimLost', `PVC ${name} lost`];
  const text = textOf(phase, origin, namespace, name);
  return text === undefined ? undefined : ['Normal', ...text];
}

function textOf(
  phase: string,
  origin: Origin,
  namespace: string,
  name: string,
): readonly [reason: string, message: string] | undefined {
  if (origin.kind === 'import' || origin.kind === 'upload') return simpleText(phase, origin.kind, name);
  if (origin.kind !== 'clone') return undefined;
  const from = `${origin.namespace}/${origin.name}`;
  const into = `${namespace}/${name}`;
  switch (phase) {
    case 'CloneScheduled':
      return [phase, `Cloning from ${from} into ${into} scheduled`];
    case 'CloneInProgress':
      return [phase, `Cloning from ${from} into ${into} in progress`];
    case 'CSICloneInProgress':
      return [phase, `CSI Volume clone in progress (for pvc ${from})`];
    case 'SnapshotForSmartCloneInProgress':
      return [phase, `Creating snapshot for smart-clone is in progress (for pvc ${from})`];
    case 'CloneFromSnapshotSourceInProgress':
      return [phase, `Creating PVC from snapshot source is in progress (for ${origin.of} ${from})`];
    case 'RebindInProgress':
      return [phase, `Rebinding PersistentVolumeClaim for DataVolume ${into}`];
    case 'Succeeded':
      return ['CloneSucceeded', `Successfully cloned from ${from} into ${into}`];
    default:
      return undefined;
  }
}

function simpleText(
  phase: string,
  kind: 'import' | 'upload',
  name: string,
): readonly [reason: string, message: string] | undefined {
  switch (phase) {
    case 'ImportScheduled':
      return [phase, `Import into ${name} scheduled`];
    case 'ImportInProgress':
      return [phase, `Import into ${name} in progress`];
    case 'UploadScheduled':
      return [phase, `Upload into ${name} scheduled`];
    case 'UploadReady':
      return [phase, `Upload into ${name} ready`];
    case 'Succeeded':
      return kind === 'import'
        ? ['ImportSucceeded', `Successfully imported into PVC ${name}`]
        : ['UploadSucceeded', `Successfully uploaded into ${name}`];
    default:
      return undefined;
  }
}
