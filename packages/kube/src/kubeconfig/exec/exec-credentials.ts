/**
 * `ExecCredentials` gets credentials from a plugin by client-go's contract. In addition it runs the plugin only once
 * for concurrent callers, renews in the background before the credentials expire, pauses after failures, and has a
 * deadline.
 */
import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { Backoff } from '../../backoff.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { KubeError } from '../../errors.ts';
import type { ExecEntry } from '../document.ts';
import { EXEC_INFO, type ExecCluster, type ExecCredential, execInfo, readCredential } from './exec-protocol.ts';
import { type PluginEnd, runPlugin } from './exec-process.ts';
import { bearer } from '../headers.ts';
import { type Credentials, type Part, waitFor } from '../part.ts';
import { withoutSecrets } from '../redact.ts';

/**
 * After the server refused credentials and the plugin ran, it is not run again for that reason within this time: it
 * would return the same.
 */
const REFUSED_PAUSE_MS = 5_000;
/** Credentials are renewed this long before they expire, or after four fifths of their lifetime if that is later. */
const EARLY_MS = 60_000;
const EARLY_SHARE = 0.2;
/**
 * Credentials that have already expired on arrival (a wrong clock) are used this long; otherwise each request would run
 * the plugin.
 */
const SHORTEST_LIFE_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 60_000;

export interface ExecOptions {
  readonly timeoutMs?: number;
  /** Whether a person sits at the terminal. Detected by default. */
  readonly terminal?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly log?: Logger;
}

interface Held {
  readonly credentials: Credentials;
  readonly renewAt: number;
  readonly endsAt: number;
}

export class ExecCredentials implements Part<Credentials> {
  readonly #exec: ExecEntry;
  readonly #cluster: () => Promise<ExecCluster>;
  readonly #options: ExecOptions;
  readonly #clock: Clock;
  readonly #pauses = new Backoff({ initialMs: 1000, factor: 2, maxMs: 30_000, jitter: 0.2 });
  #held: Held | undefined;
  #running: Promise<Credentials> | undefined;
  #failure: { readonly error: KubeError; readonly until: number } | undefined;
  #refusedUntil = 0;

  constructor(exec: ExecEntry, cluster: () => Promise<ExecCluster>, options: ExecOptions = {}) {
    this.#exec = exec;
    this.#cluster = cluster;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async current(signal?: AbortSignal): Promise<Credentials> {
    const held = this.#held;
    const now = this.#clock.date().getTime();
    if (held === undefined || now >= held.endsAt) return waitFor(this.#run(), signal);
    if (now >= held.renewAt) this.#renew();
    return held.credentials;
  }

  async refresh(refused: Credentials, signal?: AbortSignal): Promise<void> {
    if (this.#held?.credentials !== refused || this.#clock.now() < this.#refusedUntil) return;
    await waitFor(this.#run(), signal);
    this.#refusedUntil = this.#clock.now() + REFUSED_PAUSE_MS;
  }

  #renew(): void {
    this.#run().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log?.warn({ command: this.#exec.command, reason }, 'cannot renew credentials before they expire');
    });
  }

  #run(): Promise<Credentials> {
    if (this.#running !== undefined) return this.#running;
    if (this.#failure !== undefined && this.#clock.now() < this.#failure.until)
      return Promise.reject(this.#failure.error);
    this.#running = this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runOnce(): Promise<Credentials> {
    try {
      this.#held = this.#keep(await this.#ask());
      this.#failure = undefined;
      this.#pauses.reset();
      return this.#held.credentials;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const error = new KubeError('Credentials', `cannot get credentials from ${this.#exec.command}: ${reason}`);
      this.#failure = { error, until: this.#clock.now() + this.#pauses.take() };
      throw error;
    }
  }

  async #ask(): Promise<ExecCredential> {
    const { command = '', args, apiVersion = '' } = this.#exec;
    const interactive = this.#interactive();
    const info = execInfo(this.#exec, interactive, await this.#cluster());
    const own = Object.fromEntries(this.#exec.env.map(({ name, value }) => [name, value]));
    const { env = process.env, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const end = await runPlugin({
      command,
      args,
      env: { ...env, ...own, [EXEC_INFO]: info },
      interactive,
      timeoutMs,
      clock: this.#clock,
    });
    if (end.kind === 'done') return readCredential(end.output, apiVersion);
    throw new Error(this.#failureText(end));
  }

  #interactive(): boolean {
    const { terminal = isatty(0) } = this.#options;
    const mode = this.#exec.interactiveMode;
    if (mode === 'Always' && !terminal)
      throw new Error('it needs a terminal (interactiveMode: Always), and there is none');
    return terminal && mode !== 'Never';
  }

  #failureText(end: Exclude<PluginEnd, { kind: 'done' }>): string {
    if (end.kind === 'not found') {
      const hint = this.#exec.installHint;
      return `the program was not found${hint === undefined ? '; install it, or correct the PATH' : `. ${withoutSecrets(hint, [])}`}`;
    }
    if (end.kind === 'not started') return `it cannot be started (${end.code})`;
    const secrets = this.#exec.env.map(({ value }) => value);
    const complaint = withoutSecrets(end.complaint, secrets);
    return complaint === '' ? end.how : `${end.how}, saying: ${complaint}`;
  }

  /** Unchanged credentials stay the same object, so that their users see no change. */
  #keep(credential: ExecCredential): Held {
    const now = this.#clock.date().getTime();
    const credentials: Credentials = {
      ...(credential.token === undefined ? {} : { authorization: bearer(credential.token) }),
      ...(credential.cert === undefined || credential.key === undefined
        ? {}
        : { cert: credential.cert, key: credential.key }),
    };
    const before = this.#held?.credentials;
    const endsAt = Math.max(credential.expiresAt ?? Number.POSITIVE_INFINITY, now + SHORTEST_LIFE_MS);
    const early = Math.min(EARLY_MS, (endsAt - now) * EARLY_SHARE);
    return {
      credentials: before !== undefined && same(before, credentials) ? before : credentials,
      renewAt: endsAt - early,
      endsAt,
    };
  }
}

function same(a: Credentials, b: Credentials): boolean {
  return a.authorization === b.authorization && a.cert === b.cert && a.key === b.key;
}
