/**
 * Switches faults on and off, and remembers which were on when: an error that no fault explains is a defect of the
 * sandbox.
 */
import { FAULT_KINDS, type FaultKind } from '../../packages/sandbox/src/server/faults/rule.ts';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { Dice } from '../../test/conformance/dice.ts';
import { Connection } from '../sandbox/connection.ts';
import type { SandboxProcess } from './sandbox-process.ts';

const kinds = Object.keys(FAULT_KINDS) as FaultKind[];
const cutting: readonly FaultKind[] = ['reset', 'reset-mid-line', 'truncate'];
const paths = ['', '', '/api/v1/', '/apis/', '/api/v1/configmaps', '/api/v1/namespaces/*/configmaps/'];
const verbs = [[], [], ['watch'], ['list', 'watch'], ['create', 'patch', 'update', 'delete'], ['get', 'patch']];
/** Faults of requests that are rare compared with writes: a small share of them would be none at all. */
const rare: readonly FaultKind[] = ['stale-list', 'gone-in-stream', 'slow-watch'];
/** These faults delay a client for as long as its timeout; with more of them, no client makes progress. */
const stalling: readonly FaultKind[] = ['silence', 'latency', 'slow-watch'];

interface Active {
  readonly id: string;
  readonly kind: FaultKind;
  readonly times: number;
}

export class FaultDesk {
  readonly #sandbox: SandboxProcess;
  readonly #dice: Dice;
  /** The time until which a fault of a kind was on, on the clock of performance.now(). */
  readonly #onUntil = new Map<FaultKind, number>();
  #active: Active[] = [];
  #deck: FaultKind[] = [];
  #downUntil = 0;
  readonly struck = new Map<FaultKind, number>();

  constructor(sandbox: SandboxProcess, dice: Dice) {
    this.#sandbox = sandbox;
    this.#dice = dice;
  }

  wasOn(kind: FaultKind, since: number): boolean {
    return (this.#onUntil.get(kind) ?? -1) >= since;
  }

  /** Whether a fault explains a connection that ended before its answer. */
  explainsCut(since: number): boolean {
    return this.#downUntil >= since || cutting.some((kind) => this.wasOn(kind, since));
  }

  explainsSilence(since: number): boolean {
    return this.#downUntil >= since || stalling.some((kind) => this.wasOn(kind, since));
  }

  /** The fault that produced an answer; 'none' if the answer looks injected but no such fault was on. */
  behind(status: number, message: string, since: number): FaultKind | 'none' | undefined {
    const kind = faultOf(status, message);
    if (kind === undefined) return undefined;
    return this.wasOn(kind, since) ? kind : 'none';
  }

  /** Takes the kinds from a shuffled deck, so that none is left out for long. */
  async switchOn(): Promise<void> {
    if (this.#deck.length === 0) this.#deck = this.#dice.some(kinds, 1);
    const kind = this.#deck.pop() as FaultKind;
    const rule = this.#rule(kind);
    this.#onUntil.set(kind, Number.POSITIVE_INFINITY);
    const { id } = (await this.#control('POST', '/sandbox/faults', rule)) as { id: string };
    this.#active.push({ id, kind, times: rule.times });
  }

  get active(): number {
    return this.#active.length;
  }

  async switchOff(): Promise<void> {
    const chosen = this.#active.splice(this.#dice.below(this.#active.length), 1);
    await this.#count(chosen);
    for (const { id } of chosen) await this.#control('DELETE', `/sandbox/faults/${id}`).catch(() => undefined);
    this.#ended(chosen);
  }

  async clear(): Promise<void> {
    await this.#count(this.#active);
    await this.#control('DELETE', '/sandbox/faults');
    this.#ended(this.#active.splice(0));
  }

  compact(): Promise<JsonObject> {
    return this.#control('POST', '/sandbox/compact');
  }

  resetRevision(revision: number): Promise<JsonObject> {
    return this.#control('POST', '/sandbox/revision', { revision });
  }

  /** A killed process takes its faults with it. */
  async whileDown(work: () => Promise<void>): Promise<void> {
    await this.#count(this.#active);
    this.#downUntil = Number.POSITIVE_INFINITY;
    await work();
    this.#downUntil = performance.now();
    this.#ended(this.#active.splice(0));
  }

  #rule(kind: FaultKind): JsonObject & { times: number } {
    const dice = this.#dice;
    const seldom = rare.includes(kind);
    const stalls = stalling.includes(kind);
    const total = !stalls && !seldom && dice.chance(0.3);
    return {
      kind,
      path: seldom ? '' : dice.pick(paths),
      verbs: seldom ? [] : dice.pick(verbs),
      share: total ? 1 : dice.pick(seldom ? [0.3, 0.6] : [0.02, 0.05, 0.2]),
      times: total || stalls ? 1 + dice.below(20) : 0,
      delayMs: 10 + dice.below(400),
      retryAfterSeconds: 1,
      behind: 1 + dice.below(300),
    };
  }

  /** Rules that have reached their number of strikes are no longer in the server's list. */
  async #count(rules: readonly Active[]): Promise<void> {
    const { items } = (await this.#control('GET', '/sandbox/faults')) as unknown as {
      items: { id: string; struck: number }[];
    };
    for (const { id, kind, times } of rules) {
      const strikes = items.find((item) => item.id === id)?.struck ?? times;
      this.struck.set(kind, (this.struck.get(kind) ?? 0) + strikes);
    }
  }

  #ended(rules: readonly Active[]): void {
    for (const { kind } of rules) {
      if (!this.#active.some((other) => other.kind === kind)) this.#onUntil.set(kind, performance.now());
    }
  }

  async #control(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const connection = await Connection.open(this.#sandbox.credentials);
    try {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const { parts } = await connection.must({ method, path, ...text });
      return JSON.parse(Buffer.concat(parts).toString()) as JsonObject;
    } finally {
      connection.close();
    }
  }
}

const byStatus: Readonly<Record<number, FaultKind>> = { 401: '401', 406: '406', 429: '429', 503: '503' };

function faultOf(status: number, message: string): FaultKind | undefined {
  if (message.includes('a fault of the sandbox')) return status === 403 ? '403' : '500';
  // A list or watch that is really too old reports other revisions.
  if (status === 410) return message === 'too old resource version: 1 (2)' ? 'gone' : undefined;
  return byStatus[status];
}
