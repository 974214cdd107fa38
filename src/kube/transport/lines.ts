/** Lines out of chunks that end anywhere, inside a character too: nothing is decoded before its line is whole. */

export class Lines {
  /** The pieces of the line that is not complete yet; they are joined once, however many they are. */
  #pieces: Buffer[] = [];

  /** The lines that end in this chunk, without their line feed. */
  *take(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end);
      start = end + 1;
      if (this.#pieces.length === 0) yield last;
      else {
        const line = Buffer.concat([...this.#pieces, last]);
        this.#pieces = [];
        yield line;
      }
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }

  /** How many bytes of an unfinished line there are. */
  get unfinished(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }
}
