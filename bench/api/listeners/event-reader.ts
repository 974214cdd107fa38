/**
 * Reads a stream of events with as little work as can be, since whoever measures shares the processors: it looks for the ids of what was changed, and for the
 * id of the last event that is there as a whole. The frames of the transfer encoding stand between events and are passed over.
 */
import { changedMark } from './changed-rows.ts';

const idLength = 12;
/** At the beginning of a line: names of headers end so, too. */
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

  /** Of the last event that has come as a whole. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** The server listens to the log for this one. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** How often the server said that something was missed. */
  get resets(): number {
    return this.#resets;
  }

  /** A new connection: what was there in part comes again. */
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
    // With the end of its last line: the next event may stand right behind it.
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
