/**
 * `deleteInOrder` deletes children step by step: a step begins when nothing of the previous one is left. It does not
 * wait: the reconciler reports what it waits for and is called again when something changes.
 */
import { defined } from '@ssvirt/base/values/defined';
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
  /** For display: "disks", "virtual machine". */
  readonly name: string;
  /** What still exists, from the cache or a list; when it is empty the step is done. */
  readonly left: () => readonly Doomed[] | Promise<readonly Doomed[]>;
  readonly options?: Pick<DeleteOptions, 'propagationPolicy' | 'gracePeriodSeconds'>;
}

export type Removal =
  | { readonly done: true }
  | {
      readonly done: false;
      readonly waitingFor: string;
      readonly left: readonly string[];
      /** For the condition Ready, when something other than the remaining objects blocks the step. */
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

/** Whether it is gone for good. The uid precondition protects a new object of the same name. */
async function deleted(client: Client, { type, object }: Doomed, options: DeleteOptions): Promise<boolean> {
  if (isDeleting(object)) return false;
  const { uid } = object.metadata;
  try {
    const answer = await client.delete(type, keyOfObject(object), {
      ...options,
      ...defined({ uid }),
    });
    return answer.gone;
  } catch (error) {
    if (isNotFound(error)) return true;
    // Another object has this name now: the cache will show it soon, and the step runs again.
    if (isConflict(error)) return false;
    throw error;
  }
}
