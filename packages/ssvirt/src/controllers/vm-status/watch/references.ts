/** `References` is a reverse index: who refers to what. Without it each event would need a search through all VMs. */

export class References {
  /** Most targets have one user, and a Set takes many times the memory of a string. */
  readonly #users = new Map<string, string | Set<string>>();

  get size(): number {
    return this.#users.size;
  }

  of(target: string): readonly string[] {
    const users = this.#users.get(target);
    if (users === undefined) return [];
    return typeof users === 'string' ? [users] : [...users];
  }

  add(target: string, user: string): void {
    const users = this.#users.get(target);
    if (users === undefined || users === user) this.#users.set(target, user);
    else if (typeof users === 'string') this.#users.set(target, new Set([users, user]));
    else users.add(user);
  }

  remove(target: string, user: string): void {
    const users = this.#users.get(target);
    if (users === user) this.#users.delete(target);
    if (!(users instanceof Set)) return;
    users.delete(user);
    if (users.size === 0) this.#users.delete(target);
  }
}
