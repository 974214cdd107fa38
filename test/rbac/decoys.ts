/** Objects that vanish while no watch is open: more than a process accepts as deleted without a request for each. */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { KubeObject, ObjectMeta } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { WitnessedCluster } from './witnessed-cluster.ts';
import type { Stage } from './stage.ts';

/** One more than it accepts. */
const many = 21;

export interface Decoy {
  readonly type: ResourceType<KubeObject>;
  readonly namespace?: string;
  readonly metadata?: Partial<ObjectMeta>;
  readonly rest?: object;
}

/** An instance that no node takes: it costs nothing. */
export const nowhere = {
  domain: { devices: {}, memory: { guest: '64Mi' } },
  nodeSelector: { 'not-a-node': 'true' },
} as const;

/**
 * They exist, the process knows them, and they are deleted while it is disconnected; then many are missing from its
 * list.
 */
export async function vanish(
  stage: Stage,
  { client, oblivion }: WitnessedCluster,
  decoys: readonly Decoy[] = [],
): Promise<void> {
  const before = new Map<string, number>();
  for (const { type } of decoys) before.set(type.plural, await stage.knows(type.plural));
  const each = decoys.flatMap((decoy) =>
    Array.from({ length: many }, (_, i) => ({ decoy, name: `decoy-${decoy.type.plural}-${i}` })),
  );
  for (const { decoy, name } of each) {
    const { type, namespace, metadata, rest } = decoy;
    const place = { name, ...defined({ namespace }) };
    await client.create(type, { metadata: { ...metadata, ...place }, ...rest });
  }
  for (const [plural, known] of before)
    await stage.until(`all ${plural} are known`, async () => (await stage.knows(plural)) >= known + many);
  oblivion.begin();
  await Promise.all(each.map(({ decoy, name }) => remove(stage, client, decoy, name)));
  oblivion.end();
  await stage.until('all is watched again', () => oblivion.isOver);
  for (const [plural, known] of before)
    await stage.until(`it is known which ${plural} are gone`, async () => (await stage.knows(plural)) <= known);
}

async function remove(stage: Stage, client: Client, { type, namespace }: Decoy, name: string): Promise<void> {
  const key = { name, ...defined({ namespace }) };
  await stage.until(`${type.kind} ${name} is gone`, async () => {
    try {
      await client.delete(type, key);
      // Deletes without waiting for finalizers.
      await client.patch(type, key, { type: 'merge', body: { metadata: { finalizers: null } } });
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  });
}
