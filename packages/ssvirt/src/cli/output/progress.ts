/**
 * Shows the progress of a wait on stderr: one changing line on a terminal, and one line per change elsewhere, such as
 * in the log of a pipeline.
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
  #shown = '';

  constructor(stream: ProgressStream = process.stderr) {
    this.#stream = stream;
  }

  show(text: string): void {
    const line = plain(text);
    if (line === this.#shown) return;
    this.#shown = line;
    const { isTTY = false, columns = 80 } = this.#stream;
    // A wrapped line cannot be erased.
    const cut = line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
    this.#stream.write(isTTY ? `${eraseLine}${cut}` : `${line}\n`);
  }

  /** Erases the line, so that the next output starts at the beginning of a line. */
  end(): void {
    if (this.#stream.isTTY === true && this.#shown !== '') this.#stream.write(eraseLine);
    this.#shown = '';
  }
}
