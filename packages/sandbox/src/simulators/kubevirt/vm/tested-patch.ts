/** A JSON patch with tests of the values that it changes. */
import type { Client, JsonPatchOperation } from '@ssvirt/kube/client/client';
import { KubeError, isKind } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

/** The API server's message for a failed test; a refusal by validation has another one. */
const testFailed = 'the server rejected our request due to an error in our request';

/** `testedPatch` turns a failed test into a conflict: another writer was first, and the reconcile is retried. */
export async function testedPatch<T extends KubeObject>(
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
  type: ResourceType<T>,
  object: T,
  operations: readonly JsonPatchOperation[],
  subresource?: string,
): Promise<T> {
  const options = { signal, ...(subresource === undefined ? {} : { subresource }) };
  try {
    return await client.patch(type, keyOfObject(object), { type: 'json', operations }, options);
  } catch (error) {
    if (isKind(error, 'Invalid') && error.status?.message === testFailed)
      throw new KubeError('Conflict', error.message, { cause: error, code: 409 });
    throw error;
  }
}
