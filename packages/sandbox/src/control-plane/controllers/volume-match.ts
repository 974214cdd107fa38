/** Decides which volume a claim gets, and the resulting phase, as pure functions. */
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { objectAt, textAt, textsAt } from '../../objects/kinds/values/fields.ts';
import { compareQuantity, parseQuantity, ZERO_QUANTITY, type Quantity } from '../../objects/schema/quantity.ts';
import { selectsLabels } from '@ssvirt/kube/label-selector';

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

const specOf = (object: KubeObject): JsonObject | undefined => objectAt(object, 'spec');

export function classOf(object: KubeObject): string {
  return object.metadata.annotations?.[CLASS_ANNOTATION] ?? textAt(specOf(object), 'storageClassName');
}

export function phaseOf(object: KubeObject): string {
  return textAt(objectAt(object, 'status'), 'phase');
}

/** `namespace/name` of the claim that a volume is reserved for; undefined when any claim may use it. */
export function claimKeyOf(volume: KubeObject): string | undefined {
  const reference = objectAt(specOf(volume), 'claimRef');
  return reference === undefined ? undefined : `${textAt(reference, 'namespace')}/${textAt(reference, 'name')}`;
}

/** `isFor` returns whether a volume is reserved for this claim. It is not when it names an earlier claim with the same name. */
export function isFor(volume: KubeObject, claim: KubeObject): boolean {
  const reference = objectAt(specOf(volume), 'claimRef');
  if (claimKeyOf(volume) !== `${claim.metadata.namespace ?? ''}/${claim.metadata.name ?? ''}`) return false;
  const uid = textAt(reference, 'uid');
  return uid === '' || uid === claim.metadata.uid;
}

function storageOf(of: JsonObject | undefined): Quantity {
  return parseQuantity(textAt(of, 'storage')) ?? ZERO_QUANTITY;
}

const modeOf = (object: KubeObject): string => textAt(specOf(object), 'volumeMode') || 'Filesystem';

export function fits(claim: KubeObject, volume: KubeObject): boolean {
  const wanted = specOf(claim);
  const offered = specOf(volume);
  const asked = objectAt(objectAt(wanted, 'resources'), 'requests');
  const selector = objectAt(wanted, 'selector');
  const modes = textsAt(offered, 'accessModes');
  return (
    classOf(claim) === classOf(volume) &&
    modeOf(claim) === modeOf(volume) &&
    textsAt(wanted, 'accessModes').every((mode) => modes.includes(mode)) &&
    compareQuantity(storageOf(objectAt(offered, 'capacity')), storageOf(asked)) >= 0 &&
    (selector === undefined || selectsLabels(selector, volume.metadata.labels))
  );
}

/** `smallestFit` returns the smallest free volume that fits. */
export function smallestFit(claim: KubeObject, volumes: Iterable<KubeObject>): KubeObject | undefined {
  let best: KubeObject | undefined;
  for (const volume of volumes) {
    if (volume.metadata.deletionTimestamp !== undefined || claimKeyOf(volume) !== undefined) continue;
    if (phaseOf(volume) !== 'Available' || !fits(claim, volume)) continue;
    const size = (one: KubeObject): Quantity => storageOf(objectAt(specOf(one), 'capacity'));
    if (best === undefined || compareQuantity(size(volume), size(best)) < 0) best = volume;
  }
  return best;
}

/** `volumePhase` returns the expected phase of a volume, given the claim that it names; undefined while they are being bound. */
export function volumePhase(
  volume: KubeObject,
  claim: KubeObject | undefined,
): 'Available' | 'Bound' | 'Released' | undefined {
  if (claimKeyOf(volume) === undefined) return 'Available';
  const uid = textAt(objectAt(specOf(volume), 'claimRef'), 'uid');
  if (claim === undefined || !isFor(volume, claim)) return uid === '' ? 'Available' : 'Released';
  return textAt(specOf(claim), 'volumeName') === volume.metadata.name && uid !== '' ? 'Bound' : undefined;
}
