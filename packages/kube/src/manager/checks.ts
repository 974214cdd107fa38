/**
 * Named health checks, answered like those of Kubernetes' own servers: `/readyz`, `/readyz?verbose&exclude=a`,
 * `/readyz/a`.
 */
import type { Logger } from 'pino';

/** `Check` throws or rejects when the check fails. */
export type Check = (signal: AbortSignal) => void | Promise<void>;

export interface CheckAnswer {
  readonly code: number;
  readonly text: string;
}

/** A check that takes longer has failed. */
const timeoutMs = 5000;

export class Checks {
  /** `healthz` or `readyz`. */
  readonly #name: string;
  readonly #log: Logger;
  readonly #checks = new Map<string, Check>([['ping', () => undefined]]);
  readonly #failing = new Set<string>();

  constructor(name: string, log: Logger) {
    this.#name = name;
    this.#log = log;
  }

  add(name: string, check: Check): void {
    if (!/^[A-Za-z0-9._-]+$/.test(name)) throw new Error(`cannot add the check "${name}" to ${this.#name}: not a name`);
    if (this.#checks.has(name)) throw new Error(`cannot add the check "${name}" to ${this.#name}: it exists already`);
    this.#checks.set(name, check);
  }

  /** `subpath` is empty, or `/name` for a single check. */
  async answer(subpath: string, query: URLSearchParams): Promise<CheckAnswer> {
    if (subpath !== '' && subpath !== '/') return this.#one(subpath.slice(1));
    const excluded = new Set(query.getAll('exclude'));
    const results = await Promise.all([...this.#checks].map((entry) => this.#line(entry, excluded)));
    const lines = results.map(({ line }) => line);
    const unknown = [...excluded].filter((name) => !this.#checks.has(name));
    if (unknown.length > 0) lines.push(unknownWarning(unknown));
    const failed = results.some(({ ok }) => !ok);
    if (failed) return { code: 500, text: `${lines.join('\n')}\n${this.#name} check failed\n` };
    return { code: 200, text: query.has('verbose') ? `${lines.join('\n')}\n${this.#name} check passed\n` : 'ok' };
  }

  async #one(name: string): Promise<CheckAnswer> {
    const check = this.#checks.get(name);
    if (check === undefined) return { code: 404, text: '404 page not found\n' };
    const error = await this.#failure(name, check);
    return error === undefined
      ? { code: 200, text: 'ok' }
      : { code: 500, text: `internal server error: ${error.message}\n` };
  }

  async #line([name, check]: [string, Check], excluded: ReadonlySet<string>): Promise<{ ok: boolean; line: string }> {
    if (excluded.has(name)) return { ok: true, line: `[+]${name} excluded: ok` };
    const error = await this.#failure(name, check);
    return error === undefined
      ? { ok: true, line: `[+]${name} ok` }
      : { ok: false, line: `[-]${name} failed: reason withheld` };
  }

  async #failure(name: string, check: Check): Promise<Error | undefined> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await Promise.race([check(signal), expiry(signal)]);
      if (this.#failing.delete(name))
        this.#log.info({ check: name, endpoint: this.#name }, 'health check passes again');
      return undefined;
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      // Probes come every few seconds, so only changes are logged.
      if (!this.#failing.has(name))
        this.#log.warn({ check: name, endpoint: this.#name, err: error }, 'health check failed');
      this.#failing.add(name);
      return error;
    }
  }
}

function expiry(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no result in ${timeoutMs} ms`)), { once: true });
  });
}

function unknownWarning(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name)).join(', ');
  return `warn: some checks cannot be excluded: no matches for ${quoted}`;
}
