/**
 * The VolumeSnapshotClasses of a cluster. Most clusters do not serve the kind and a watch would fail forever, so they
 * are polled.
 */
import type { Client } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

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
    // The next call asks again; current callers get the error.
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
