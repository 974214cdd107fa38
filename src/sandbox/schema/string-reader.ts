/** A position in a text. */
export class StringReader {
  at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  done(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  rest(): string {
    return this.text.slice(this.at);
  }

  take(length: number): string {
    const taken = this.text.slice(this.at, this.at + length);
    this.at += length;
    return taken;
  }

  /** A character beyond the basic plane is two units of the text: take the second one too. */
  completed(unit: string): string {
    const code = unit.charCodeAt(0);
    return code >= 0xd800 && code <= 0xdbff ? unit + this.take(1) : unit;
  }
}
