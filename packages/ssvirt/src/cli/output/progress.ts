/**
 * Shows the progress of a wait on stderr: one changing line on a terminal, and elsewhere, such as in the log of a
 * pipeline, a line for everything that was not said before.
 */
import { plain } from './plain.ts';

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const eraseLine = '\r\u001b[K';

export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #said = new Set<string>();
  #shown = '';

  constructor(stream: ProgressStream = process.stderr) {
    this.#stream = stream;
  }

  show(text: string): void {
    const line = plain(text);
    const { isTTY = false, columns = 80 } = this.#stream;
    if (!isTTY) this.#say(line);
    else if (line !== this.#shown) {
      // A wrapped line cannot be erased.
      const cut = line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
      this.#stream.write(`${eraseLine}${cut}`);
    }
    this.#shown = line;
  }

  /** Erases the line, so that the next output starts at the beginning of a line. The result stays. */
  end(result?: string): void {
    if (this.#stream.isTTY === true && this.#shown !== '') this.#stream.write(eraseLine);
    this.#shown = '';
    if (result !== undefined) this.#say(plain(result));
  }

  #say(line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    this.#stream.write(`${line}\n`);
  }
}
