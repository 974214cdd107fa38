/** What is kept of a DataVolume: very little once it is filled. */
import type { ClaimEventFacts } from './claim-event.ts';
import { saying, type Saying } from './condition.ts';
import { count, fields, known, list, text } from './reading.ts';

export interface DataVolumeFacts {
  readonly name: string;
  /** The name of the VirtualMachine that owns it. */
  readonly vm?: string;
  readonly phase?: string;
  /** The pod that fills it makes no progress. */
  readonly stuck?: Saying;
  /** The requested storage class; absent if it takes the default. */
  readonly className?: string;
  /** Its claim cannot be created. */
  readonly refused?: Saying;
  /** Its claim exists but gets no volume: the reason, which CDI passes on from the events of the claim. */
  readonly unprovided?: string;
  readonly createdAt?: string;
  /** Its claim has a volume. */
  readonly bound?: true;
  /** How often that pod has failed before. */
  readonly restarts?: number;
}

/** The reasons that KubeVirt treats as errors; other reasons (ContainerCreating, Completed) are stages. */
const stuckReasons = new Set(['Error', 'ImagePullFailed']);
const refusedReasons = new Set(['ErrExceededQuota', 'ErrClaimNotValid', 'ClaimLost']);

export function dataVolumeFacts(object: unknown): DataVolumeFacts {
  const { metadata, spec, status } = fields(object);
  const { name, ownerReferences, creationTimestamp } = fields(metadata);
  const { phase, conditions, restartCount } = fields(status);
  const own = { name: text(name) ?? '', vm: ownerOf(ownerReferences), phase: text(phase, 64) };
  if (phase === 'Succeeded') return known<DataVolumeFacts>(own);
  const restarts = count(restartCount);
  return known<DataVolumeFacts>({
    ...own,
    className: text(fields(fields(spec)['storage'] ?? fields(spec)['pvc'])['storageClassName']),
    unprovided: unprovidedIn(conditions),
    createdAt: text(creationTimestamp, 40),
    bound: saying(conditions, 'Bound', 'True') === undefined ? undefined : true,
    stuck: only(stuckReasons, saying(conditions, 'Running', 'False')),
    refused: only(refusedReasons, saying(conditions, 'Bound', 'False') ?? unknownBound(conditions)),
    restarts: restarts === 0 ? undefined : restarts,
  });
}

/**
 * Adds the newest event of its claim, which every version of Kubernetes and CDI has. An event that is older than the
 * DataVolume is about another claim of that name.
 */
export function withClaimEvent(facts: DataVolumeFacts, event: ClaimEventFacts | undefined): DataVolumeFacts {
  const { phase, bound, unprovided, createdAt = '' } = facts;
  const isCurrent = phase !== 'Succeeded' && bound !== true && unprovided === undefined;
  return event !== undefined && isCurrent && event.at >= createdAt ? { ...facts, unprovided: event.message } : facts;
}

/**
 * CDI 1.63 and later reports the newest event of the claim, or of the claim that is filled in its place. Most events
 * are no trouble.
 */
function unprovidedIn(conditions: unknown): string | undefined {
  const { reason, message = '' } = saying(conditions, 'Bound', 'False') ?? {};
  const said = message.replace(/^target PVC \S+ Pending and (?:\[[^\]]*\] : )?/, '');
  return reason === 'Pending' && isProvisioningFailure(said) ? said : undefined;
}

const provisioningFailures = [/failed to provision volume/i, /storageclass\S* "[^"]*" not found/i];

export function isProvisioningFailure(message: string): boolean {
  return provisioningFailures.some((one) => one.test(message));
}

/** CDI reports Bound as Unknown for a claim that it could not create. */
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
