/**
 * `Heap` is a binary heap whose members store their position, so that any of them can be moved or removed in O(log n).
 */

export interface HeapMember {
  /** The position in the heap; -1 outside. A member is in at most one heap, and only the heap writes this. */
  slot: number;
}

export class Heap<T extends HeapMember> {
  readonly #members: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#members.length;
  }

  peek(): T | undefined {
    return this.#members[0];
  }

  push(member: T): void {
    this.#members.push(member);
    this.#rise(member, this.#members.length - 1);
  }

  pop(): T | undefined {
    const first = this.#members[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  remove(member: T): void {
    const { slot } = member;
    const last = this.#members.pop();
    member.slot = -1;
    if (last === undefined || last === member) return;
    this.#rise(last, slot);
    this.#sink(last, last.slot);
  }

  /** The member's rank has changed. */
  moved(member: T): void {
    this.#rise(member, member.slot);
    this.#sink(member, member.slot);
  }

  #rise(member: T, from: number): void {
    let slot = from;
    while (slot > 0) {
      const above = (slot - 1) >> 1;
      const parent = this.#members[above];
      if (parent === undefined || !this.#before(member, parent)) break;
      this.#put(parent, slot);
      slot = above;
    }
    this.#put(member, slot);
  }

  #sink(member: T, from: number): void {
    let slot = from;
    for (;;) {
      const child = this.#firstChild(slot);
      if (child === undefined || !this.#before(child, member)) break;
      const below = child.slot;
      this.#put(child, slot);
      slot = below;
    }
    this.#put(member, slot);
  }

  #firstChild(slot: number): T | undefined {
    const left = this.#members[2 * slot + 1];
    const right = this.#members[2 * slot + 2];
    if (left === undefined || right === undefined) return left;
    return this.#before(right, left) ? right : left;
  }

  #put(member: T, slot: number): void {
    this.#members[slot] = member;
    member.slot = slot;
  }
}
