/** Validates a DataVolume. The messages are CDI's and, like CDI, it reports only the first fault. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../values/json.ts';
import { objectAt, textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import type { Cause } from '../../serving/contracts.ts';
import { bytesOf } from '../claims/claim-size.ts';
import { invalid } from './invalid.ts';
import { sourceFault } from './sources.ts';

/** CDI accepts only the modes that KubeVirt's disks and plain PVCs use. */
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];

/** `specFault` checks the spec without reading other objects. */
export function specFault(spec: JsonObject): Cause | undefined {
  return claimFault(spec) ?? originFault(spec);
}

function claimFault(spec: JsonObject): Cause | undefined {
  const pvc = objectAt(spec, 'pvc');
  const storage = objectAt(spec, 'storage');
  if (pvc === undefined && storage === undefined) return invalid('Missing Data volume PVC', 'spec.PVC');
  if (pvc !== undefined && storage !== undefined)
    return invalid('Duplicate storage definition, both target storage and target pvc defined', 'spec.PVC.Storage');
  if (storage !== undefined) return sizeFault(storage, 'Storage', mayLackSize(spec)) ?? storageModesFault(storage);
  return pvc === undefined ? undefined : (sizeFault(pvc, 'PVC', false) ?? claimModesFault(pvc));
}

/** A clone without a size gets the size of its source. */
function mayLackSize(spec: JsonObject): boolean {
  const source = objectAt(spec, 'source');
  return (
    objectAt(spec, 'sourceRef') !== undefined ||
    objectAt(source, 'pvc') !== undefined ||
    objectAt(source, 'snapshot') !== undefined
  );
}

function sizeFault(claim: JsonObject, name: 'PVC' | 'Storage', mayLack: boolean): Cause | undefined {
  const field = `spec.${name}.resources.requests.size`;
  const asked = objectAt(objectAt(claim, 'resources'), 'requests')?.['storage'];
  if (asked === undefined) return mayLack ? undefined : invalid(`${name} size is missing`, field);
  const bytes = bytesOf(asked);
  return bytes === undefined || bytes <= 0n
    ? invalid(`${name} size can't be equal or less than zero`, field)
    : undefined;
}

const unsupported = (mode: string): string =>
  `Unsupported value: "${mode}": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"`;

function claimModesFault(claim: JsonObject): Cause | undefined {
  const field = 'spec.PVC.accessModes';
  const [mode, ...others] = textsAt(claim, 'accessModes');
  if (mode === undefined) return invalid('Required value: at least 1 access mode is required', field);
  if (others.length > 0) return invalid('PVC multiple accessModes', field);
  return accessModes.includes(mode) ? undefined : invalid(unsupported(mode), field);
}

function storageModesFault(storage: JsonObject): Cause | undefined {
  const modes = textsAt(storage, 'accessModes');
  return modes.every((mode) => accessModes.includes(mode))
    ? undefined
    : invalid(unsupported(modes[0] ?? ''), 'spec.PVC.accessModes');
}

function originFault(spec: JsonObject): Cause | undefined {
  const claim = objectAt(spec, 'pvc') ?? objectAt(spec, 'storage');
  const source = objectAt(spec, 'source');
  const reference = objectAt(spec, 'sourceRef');
  if (objectAt(claim, 'dataSource') !== undefined || objectAt(claim, 'dataSourceRef') !== undefined)
    return source === undefined && reference === undefined
      ? undefined
      : invalid('External population is incompatible with Source and SourceRef', 'spec.source');
  if ((source === undefined) === (reference === undefined))
    return invalid('Data volume should have either Source or SourceRef, or be externally populated', 'spec.source');
  if (reference !== undefined) return referenceFault(reference);
  return source === undefined ? undefined : sourceFault(source, textAt(spec, 'contentType'));
}

function referenceFault(reference: JsonObject): Cause | undefined {
  const kind = textAt(reference, 'kind');
  if (kind === '') return invalid('Missing sourceRef kind', 'spec.sourceRef.Kind');
  if (kind !== 'DataSource')
    return invalid(`Unsupported sourceRef kind ${kind}, currently only DataSource is supported`, 'spec.sourceRef.Kind');
  return textAt(reference, 'name') === '' ? invalid('Missing sourceRef name', 'spec.sourceRef.Name') : undefined;
}

/** The spec is immutable, except that multi-stage imports receive their next checkpoints. */
export function updateFault(before: JsonObject, after: JsonObject): Cause | undefined {
  const source = objectAt(after, 'source');
  const inStages =
    Array.isArray(after['checkpoints']) && (source?.['vddk'] !== undefined || source?.['imageio'] !== undefined);
  const compared = ({ checkpoints, finalCheckpoint, ...rest }: JsonObject): JsonObject =>
    inStages
      ? rest
      : {
          ...rest,
          ...(checkpoints === undefined ? {} : { checkpoints }),
          ...(finalCheckpoint === undefined ? {} : { finalCheckpoint }),
        };
  return isDeepStrictEqual(compared(before), compared(after))
    ? undefined
    : { type: 'FieldValueDuplicate', message: 'Cannot update DataVolume Spec', field: 'DataVolume.Spec' };
}

/** `cloneFault` checks a clone whose source exists. */
export function cloneFault(
  source: { readonly bytes: bigint | undefined; readonly contentType: string },
  spec: JsonObject,
  field: string,
): Cause | undefined {
  const target = textAt(spec, 'contentType') || 'kubevirt';
  if (source.contentType !== target)
    return invalid(`Source contentType (${source.contentType}) and target contentType (${target}) do not match`, field);
  const claim = objectAt(spec, 'pvc') ?? objectAt(spec, 'storage');
  const asked = bytesOf(objectAt(objectAt(claim, 'resources'), 'requests')?.['storage']);
  if (asked === undefined || source.bytes === undefined || asked >= source.bytes) return undefined;
  return invalid('target resources requests storage size is smaller than the source', field);
}
