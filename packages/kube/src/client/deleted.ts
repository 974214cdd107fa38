/** Interprets the answer to a DELETE. */
import type { Status } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import type { Deleted } from './client.ts';

interface Dying extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly deletionGracePeriodSeconds?: number };
}

/**
 * Custom resources answer with a Status once they are gone. Some built-in kinds (Service, PersistentVolumeClaim …)
 * answer with the last state of the object whether it is gone or held; only its finalizers and grace period tell which.
 */
export function deletedOf<T extends KubeObject>(answer: Status | T): Deleted<T> {
  if (isStatus(answer)) {
    const uid = answer.details?.uid;
    return { gone: true, ...(uid !== undefined && { uid }) };
  }
  const { metadata } = answer as Dying;
  const dying = metadata.deletionTimestamp !== undefined;
  const held = (metadata.finalizers ?? []).length > 0 || metadata.deletionGracePeriodSeconds !== 0;
  if (dying && held) return { gone: false, object: answer };
  return { gone: true, ...(metadata.uid !== undefined && { uid: metadata.uid }) };
}

function isStatus(answer: Status | KubeObject): answer is Status {
  // No served kind has this name.
  return answer.kind === 'Status';
}
