/**
 * Takes children away one step after the other: the next step begins when nothing of the one before is left. Nobody waits here; the
 * reconciler says what it waits for and is called again when something changes.
 */
import type { Client, DeleteOptions, RequestOptions } from '../client/client.ts';
import { isConflict, isNotFound } from '../errors.ts';
import { keyOf, keyOfObject, type KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import { isDeleting } from './finalizers.ts';

export interface Doomed {
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

export interface DeletionStep {
  /** For people: "disks", "virtual machine". */
  readonly name: string;
  /** What is still there, out of the cache or of a list; nothing means that the step is done. */
  readonly left: () => readonly Doomed[] | Promise<readonly Doomed[]>;
  readonly options?: Pick<DeleteOptions, 'propagationPolicy' | 'gracePeriodSeconds'>;
}

export type Removal =
  | { readonly done: true }
  | {
      readonly done: false;
      readonly waitingFor: string;
      readonly left: readonly string[];
      /** For the condition Ready, where it is held up by something else than what is left. */
      readonly reason?: string;
      readonly message?: string;
    };

export async function deleteInOrder(
  client: Client,
  steps: readonly DeletionStep[],
  options: RequestOptions = {},
): Promise<Removal> {
  for (const { name, left: find, options: how } of steps) {
    const left: string[] = [];
    for (const doomed of await find())
      if (!(await deleted(client, doomed, { ...how, ...options })))
        left.push(`${doomed.type.kind} ${keyOf(doomed.object.metadata)}`);
    if (left.length > 0) return { done: false, waitingFor: name, left };
  }
  return { done: true };
}

/** Whether it is gone for good. The uid sees to it that nobody's new object dies in the place of the old one. */
async function deleted(client: Client, { type, object }: Doomed, options: DeleteOptions): Promise<boolean> {
  if (isDeleting(object)) return false;
  const { uid } = object.metadata;
  try {
    const answer = await client.delete(type, keyOfObject(object), {
      ...options,
      ...(uid === undefined ? {} : { uid }),
    });
    return answer.gone;
  } catch (error) {
    if (isNotFound(error)) return true;
    // Another one stands under this name: the cache will say soon, and then the step looks again.
    if (isConflict(error)) return false;
    throw error;
  }
}
