/**
 * `LedgerTable` maps keys to texts for hundreds of thousands of entries. As JavaScript strings in a Map they would take
 * twice the memory, and the garbage collector would visit each of them repeatedly and let the heap grow in proportion.
 * Here they are bytes in a few blocks and numbers in typed arrays.
 */
import { LedgerSlabs } from './ledger-slabs.ts';

const free = -1;
const empty = 0;
const deleted = -1;

export class LedgerTable {
  /** By hash of the key: the id of the entry plus one. */
  #slots = new Int32Array(16);
  /** By id, which is stable: the entry's place, the hash of its key, and the last list that showed it. */
  #places = new Int32Array(8);
  #hashes = new Int32Array(8);
  #marks = new Uint32Array(8);
  #numbers = 0;
  #freed: number[] = [];
  #size = 0;
  /** Slots that are not empty, deleted ones included: a search skips those. */
  #taken = 0;
  readonly #slabs = new LedgerSlabs({
    placeOf: (id) => this.#places[id] ?? free,
    moved: (id, to) => (this.#places[id] = to),
  });

  get size(): number {
    return this.#size;
  }

  /** The memory it takes, except for a few objects. */
  get bytes(): number {
    return this.#slabs.bytes + this.#slots.byteLength + 3 * this.#places.byteLength;
  }

  get(key: string): string | undefined {
    const id = this.#find(key, hashOf(key));
    return id === undefined ? undefined : this.#slabs.textAt(this.#places[id] ?? free);
  }

  /** Throws unless both are well-formed: encoded as bytes, anything else would not compare equal. */
  set(key: string, text: string): void {
    if (!key.isWellFormed() || !text.isWellFormed())
      throw new Error('keys and texts of a ledger must be well-formed Unicode');
    const hash = hashOf(key);
    const known = this.#find(key, hash);
    if (known !== undefined && this.#slabs.rewrite(this.#places[known] ?? free, text)) return;
    const id = known ?? this.#insert(hash);
    const place = this.#slabs.add(id, key, text);
    // Read only now: the allocation may have moved the old record.
    const before = this.#places[id] ?? free;
    this.#places[id] = place;
    if (before !== free) this.#slabs.drop(before);
  }

  delete(key: string): void {
    const hash = hashOf(key);
    const slot = this.#slotOf(key, hash);
    if (slot === undefined) return;
    const id = (this.#slots[slot] ?? empty) - 1;
    const place = this.#places[id] ?? free;
    this.#slots[slot] = deleted;
    this.#places[id] = free;
    this.#freed.push(id);
    this.#size--;
    this.#slabs.drop(place);
  }

  /** Marks the entry as shown by the list. Returns false when there is no entry or it was marked already. */
  mark(key: string, list: number): boolean {
    const id = this.#find(key, hashOf(key));
    if (id === undefined || this.#marks[id] === list) return false;
    this.#marks[id] = list;
    return true;
  }

  /** Removes the mark. Returns false when there was none. */
  unmark(key: string, list: number): boolean {
    const id = this.#find(key, hashOf(key));
    if (id === undefined || this.#marks[id] !== list) return false;
    this.#marks[id] = 0;
    return true;
  }

  /** All keys, or those of the entries that this list did not show. */
  keys(notIn?: number): string[] {
    const keys: string[] = [];
    for (let id = 0; id < this.#numbers; id++) {
      const place = this.#places[id] ?? free;
      if (place !== free && this.#marks[id] !== notIn) keys.push(this.#slabs.keyAt(place));
    }
    return keys;
  }

  /**
   * Entries that are added or deleted during the iteration may or may not appear; every other entry appears exactly
   * once.
   */
  *entries(): Generator<readonly [key: string, text: string]> {
    for (let id = 0, last = this.#numbers; id < last; id++) {
      const place = this.#places[id] ?? free;
      if (place !== free) yield [this.#slabs.keyAt(place), this.#slabs.textAt(place)];
    }
  }

  clear(): void {
    this.#slabs.clear();
    this.#slots = new Int32Array(16);
    this.#places = new Int32Array(8);
    this.#hashes = new Int32Array(8);
    this.#marks = new Uint32Array(8);
    this.#freed = [];
    this.#numbers = this.#size = this.#taken = 0;
  }

  #find(key: string, hash: number): number | undefined {
    const slot = this.#slotOf(key, hash);
    return slot === undefined ? undefined : (this.#slots[slot] ?? empty) - 1;
  }

  #slotOf(key: string, hash: number): number | undefined {
    const last = this.#slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const number = this.#slots[slot] ?? empty;
      if (number === empty) return undefined;
      if (number === deleted || this.#hashes[number - 1] !== hash) continue;
      if (this.#slabs.keyAt(this.#places[number - 1] ?? free) === key) return slot;
    }
  }

  #insert(hash: number): number {
    if ((this.#taken + 1) * 4 > this.#slots.length * 3) this.#rehash();
    const id = this.#freed.pop() ?? this.#numbers++;
    if (id >= this.#places.length) this.#extend();
    this.#places[id] = free;
    this.#hashes[id] = hash;
    this.#marks[id] = 0;
    this.#occupy(hash, id);
    this.#size++;
    return id;
  }

  #occupy(hash: number, id: number): void {
    const last = this.#slots.length - 1;
    let slot = hash & last;
    while (this.#slots[slot] !== empty) slot = (slot + 1) & last;
    this.#slots[slot] = id + 1;
    this.#taken++;
  }

  /** Doubles the table, or keeps its size when most of its slots are deleted. */
  #rehash(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(this.#size * 2 >= before.length ? before.length * 2 : before.length);
    this.#taken = 0;
    for (const number of before)
      if (number !== empty && number !== deleted) this.#occupy(this.#hashes[number - 1] ?? 0, number - 1);
  }

  #extend(): void {
    const length = Math.ceil(this.#places.length * 1.5);
    this.#places = copied(new Int32Array(length), this.#places);
    this.#hashes = copied(new Int32Array(length), this.#hashes);
    this.#marks = copied(new Uint32Array(length), this.#marks);
  }
}

function copied<A extends Int32Array | Uint32Array>(to: A, from: A): A {
  to.set(from);
  return to;
}

/** FNV-1a with a final mix: names differ in their last characters, and only the low bits choose the slot. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 0;
}
