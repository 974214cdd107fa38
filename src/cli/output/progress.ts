/** How far something is that is waited for, on stderr: one line that changes on a terminal, and a line for each change elsewhere, such as the log of a pipeline. */
import { plain } from './plain.ts';

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const eraseLine = '\r\u001b[K';

export class ProgressLine {
  readonly #stream: ProgressStream;
  #shown = '';

  constructor(stream: ProgressStream = process.stderr) {
    this.#stream = stream;
  }

  show(text: string): void {
    const line = plain(text);
    if (line === this.#shown) return;
    this.#shown = line;
    const { isTTY = false, columns = 80 } = this.#stream;
    // A line that wraps cannot be taken back.
    const cut = line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
    this.#stream.write(isTTY ? `${eraseLine}${cut}` : `${line}\n`);
  }

  /** Takes it away: whatever comes next stands at the beginning of a line. */
  end(): void {
    if (this.#stream.isTTY === true && this.#shown !== '') this.#stream.write(eraseLine);
    this.#shown = '';
  }
}
