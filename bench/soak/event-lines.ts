/** Cuts the body of a watch into its lines, wherever the network has cut it. */
export class EventLines {
  #begun = '';
  readonly #decoder = new TextDecoder();

  push(part: Buffer): readonly string[] {
    const lines = (this.#begun + this.#decoder.decode(part, { stream: true })).split('\n');
    this.#begun = lines.pop() ?? '';
    return lines;
  }

  /** The start of a line whose end did not come. */
  get rest(): string {
    return this.#begun;
  }
}
