/** Random faults between the watchers and the server. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../../conformance/dice.ts';
import type { Credential } from '../credential.ts';
import type { Fault, FaultInAnswer, Snapshot } from '../fault.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Harness } from '../harness.ts';
import type { SeenRequest } from '../seen-request.ts';

export interface MischiefOptions {
  readonly harness: Harness;
  readonly proxy: FaultProxy;
  readonly credential: Credential;
  readonly dice: Dice;
  /** The path of the list that may be stale. */
  readonly path: string;
  /** How often the server may be killed. */
  readonly kills: number;
  /** Makes another write meanwhile. */
  readonly write: () => Promise<void>;
}

export class Mischief {
  readonly #options: MischiefOptions;
  readonly #proxy: FaultProxy;
  readonly #dice: Dice;
  #snapshot: Snapshot | undefined;
  #kills: number;
  /** Resolves when the last refusal is over: a listener that is closed while it opens would stay open. */
  #accepted: Promise<void> = Promise.resolve();
  /** How often each fault was played. */
  readonly played = new Map<string, number>();

  constructor(options: MischiefOptions) {
    this.#options = options;
    this.#proxy = options.proxy;
    this.#dice = options.dice;
    this.#kills = options.kills;
  }

  async play(): Promise<void> {
    const [name, act] = this.#dice.pick(this.#acts());
    this.played.set(name, (this.played.get(name) ?? 0) + 1);
    await act();
  }

  /** Ends all faults after a last disconnection. Nothing later can repair what the watchers miss then. */
  async end(): Promise<void> {
    this.#proxy.clear();
    this.#options.credential.renewToken();
    await this.#away();
  }

  #acts(): (readonly [string, () => void | Promise<void>])[] {
    return [
      ...(['reset-in-line', 'truncate', 'silence-in-stream', 'end'] as const).map(
        (kind) => [`${kind} in an open stream`, () => this.#strike({ kind, afterLines: this.#dice.below(3) })] as const,
      ),
      ['410 in an open stream', () => this.#strike({ kind: 'error-event', code: 410 })],
      ['500 in an open stream', () => this.#strike({ kind: 'error-event', code: 500 })],
      ['reset of open streams', () => void this.#proxy.strike({ kind: 'reset' })],
      ...[429, 500, 503, 410].map(
        (code) => [`${code} to the next`, () => this.#next({ kind: 'status', code })] as const,
      ),
      ['reset of the next', () => this.#next({ kind: 'reset' })],
      ['silence to the next', () => this.#next({ kind: 'silence' }, 1)],
      ['half an answer to the next', () => this.#next({ kind: 'truncate', afterLines: this.#dice.below(4) })],
      ['a cut answer to the next', () => this.#next({ kind: 'reset-in-line', afterLines: this.#dice.below(4) })],
      ['pieces to the next', () => this.#next({ kind: 'split', random: () => this.#dice.next() * 0.2 }, 3)],
      ['a stale list', () => this.#stale()],
      ['refused for a while', () => this.#refuse()],
      ['token expired', () => this.#expire()],
      ['away for too long', () => this.#away()],
      ['compaction', () => this.#options.harness.compact()],
      ...(this.#kills > 0 ? [['killed', () => this.#kill()] as const] : []),
    ];
  }

  #strike(fault: FaultInAnswer): void {
    this.#proxy.strike(fault);
  }

  /** Ends a stream, or there would be no next request for minutes. */
  #next(fault: Fault, times = 1 + this.#dice.below(3)): void {
    this.#proxy.add({ fault, times });
    if (this.#dice.chance(0.7))
      this.#proxy.strike(this.#dice.chance(0.5) ? { kind: 'end' } : { kind: 'error-event', code: 410 });
  }

  async #stale(): Promise<void> {
    const snapshot = this.#snapshot;
    this.#snapshot = await this.#proxy.snapshot(this.#options.path);
    if (snapshot === undefined) return;
    this.#proxy.add({ fault: { kind: 'stale', snapshot }, match: mayBeStale, times: 2 });
    this.#proxy.strike({ kind: 'error-event', code: 410 });
  }

  /** Disconnects the watchers until the missed events are no longer in the server's history. */
  async #away(): Promise<void> {
    await this.#accepted;
    await this.#proxy.refuse();
    for (let i = 2 + this.#dice.below(8); i > 0; i--) await this.#options.write();
    await this.#options.harness.compact();
    // A real server remembers more than we can make it drop.
    const fault = { kind: 'error-event', code: 410 } as const;
    if (this.#options.harness.kind === 'real')
      this.#proxy.add({ fault, match: ({ verb }) => verb === 'watch', times: 20 });
    await this.#proxy.accept();
  }

  async #refuse(): Promise<void> {
    const milliseconds = 20 + this.#dice.below(200);
    await this.#accepted;
    await this.#proxy.refuse();
    this.#accepted = pause(milliseconds).then(() => this.#proxy.accept());
  }

  #expire(): void {
    this.#proxy.expireToken(this.#options.credential.token);
    if (this.#dice.chance(0.5)) this.#proxy.strike({ kind: 'end' });
    setTimeout(() => this.#options.credential.renewToken(), this.#dice.below(200));
  }

  async #kill(): Promise<void> {
    this.#kills--;
    await this.#options.harness.cluster.kill();
    await this.#options.harness.cluster.restart();
  }
}

/**
 * A request without a version reads the newest state, which every server returns. The snapshot has all objects, whole.
 */
function mayBeStale({ verb, query, accept = '' }: SeenRequest): boolean {
  const whole = !query.has('labelSelector') && !accept.includes('as=');
  return (verb === 'list' || verb === 'watch-list') && (query.get('resourceVersion') ?? '') !== '' && whole;
}
