/** The PVCs that CDI creates: the one of a DataVolume, and the prime PVC that is filled in its place. */
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import type { KubeObject } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { textAt } from '../../../objects/kinds/values/fields.ts';
import { SELECTED_NODE } from '../../node/pod-claims.ts';
import {
  dataVolumes,
  persistentVolumeClaims,
  type DataVolume,
  type PersistentVolumeClaim,
} from '../../kubevirt/objects.ts';
import * as name from '../names.ts';
import type { Origin } from '../origin.ts';

export type PopulatorKind = 'VolumeImportSource' | 'VolumeCloneSource' | 'VolumeUploadSource';

export const populatorKinds: Readonly<Record<'import' | 'clone' | 'upload', PopulatorKind>> = {
  import: 'VolumeImportSource',
  clone: 'VolumeCloneSource',
  upload: 'VolumeUploadSource',
};

export function populatorSourceName({ metadata }: DataVolume, kind: PopulatorKind): string {
  const prefix = { VolumeImportSource: 'import', VolumeCloneSource: 'clone', VolumeUploadSource: 'upload' }[kind];
  return `volume-${prefix}-source-${metadata.uid ?? ''}`;
}

/** `claimOf` renders the PVC of a DataVolume. It carries the DataVolume's labels and annotations. */
export function claimOf(
  dataVolume: DataVolume,
  spec: JsonObject,
  { origin, populator }: { readonly origin: Origin; readonly populator: boolean },
): PersistentVolumeClaim {
  const { namespace = '', name: called = '', uid = '', labels, annotations } = dataVolume.metadata;
  const kind = origin.kind === 'external' || origin.kind === 'unknown' ? undefined : populatorKinds[origin.kind];
  const priority = textAt(dataVolume.spec, 'priorityClassName');
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      namespace,
      name: called,
      labels: {
        ...name.APP,
        ...name.RECOMMENDED,
        ...(textAt(spec, 'volumeMode') === 'Block' ? {} : name.NO_FILLING_UP_ALERT),
        ...labels,
      },
      annotations: {
        ...annotations,
        [name.USE_POPULATOR]: String(populator),
        [name.POD_RESTARTS]: '0',
        [name.CONTENT_TYPE]: contentTypeOf(dataVolume),
        [name.PREALLOCATION]: String(dataVolume.spec['preallocation'] === true),
        [name.CREATED_FOR]: uid,
        ...(priority === '' ? {} : { [name.PRIORITY_CLASS]: priority }),
        ...(populator ? {} : legacyAnnotations(origin)),
      },
      ownerReferences: [controllerReference(dataVolumes, dataVolume)],
    },
    spec:
      populator && kind !== undefined
        ? {
            ...spec,
            dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind, name: populatorSourceName(dataVolume, kind) },
          }
        : spec,
    // The status is filled in by the server.
  };
}

export function contentTypeOf({ spec }: DataVolume): 'kubevirt' | 'archive' {
  return textAt(spec, 'contentType') === 'archive' ? 'archive' : 'kubevirt';
}

function legacyAnnotations(origin: Origin): Readonly<Record<string, string>> {
  if (origin.kind === 'clone') return { [name.CLONE_REQUEST]: `${origin.namespace}/${origin.name}` };
  if (origin.kind !== 'import') return {};
  return {
    [name.IMPORT_SOURCE]: origin.source,
    ...(origin.endpoint === '' ? {} : { [name.IMPORT_ENDPOINT]: origin.endpoint }),
  };
}

export function primeName({ metadata }: KubeObject, origin: Origin): string {
  return `${origin.kind === 'clone' ? 'tmp-pvc' : 'prime'}-${metadata.uid ?? ''}`;
}

/**
 * `primeOf` renders the PVC that is filled and whose volume `target` then gets. `node` is set if the class waits for a
 * consumer.
 */
export function primeOf(
  target: PersistentVolumeClaim,
  { origin, node }: { readonly origin: Origin; readonly node?: string | undefined },
): PersistentVolumeClaim {
  const { namespace = '', labels, annotations = {} } = target.metadata;
  const { accessModes, resources, storageClassName, volumeMode } = target.spec;
  const kept = [name.CONTENT_TYPE, name.PREALLOCATION, name.PRIORITY_CLASS].flatMap((key) =>
    annotations[key] === undefined ? [] : [[key, annotations[key]] as const],
  );
  const kind = origin.kind === 'clone' || origin.kind === 'upload' ? populatorKinds[origin.kind] : 'VolumeImportSource';
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      namespace,
      name: primeName(target, origin),
      labels: { ...labels, ...name.APP, ...name.RECOMMENDED, ...name.NO_BACKUP },
      annotations: {
        ...Object.fromEntries(kept),
        [name.BIND_IMMEDIATELY]: '',
        [name.POPULATOR_KIND]: kind,
        ...(node === undefined ? {} : { [SELECTED_NODE]: node }),
        ...legacyAnnotations(origin),
      },
      ownerReferences: [controllerReference(persistentVolumeClaims, target)],
    },
    spec: {
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(resources === undefined ? {} : { resources }),
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
    },
  };
}

/** `populatorSourceOf` returns the object that a PVC names as its data source. */
export function populatorSourceOf(
  dataVolume: DataVolume,
  kind: PopulatorKind,
  origin: Origin,
): { readonly namespace: string; readonly name: string; readonly spec: JsonObject } {
  const { namespace = '' } = dataVolume.metadata;
  const preallocation = dataVolume.spec['preallocation'];
  const more = typeof preallocation === 'boolean' ? { preallocation } : {};
  const spec: JsonObject =
    origin.kind === 'clone'
      ? {
          source: {
            kind: origin.of === 'pvc' ? 'PersistentVolumeClaim' : 'VolumeSnapshot',
            name: origin.name,
            ...(origin.of === 'pvc' ? {} : { apiGroup: 'snapshot.storage.k8s.io' }),
          },
          ...more,
        }
      : {
          ...(kind === 'VolumeImportSource'
            ? { source: dataVolume.spec['source'] ?? {}, targetClaim: dataVolume.metadata.name ?? '' }
            : {}),
          contentType: contentTypeOf(dataVolume),
          ...more,
        };
  return {
    namespace: origin.kind === 'clone' ? origin.namespace : namespace,
    name: populatorSourceName(dataVolume, kind),
    spec,
  };
}
