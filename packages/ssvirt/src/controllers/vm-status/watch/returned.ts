/**
 * VMs that exist although their row says DELETED. Usually that is late news of a VM that is gone. But a cluster that
 * was restored from a backup contains deleted VMs again, with their old uid. So the cluster is asked, whose own answer
 * is never late, and only then is the row restored.
 */
import type { Logger } from 'pino';
import type { Client } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import { parseKey } from '@ssvirt/kube/object';
import { virtualMachines } from '../../../fleet/kinds.ts';
import type { Mark } from '../write/pending.ts';

export interface ReturnedParts {
  readonly clientOf: (cluster: string) => Client | undefined;
  /** Called for a VM that was confirmed and is to be written as returned. */
  readonly found: (mark: Mark) => void;
  readonly concurrency: number;
  readonly log: Logger;
}

type Place = Pick<Mark, 'cluster' | 'key'>;

export class Returned {
  readonly #parts: ReturnedParts;
  readonly #waiting = new Map<string, { readonly mark: Mark; readonly uid: string }>();
  /** The uid of each VM that its cluster has confirmed. */
  readonly #confirmed = new Map<string, string>();
  readonly #asking = new Set<Promise<void>>();

  constructor(parts: ReturnedParts) {
    this.#parts = parts;
  }

  has(place: Place, uid: string): boolean {
    return this.#confirmed.get(idOf(place)) === uid;
  }

  ask(mark: Mark, uid: string): void {
    this.#waiting.set(idOf(mark), { mark, uid });
    if (this.#asking.size >= this.#parts.concurrency) return;
    const asking = this.#askAll().finally(() => this.#asking.delete(asking));
    this.#asking.add(asking);
  }

  /** Call it when the VM is gone again. */
  forget(place: Place): void {
    this.#confirmed.delete(idOf(place));
  }

  async stop(): Promise<void> {
    this.#waiting.clear();
    await Promise.all(this.#asking);
    this.#confirmed.clear();
  }

  async #askAll(): Promise<void> {
    for (const [id, { mark, uid }] of this.#waiting) {
      this.#waiting.delete(id);
      if (!(await this.#isThere(mark, uid))) continue;
      const { namespace, name } = parseKey(mark.key);
      this.#parts.log.warn(
        { cluster: mark.cluster, namespace, vm: name, uid },
        'deleted VM exists again, its cluster was restored',
      );
      this.#confirmed.set(id, uid);
      this.#parts.found(mark);
    }
  }

  async #isThere({ cluster, key }: Mark, uid: string): Promise<boolean> {
    try {
      const vm = await this.#parts.clientOf(cluster)?.get(virtualMachines, parseKey(key), { metadataOnly: true });
      return vm?.metadata.uid === uid && vm.metadata.deletionTimestamp === undefined;
    } catch (error) {
      // The next event of the VM, or the next resync, asks again.
      if (!isNotFound(error)) this.#parts.log.warn({ err: error, cluster }, 'cannot read VM');
      return false;
    }
  }
}

function idOf({ cluster, key }: Place): string {
  return `${cluster} ${key}`;
}
