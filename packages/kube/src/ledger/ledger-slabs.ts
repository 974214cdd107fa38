/**
 * `LedgerSlabs` stores records of a key and a text in blocks of bytes outside the JavaScript heap. Records are
 * appended; when a quarter of a block is garbage, its live records move to the newest block and it is freed. So at most
 * a quarter is wasted, whatever grows, shrinks or is deleted.
 */

interface Slab {
  readonly bytes: Buffer;
  /** The same memory, for headers. */
  readonly words: Uint32Array;
  used: number;
  live: number;
}

/** Four words: record length, key bytes, text bytes, id of the owner's entry. */
const headerBytes = 16;
const unit = 8;
/** Unused bytes that a record may keep after it shrinks, so that it does not move each time its text changes. */
const slack = 32;
const smallest = 4 * 1024;
const largest = 256 * 1024;
const unitsPerSlab = largest / unit;

export interface SlabOwner {
  /** The current place of the owner's record `id`. */
  placeOf(id: number): number;
  moved(id: number, to: number): void;
}

/** A place is a number below 2³¹: the number of the block and the offset in it. */
export class LedgerSlabs {
  readonly #owner: SlabOwner;
  readonly #slabs: (Slab | undefined)[] = [];
  readonly #unused: number[] = [];
  /** A freed block is an old object, which the garbage collector may not visit for minutes: a few are reused. */
  readonly #spares: Buffer[] = [];
  #newest = -1;
  #bytes = 0;

  constructor(owner: SlabOwner) {
    this.#owner = owner;
  }

  /** The size of all blocks, spare ones included. */
  get bytes(): number {
    return this.#bytes;
  }

  add(id: number, key: string, text: string): number {
    const keyBytes = Buffer.byteLength(key);
    const textBytes = Buffer.byteLength(text);
    const place = this.#room(headerBytes + keyBytes + textBytes);
    const { bytes, words } = this.#slab(place);
    const at = offsetOf(place);
    words[at / 4 + 1] = keyBytes;
    words[at / 4 + 2] = textBytes;
    words[at / 4 + 3] = id;
    bytes.write(key, at + headerBytes, keyBytes, 'utf8');
    bytes.write(text, at + headerBytes + keyBytes, textBytes, 'utf8');
    return place;
  }

  /** Overwrites the text in place. Returns false when it does not fit or would leave much of the record empty. */
  rewrite(place: number, text: string): boolean {
    const { bytes, words } = this.#slab(place);
    const at = offsetOf(place);
    const keyBytes = words[at / 4 + 1] ?? 0;
    const textBytes = Buffer.byteLength(text);
    const spare = (words[at / 4] ?? 0) - spanOf(headerBytes + keyBytes + textBytes);
    if (spare < 0 || spare > slack) return false;
    words[at / 4 + 2] = textBytes;
    bytes.write(text, at + headerBytes + keyBytes, textBytes, 'utf8');
    return true;
  }

  keyAt(place: number): string {
    const { bytes, words } = this.#slab(place);
    const from = offsetOf(place) + headerBytes;
    return bytes.toString('utf8', from, from + (words[offsetOf(place) / 4 + 1] ?? 0));
  }

  textAt(place: number): string {
    const { bytes, words } = this.#slab(place);
    const at = offsetOf(place);
    const from = at + headerBytes + (words[at / 4 + 1] ?? 0);
    return bytes.toString('utf8', from, from + (words[at / 4 + 2] ?? 0));
  }

  /** Frees the record. The owner must no longer use the place. */
  drop(place: number): void {
    const slab = this.#slab(place);
    slab.live -= slab.words[offsetOf(place) / 4] ?? 0;
    const index = Math.floor(place / unitsPerSlab);
    if (index !== this.#newest) this.#tidy(index);
  }

  clear(): void {
    this.#slabs.length = this.#unused.length = this.#spares.length = this.#bytes = 0;
    this.#newest = -1;
  }

  #slab(place: number): Slab {
    const slab = this.#slabs[Math.floor(place / unitsPerSlab)];
    if (slab === undefined) throw new Error('the block of a ledger record is missing');
    return slab;
  }

  #room(needed: number): number {
    const span = spanOf(needed);
    let slab = this.#slabs[this.#newest];
    if (slab === undefined || slab.used + span > slab.bytes.length) slab = this.#grow(span);
    const place = this.#newest * unitsPerSlab + slab.used / unit;
    slab.words[slab.used / 4] = span;
    slab.used += span;
    slab.live += span;
    return place;
  }

  /** A ledger of few objects gets small blocks: there may be hundreds of ledgers. */
  #grow(span: number): Slab {
    const before = this.#newest;
    const proportional = 2 ** Math.ceil(Math.log2(this.#bytes / 4 + 1));
    const size = Math.max(span, Math.min(largest, Math.max(smallest, proportional)));
    const spare = size === largest ? this.#spares.pop() : undefined;
    const bytes = spare ?? Buffer.allocUnsafeSlow(size);
    const slab = { bytes, words: new Uint32Array(bytes.buffer, 0, size / 4), used: 0, live: 0 };
    this.#newest = this.#unused.pop() ?? this.#slabs.length;
    this.#slabs[this.#newest] = slab;
    if (spare === undefined) this.#bytes += size;
    if (before >= 0) this.#tidy(before);
    const newest = this.#slabs[this.#newest];
    return newest !== undefined && newest.used + span <= newest.bytes.length ? newest : this.#grow(span);
  }

  #tidy(index: number): void {
    const slab = this.#slabs[index];
    if (slab === undefined || slab.live * 4 > slab.used * 3) return;
    for (let at = 0; at < slab.used && slab.live > 0; at += slab.words[at / 4] ?? slab.used)
      this.#move(slab, at, index * unitsPerSlab + at / unit);
    this.#slabs[index] = undefined;
    this.#unused.push(index);
    this.#let(slab.bytes);
  }

  #let(bytes: Buffer): void {
    const inUse = this.#slabs.length - this.#unused.length;
    if (bytes.length === largest && this.#spares.length <= inUse / 16) this.#spares.push(bytes);
    else this.#bytes -= bytes.length;
  }

  #move(slab: Slab, at: number, from: number): void {
    const span = slab.words[at / 4] ?? 0;
    const id = slab.words[at / 4 + 3] ?? 0;
    if (this.#owner.placeOf(id) !== from) return;
    const to = this.#room(span);
    slab.bytes.copy(this.#slab(to).bytes, offsetOf(to), at, at + span);
    slab.live -= span;
    this.#owner.moved(id, to);
  }
}

const offsetOf = (place: number): number => (place % unitsPerSlab) * unit;
const spanOf = (bytes: number): number => Math.ceil(bytes / unit) * unit;
