/**
 * Records of a key and a text in blocks of bytes, outside of the JavaScript heap. They are written one behind the other; a block of which a quarter is
 * garbage gives its records to the newest one and is let go of, so that at most that much is wasted whatever becomes longer, shorter or is deleted.
 */

interface Slab {
  readonly bytes: Buffer;
  /** The same bytes, for headers. */
  readonly words: Uint32Array;
  used: number;
  live: number;
}

/** Four words: how long it is, the bytes of the key, those of the text, and whose it is. */
const headerBytes = 16;
const unit = 8;
/** What a record that became shorter may leave empty, so that it need not move each time that a word in it changes. */
const slack = 32;
const smallest = 4 * 1024;
const largest = 256 * 1024;
const unitsPerSlab = largest / unit;

export interface SlabOwner {
  /** Where this record of that owner's stands now. */
  placeOf(id: number): number;
  moved(id: number, to: number): void;
}

/** A place is a number below 2³¹: that of the block, and the offset in it. */
export class LedgerSlabs {
  readonly #owner: SlabOwner;
  readonly #slabs: (Slab | undefined)[] = [];
  readonly #unused: number[] = [];
  /** A block that was let go of is an old object to the garbage collector, which may not look for minutes: a few are used again. */
  readonly #spares: Buffer[] = [];
  #newest = -1;
  #bytes = 0;

  constructor(owner: SlabOwner) {
    this.#owner = owner;
  }

  /** What all blocks take, also those that are kept to be used again. */
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

  /** Puts another text in its place; false where it does not fit, or would leave much of it empty. */
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

  /** Nobody's any more. The owner must have let go of the place. */
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
    if (slab === undefined) throw new Error('a record of a ledger stands in no block');
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

  /** A ledger of few objects has small blocks: there may be hundreds of them. */
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
