/**
 * `EventReader` reads an event stream with minimal work, since the client shares the processors with the server. It
 * looks only for the ids of the changed rows and for the id of the last complete event. Chunk headers of the transfer
 * encoding lie between events and are skipped.
 */
import { changedMark } from './changed-rows.ts';

const idLength = 12;
/** Anchored at the beginning of a line, because header names may end in `id: `, too. */
const idMark = '\nid: ';

export class EventReader {
  readonly #changed: (change: number) => void;
  #rest = '';
  #lastId: string | undefined;
  #isReady = false;
  #resets = 0;

  constructor(changed: (change: number) => void) {
    this.#changed = changed;
  }

  /** The id of the last complete event. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Whether the server sends changes to this listener. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** How often the server reported missed events. */
  get resets(): number {
    return this.#resets;
  }

  /** Prepares for a new connection: partial events come again. */
  renew(): void {
    this.#rest = '';
    this.#isReady = false;
  }

  push(bytes: Buffer): void {
    const text = this.#rest + bytes.toString('latin1');
    const end = text.lastIndexOf('\n\n');
    if (end < 0) {
      this.#rest = text;
      return;
    }
    // Keeps the last newline, because the id mark of the next event begins with it.
    this.#rest = text.slice(end + 1);
    if (!this.#isReady) this.#isReady = text.includes('event: ready\n');
    if (text.includes('event: reset\n')) this.#resets += 1;
    for (let at = text.indexOf(changedMark); at >= 0 && at < end; at = text.indexOf(changedMark, at + 1)) {
      const from = at + changedMark.length;
      this.#changed(Number.parseInt(text.slice(from, from + idLength), 16));
    }
    const id = text.lastIndexOf(idMark, end);
    if (id >= 0) this.#lastId = text.slice(id + idMark.length, text.indexOf('\n', id + 1));
  }
}
