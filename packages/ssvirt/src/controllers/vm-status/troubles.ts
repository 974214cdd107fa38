/**
 * `Troubles` measures how long each VM has had its current trouble. A fault counts as a failure only when it lasts
 * (kubevirt.md lists the times), so a VM in trouble is checked again at that time even if nothing changes.
 */
import type { Clock, Timer } from '@ssvirt/kube/clock';

interface Trouble {
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

  ageMs(cluster: string, key: string, word: string): number {
    const known = this.#troubles.get(`${cluster} ${key}`);
    return known?.word === word ? this.#clock.now() - known.since : 0;
  }

  /** Without a word the VM is healthy. */
  note(cluster: string, key: string, word: string | undefined, recheckAfterMs: number | undefined): void {
    const id = `${cluster} ${key}`;
    const known = this.#troubles.get(id);
    known?.timer?.cancel();
    if (word === undefined) {
      this.#troubles.delete(id);
      return;
    }
    const trouble: Trouble = { word, since: known?.word === word ? known.since : this.#clock.now() };
    if (recheckAfterMs !== undefined)
      trouble.timer = this.#clock.after(recheckAfterMs, () => this.#lookAgain(cluster, key));
    this.#troubles.set(id, trouble);
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
