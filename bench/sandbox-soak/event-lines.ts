/** Splits the body of a watch into lines, wherever the network has split it. */
export class EventLines {
  #begun = '';
  readonly #decoder = new TextDecoder();

  push(part: Buffer): readonly string[] {
    const lines = (this.#begun + this.#decoder.decode(part, { stream: true })).split('\n');
    this.#begun = lines.pop() ?? '';
    return lines;
  }

  /** The beginning of a line whose end has not come. */
  get rest(): string {
    return this.#begun;
  }
}
