/** The VolumeSnapshotClasses of a cluster. Most have no such kind: a watch would complain for ever, so they are asked for from time to time. */
import type { Client } from '../../../../kube/client/client.ts';
import { isNotFound } from '../../../../kube/errors.ts';
import type { Unstructured } from '../../../../kube/object.ts';
import type { ResourceType } from '../../../../kube/resource-type.ts';

const volumeSnapshotClasses: ResourceType = {
  group: 'snapshot.storage.k8s.io',
  version: 'v1',
  kind: 'VolumeSnapshotClass',
  plural: 'volumesnapshotclasses',
  namespaced: false,
};

const FRESH_MS = 10_000;

export function snapshotClassesOf(client: Client): () => Promise<readonly Unstructured[]> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<readonly Unstructured[]> = Promise.resolve([]);
  return () => {
    const now = performance.now();
    if (now - asked < FRESH_MS) return answer;
    asked = now;
    answer = list(client);
    // The next one asks again; whoever waits now is told.
    answer.catch(() => (asked = Number.NEGATIVE_INFINITY));
    return answer;
  };
}

async function list(client: Client): Promise<readonly Unstructured[]> {
  try {
    return (await client.list(volumeSnapshotClasses)).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
