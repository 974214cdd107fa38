/** Waits until every Widget is up to date: on the server, in the caches, and in the reconcilers' record. */
import { isDeepStrictEqual } from 'node:util';
import { keyOf, type KubeObject } from '../../../packages/kube/src/object.ts';
import type { Harness } from '../harness.ts';
import { until } from '../until.ts';
import { widgets } from '../widget.ts';
import type { WorkRecord } from './record.ts';
import type { Replica } from './replica.ts';
import type { Writer } from './writer.ts';

const deadlineMs = 60_000;

export interface Settling {
  readonly harness: Harness;
  readonly namespace: string;
  readonly writer: Writer;
  readonly record: WorkRecord;
  readonly replicas: readonly Replica[];
  /** The time when the fault was over. */
  readonly since: number;
  /** False if leadership changes: a new leader does not know the objects that were deleted before it. */
  readonly deletions?: boolean;
}

/** Resolves to the time since the fault was over. */
export async function settle({
  harness,
  namespace,
  writer,
  record,
  replicas,
  since,
  deletions = true,
}: Settling): Promise<number> {
  let missing: unknown;
  const look = async (): Promise<boolean> => {
    const { items } = await harness.direct.list(widgets, { namespace });
    const late = items.filter(({ spec, status }) => status?.seen !== spec?.size).map(({ metadata }) => metadata.name);
    const unseen = [...writer.deleted].filter((name) => record.believesIn(`${namespace}/${name}`));
    const expected = versionsOf(items);
    const caches = replicas.filter(
      ({ informer }) => !isDeepStrictEqual(versionsOf(informer.list(namespace)), expected),
    );
    missing = { late, unseen, staleCaches: caches.length, health: replicas.map(({ informer }) => informer.health()) };
    return late.length === 0 && (unseen.length === 0 || !deletions) && caches.length === 0;
  };
  try {
    await until('every widget is as it should be', look, { deadlineMs, everyMs: 40 });
  } catch (error) {
    throw new Error(`not recovered in ${deadlineMs} ms: ${JSON.stringify(missing)}`, { cause: error });
  }
  return performance.now() - since;
}

function versionsOf(objects: readonly Pick<KubeObject, 'metadata'>[]): string[] {
  return objects.map(({ metadata }) => `${keyOf(metadata)} ${metadata.uid} ${metadata.resourceVersion}`).sort();
}
