/** How many migrations run at once: so many in the cluster, and so many away from a node. */
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';
import { targetOf, unfinished, vmiOf, type Caches } from './caches.ts';
import type { MigrationConfiguration } from './configuration.ts';
import { hasTarget, stateOf } from './state.ts';

/** Under way, or about to be: a target pod is there. */
export function running(caches: Caches): readonly VirtualMachineInstanceMigration[] {
  return unfinished(caches).filter((migration) => {
    if (hasTarget(migration)) return true;
    const vmi = vmiOf(caches, migration);
    return vmi !== undefined && targetOf(caches, migration, vmi) !== undefined;
  });
}

export function leaves(vmi: VirtualMachineInstance | undefined, node: string): boolean {
  return vmi?.status?.nodeName === node || (vmi !== undefined && stateOf(vmi)?.sourceNode === node);
}

/** Those whose target pod is being made: nothing shows them yet. */
export class Slots {
  readonly #taken = new Map<string, string>();

  /** False where as many run as may. What was taken is released by the caller. */
  take(caches: Caches, { perCluster, perNode }: MigrationConfiguration, uid: string, node: string): boolean {
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
