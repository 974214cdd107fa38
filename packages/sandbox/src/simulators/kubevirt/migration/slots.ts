/** Limits how many migrations run at once, in the cluster and per source node. */
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';
import { targetOf, unfinished, vmiOf, type MigrationCaches } from './caches.ts';
import type { MigrationConfiguration } from './configuration.ts';
import { hasTarget, stateOf } from './state.ts';

/** Migrations that run or are about to: their target pod exists. */
export function running(caches: MigrationCaches): readonly VirtualMachineInstanceMigration[] {
  return unfinished(caches).filter((migration) => {
    if (hasTarget(migration)) return true;
    const vmi = vmiOf(caches, migration);
    return vmi !== undefined && targetOf(caches, migration, vmi) !== undefined;
  });
}

export function leaves(vmi: VirtualMachineInstance | undefined, node: string): boolean {
  return vmi?.status?.nodeName === node || (vmi !== undefined && stateOf(vmi)?.sourceNode === node);
}

/** `Slots` also counts migrations whose target pod is being created and not yet in the cache. */
export class Slots {
  readonly #taken = new Map<string, string>();

  /** Returns false if a limit is reached. The caller must release what it took. */
  take(caches: MigrationCaches, { perCluster, perNode }: MigrationConfiguration, uid: string, node: string): boolean {
    const others = running(caches).filter(({ metadata }) => !this.#taken.has(metadata.uid ?? ''));
    if (others.length + this.#taken.size >= perCluster) return false;
    const leaving = others.filter((migration) => leaves(vmiOf(caches, migration), node)).length;
    const taken = [...this.#taken.values()].filter((from) => from === node).length;
    if (leaving + taken >= perNode) return false;
    this.#taken.set(uid, node);
    return true;
  }

  release(uid: string): void {
    this.#taken.delete(uid);
  }
}
