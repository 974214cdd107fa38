/**
 * `Troubles` measures how long each VM has had its current trouble. A fault counts as a failure only when it lasts
 * (kubevirt.md lists the times), so a VM in trouble is checked again at that time even if nothing changes.
 */
import type { Clock, Timer } from '@ssvirt/kube/clock';
import type { TroubledVm } from '../../db/observations/contracts.ts';

interface Vm {
  readonly cluster: string;
  readonly key: string;
  /** Another VM of the same name has its own troubles. */
  readonly uid: string;
}

interface Trouble {
  readonly uid: string;
  readonly word: string;
  readonly since: number;
  timer?: Timer;
}

export class Troubles {
  readonly #clock: Clock;
  readonly #lookAgain: (cluster: string, key: string) => void;
  readonly #troubles = new Map<string, Trouble>();

  constructor(clock: Clock, lookAgain: (cluster: string, key: string) => void) {
    this.#clock = clock;
    this.#lookAgain = lookAgain;
  }

  get size(): number {
    return this.#troubles.size;
  }

  /** Continues with what an earlier leader has recorded; it ends as soon as the VM is written without it. */
  recall(recorded: readonly TroubledVm[]): void {
    for (const { cluster, namespace, name, uid, trouble, ageMs } of recorded) {
      const id = `${cluster} ${namespace}/${name}`;
      if (!this.#troubles.has(id)) this.#troubles.set(id, { uid, word: trouble, since: this.#clock.now() - ageMs });
    }
  }

  ageMs({ cluster, key, uid }: Vm, word: string): number {
    const known = this.#troubles.get(`${cluster} ${key}`);
    return known?.uid === uid && known.word === word ? this.#clock.now() - known.since : 0;
  }

  note({ cluster, key, uid }: Vm, word: string, recheckAfterMs: number | undefined): void {
    const since = this.#clock.now() - this.ageMs({ cluster, key, uid }, word);
    this.end(cluster, key);
    const trouble: Trouble = { uid, word, since };
    if (recheckAfterMs !== undefined)
      trouble.timer = this.#clock.after(recheckAfterMs, () => this.#lookAgain(cluster, key));
    this.#troubles.set(`${cluster} ${key}`, trouble);
  }

  /** The VM is healthy or gone. */
  end(cluster: string, key: string): void {
    const id = `${cluster} ${key}`;
    this.#troubles.get(id)?.timer?.cancel();
    this.#troubles.delete(id);
  }

  forget(cluster: string): void {
    for (const [id, { timer }] of this.#troubles) {
      if (!id.startsWith(`${cluster} `)) continue;
      timer?.cancel();
      this.#troubles.delete(id);
    }
  }

  stop(): void {
    for (const { timer } of this.#troubles.values()) timer?.cancel();
    this.#troubles.clear();
  }
}
