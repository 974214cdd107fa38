/** A client that reconnects, and that distinguishes the sandbox's own answers from answers injected by a fault. */
import { isObject, type JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { Connection, type Answer, type Call } from '../sandbox/connection.ts';
import type { World } from './world.ts';

export type Outcome =
  | { readonly is: 'answer'; readonly status: number; readonly body: JsonObject }
  /** A fault answered: nothing was done. */
  | { readonly is: 'refused'; readonly status: number }
  /** The connection ended before the answer: the request was done or not, and will not be done later. */
  | { readonly is: 'cut' }
  /** No answer in time: the request may still be done. */
  | { readonly is: 'late' }
  /** There was no connection. */
  | { readonly is: 'unsent' };

/** An answer takes this long only if a fault delays it, or if the host is very busy. */
const patience = 4000;

class Late extends Error {}

export class Caller {
  readonly #world: World;
  #connection: Connection | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns answers with the given codes; any other answer that no fault explains is a violation. */
  async send(call: Call, expected: readonly number[]): Promise<Outcome> {
    const began = performance.now();
    const what = `${call.method} ${call.path}`;
    const connection = await this.#open(what, began);
    if (connection === undefined) return { is: 'unsent' };
    this.#world.counts.requests++;
    try {
      const answer = await withDeadline(connection.send(call), patience);
      return this.#judge(what, answer, expected, began);
    } catch (error) {
      this.close();
      return this.#unanswered(what, error as Error, began);
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  async #open(what: string, began: number): Promise<Connection | undefined> {
    if (this.#connection?.open === true) return this.#connection;
    this.close();
    const opening = Connection.open(this.#world.sandbox.credentials);
    try {
      this.#connection = await withDeadline(opening, patience);
      return this.#connection;
    } catch (error) {
      opening.then((late) => late.close()).catch(() => undefined); // The error is reported below.
      if (!this.#world.desk.explainsCut(began)) this.#world.suspect(`${what}: cannot connect: ${String(error)}`);
      return undefined;
    }
  }

  #unanswered(what: string, error: Error, began: number): Outcome {
    const { desk } = this.#world;
    if (error instanceof Late) {
      // A truncated answer with a declared length also ends in silence.
      if (!desk.explainsSilence(began) && !desk.explainsCut(began)) this.#world.suspect(`${what}: no answer in time`);
      return { is: 'late' };
    }
    if (!desk.explainsCut(began)) this.#world.violations.add(`${what}: ${error.message}, and no fault did that`);
    return { is: 'cut' };
  }

  #judge(what: string, { status, parts }: Answer, expected: readonly number[], began: number): Outcome {
    const { desk, violations } = this.#world;
    const text = Buffer.concat(parts).toString();
    const body = parse(text);
    if (body === undefined && (desk.wasOn('truncate', began) || desk.wasOn('reset-mid-line', began))) {
      this.close();
      return { is: 'cut' };
    }
    const fault = desk.behind(status, String(body?.['message']), began);
    if (fault !== undefined && fault !== 'none') return { is: 'refused', status };
    if (expected.includes(status) && (body !== undefined || status === 404))
      return { is: 'answer', status, body: body ?? {} };
    violations.add(`${what} answered ${status}: ${text.slice(0, 400)}`);
    return { is: 'late' };
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonObject;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function withDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Late('no answer in time')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
