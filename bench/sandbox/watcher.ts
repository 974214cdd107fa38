/**
 * One continuing watch: a server ends a watch when its reader falls behind, as an overloaded kube-apiserver soon does,
 * and the client then resumes after the last event that it has seen.
 */
import type { Connection } from './connection.ts';

const newline = 10;

export interface Audience {
  /** Called when one of the watchers has received this many events. */
  came(events: number): void;
  failed(error: Error): void;
}

export class Watcher {
  readonly #connection: Connection;
  readonly #path: string;
  readonly #audience: Audience;
  #revision: string;
  #begun: Buffer[] = [];
  #lastLine: Buffer | undefined;
  resumed = 0;

  constructor(connection: Connection, path: string, revision: string, audience: Audience) {
    this.#connection = connection;
    this.#path = path;
    this.#revision = revision;
    this.#audience = audience;
    this.#open();
  }

  #open(): void {
    const path = `${this.#path}?watch=1&resourceVersion=${this.#revision}`;
    this.#begun = [];
    this.#lastLine = undefined;
    this.#connection.watch(path, {
      follow: (part) => this.#follow(part),
      ended: () => this.#resume(),
      failed: (error) => this.#audience.failed(error),
    });
  }

  #follow(part: Buffer): void {
    const end = part.lastIndexOf(newline);
    if (end < 0) {
      this.#begun.push(part);
      return;
    }
    const before = end === 0 ? -1 : part.lastIndexOf(newline, end - 1);
    // Stored as received: it is parsed only when the watch must resume from it.
    this.#lastLine =
      before < 0 ? Buffer.concat([...this.#begun, part.subarray(0, end)]) : part.subarray(before + 1, end);
    this.#begun = end + 1 < part.length ? [part.subarray(end + 1)] : [];
    this.#audience.came(countLines(part));
  }

  #resume(): void {
    const line = this.#lastLine?.toString();
    if (line?.startsWith('{"type":"ERROR"') === true) {
      this.#audience.failed(new Error(line));
      return;
    }
    if (line !== undefined) {
      const { object } = JSON.parse(line) as { object: { metadata: { resourceVersion: string } } };
      this.#revision = object.metadata.resourceVersion;
    }
    this.resumed++;
    this.#open();
  }
}

function countLines(part: Buffer): number {
  let lines = 0;
  for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) lines++;
  return lines;
}
