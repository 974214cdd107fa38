/** A moment without faults and writes, at which all writers, caches and the server must agree. */
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import type { Connection } from '../sandbox/connection.ts';
import type { Cache, Place } from './cache.ts';
import { kinds } from './kinds.ts';
import { scenePrefix } from './scenes.ts';
import type { World } from './world.ts';
import { pause } from './world.ts';
import type { Writer } from './writer.ts';

interface List {
  readonly revision: number;
  readonly items: readonly KubeObject[];
}

export async function readList(connection: Connection, { path, selector }: Place): Promise<List> {
  const query = selector === undefined ? '' : `?labelSelector=${encodeURIComponent(selector)}`;
  const { parts } = await connection.must({ method: 'GET', path: `${path}${query}` });
  const list = JSON.parse(Buffer.concat(parts).toString()) as JsonObject & { items: KubeObject[] };
  const { resourceVersion } = list['metadata'] as { resourceVersion: string };
  return { revision: Number(resourceVersion), items: list.items };
}

/** Compares the server with the answers that the writers received, and ends their doubts. */
export async function checkWrites(world: World, connection: Connection, writers: readonly Writer[]): Promise<void> {
  const found = new Map<string, KubeObject>();
  for (const kind of kinds) {
    const { items, revision } = await readList(connection, { path: kind.all });
    for (const item of items) found.set(`${kind.kind} ${item.metadata.namespace}/${item.metadata.name}`, item);
    if (revision < world.revision) {
      world.violations.add(`the server is at ${revision}, and a write was acknowledged at ${world.revision}`);
      world.revision = revision;
    }
  }
  for (const subject of writers.flatMap((writer) => writer.subjects)) {
    const doubtful = subject.belief.model === undefined;
    const complaint = subject.belief.settle(found.get(subject.key));
    subject.quarantined = false;
    if (complaint !== undefined)
      world.violations.add(`${subject.key} at a quiet point${doubtful ? ', after a doubt' : ''}: ${complaint}`);
  }
}

/** Waits until each cache has the server's state. The rest of a namespace may still be terminating meanwhile. */
export async function checkCaches(
  world: World,
  connection: Connection,
  caches: readonly Cache[],
  patience: number,
): Promise<void> {
  const deadline = performance.now() + patience;
  let behind = [...caches];
  while (behind.length > 0) {
    const late = performance.now() > deadline;
    const still: Cache[] = [];
    for (const cache of behind) {
      const { items, revision } = await readList(connection, cache.place);
      const differences = cache.contents.differences(items);
      if (differences.length === 0) continue;
      if (!late) still.push(cache);
      else
        world.violations.add(
          `${cache.title} (at ${cache.contents.revision}) differs at ${revision}: ${differences.join('; ')}`,
        );
    }
    behind = still;
    if (behind.length > 0) await pause(50);
  }
}

/** Checks that nothing of a scene remains after the last scene has ended. */
export async function checkScenes(world: World, connection: Connection): Promise<void> {
  for (const path of ['/api/v1/namespaces', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions']) {
    const { items } = await readList(connection, { path });
    const left = items.map(({ metadata }) => metadata.name ?? '').filter((name) => name.includes(scenePrefix));
    if (left.length > 0) world.violations.add(`${path} still has ${left.join(', ')}`);
  }
}
