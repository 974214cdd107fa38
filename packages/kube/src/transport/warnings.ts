/** `Warnings` logs each text of `Warning` headers once, however often the server sends it. */
import type { Logger } from 'pino';
import type { Headers } from './call.ts';

/** Some texts contain object names; beyond this many the oldest is forgotten and may be logged again. */
const remembered = 1000;

export class Warnings {
  readonly #log: Logger | undefined;
  readonly #logged = new Set<string>();

  constructor(log: Logger | undefined) {
    this.#log = log;
  }

  see(headers: Headers): void {
    const value = headers['warning'];
    if (value === undefined) return;
    for (const text of (Array.isArray(value) ? value : [value]).flatMap(warningTexts)) this.#tell(text);
  }

  #tell(text: string): void {
    if (this.#logged.has(text)) return;
    this.#logged.add(text);
    const oldest = this.#logged.size > remembered ? this.#logged.values().next().value : undefined;
    if (oldest !== undefined) this.#logged.delete(oldest);
    // For the developers of the client: its operator has nothing to do.
    this.#log?.info({ warning: text }, 'API server warning');
  }
}

/** `warningTexts` returns the texts of a header such as `299 - "v1beta1 is deprecated", 299 - "and more"`; other codes are ignored. */
export function warningTexts(header: string): string[] {
  return [...header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) => quoted.replace(/\\(.)/g, '$1'));
}
