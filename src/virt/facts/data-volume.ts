/** What is kept of a DataVolume: next to nothing once it is filled. */
import { saying, type Saying } from './condition.ts';
import { count, fields, known, list, text } from './reading.ts';

export interface DataVolumeFacts {
  readonly name: string;
  /** The name of the VirtualMachine that owns it. */
  readonly vm?: string;
  readonly phase?: string;
  /** The pod that fills it does not get on. */
  readonly stuck?: Saying;
  /** Its claim cannot be made. */
  readonly refused?: Saying;
  /** How often that pod has failed before. */
  readonly restarts?: number;
}

/** What KubeVirt takes for an error; other reasons (ContainerCreating, Completed) are stages. */
const stuckReasons = new Set(['Error', 'ImagePullFailed']);
const refusedReasons = new Set(['ErrExceededQuota', 'ErrClaimNotValid', 'ClaimLost']);

export function dataVolumeFacts(object: unknown): DataVolumeFacts {
  const { metadata, status } = fields(object);
  const { name, ownerReferences } = fields(metadata);
  const { phase, conditions, restartCount } = fields(status);
  const own = { name: text(name) ?? '', vm: ownerOf(ownerReferences), phase: text(phase, 64) };
  if (phase === 'Succeeded') return known<DataVolumeFacts>(own);
  const restarts = count(restartCount);
  return known<DataVolumeFacts>({
    ...own,
    stuck: only(stuckReasons, saying(conditions, 'Running', 'False')),
    refused: only(refusedReasons, saying(conditions, 'Bound', 'False') ?? unknownBound(conditions)),
    restarts: restarts === 0 ? undefined : restarts,
  });
}

/** CDI says Unknown of a claim that it could not make. */
function unknownBound(conditions: unknown): Saying | undefined {
  const asFalse = list(conditions).map((one) => {
    const condition = fields(one);
    return condition['status'] === 'Unknown' ? { ...condition, status: 'False' } : condition;
  });
  return saying(asFalse, 'Bound', 'False');
}

function only(reasons: ReadonlySet<string>, said: Saying | undefined): Saying | undefined {
  return said?.reason !== undefined && reasons.has(said.reason) ? said : undefined;
}

function ownerOf(ownerReferences: unknown): string | undefined {
  const owner = list(ownerReferences)
    .map(fields)
    .find((one) => one['kind'] === 'VirtualMachine');
  return text(owner?.['name']);
}
