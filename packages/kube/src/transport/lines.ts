/**
 * `Lines` splits chunks into lines. A chunk may end anywhere, even inside a character: a line is decoded only once it
 * is complete.
 */

export class Lines {
  /** The pieces of the incomplete line; they are joined only once. */
  #pieces: Buffer[] = [];
  #unfinished = 0;

  /** The lines that end in this chunk, without their line feed. */
  *take(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end);
      start = end + 1;
      yield this.#joined(last);
    }
    if (start === chunk.length) return;
    this.#pieces.push(chunk.subarray(start));
    this.#unfinished += chunk.length - start;
  }

  /** The number of bytes of the incomplete line. */
  get unfinished(): number {
    return this.#unfinished;
  }

  #joined(last: Buffer): Buffer {
    if (this.#pieces.length === 0) return last;
    const line = Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#unfinished = 0;
    return line;
  }
}
