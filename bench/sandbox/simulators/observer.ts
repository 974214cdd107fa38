/**
 * Sees machines or their instances change, as a portal would: by a watch. A state is what people look at: the status that is printed or the phase,
 * and which conditions hold.
 */
import type { Credentials } from '../../../test/cluster/cluster.ts';
import { Connection } from '../connection.ts';

export interface Observed {
  readonly name: string;
  /** `printableStatus` of a machine, `phase` of an instance. */
  readonly status: string;
  /** The whole state, to be compared. */
  readonly state: string;
}

export class Observer {
  readonly #connection: Connection;
  readonly #seen = new Map<string, Observed>();
  readonly #nodes = new Map<string, string>();
  /** State changes so far; that an object is seen for the first time is one, that it goes is none. */
  changes = 0;
  onChange: (observed: Observed) => void = () => {};
  failure: Error | undefined;
  #rest = '';

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Begins with all that is there. */
  static async open(credentials: Credentials, path: string): Promise<Observer> {
    const observer = new Observer(await Connection.open(credentials));
    observer.#connection.watch(`${path}?watch=1`, {
      follow: (part) => observer.#follow(part),
      ended: () => (observer.failure = new Error(`the watch of ${path} ended`)),
      failed: (error) => (observer.failure = error),
    });
    return observer;
  }

  /** How many objects it has seen. */
  get seen(): number {
    return this.#seen.size;
  }

  /** As an object was seen last. */
  last(name: string): Observed | undefined {
    return this.#seen.get(name);
  }

  /** Where an instance was seen last. */
  nodeOf(name: string): string {
    return this.#nodes.get(name) ?? '';
  }

  /** How many conditions every object has; undefined while they differ. */
  conditions(): number | undefined {
    const numbers = new Set([...this.#seen.values()].map(({ state }) => state.split(' ').length - 1));
    return numbers.size === 1 ? [...numbers][0] : undefined;
  }

  close(): void {
    this.#connection.close();
  }

  #follow(part: Buffer): void {
    const lines = (this.#rest + part.toString('latin1')).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#saw(line);
  }

  #saw(line: string): void {
    const { type, object } = JSON.parse(line) as WatchEvent;
    if (type === 'ERROR') this.failure = new Error(line);
    if (type !== 'ADDED' && type !== 'MODIFIED') return;
    const observed = read(object);
    if (object.status?.nodeName !== undefined) this.#nodes.set(observed.name, object.status.nodeName);
    if (this.#seen.get(observed.name)?.state === observed.state) return;
    this.#seen.set(observed.name, observed);
    this.changes++;
    this.onChange(observed);
  }
}

interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly name: string };
    readonly status?: {
      readonly printableStatus?: string;
      readonly phase?: string;
      readonly nodeName?: string;
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    };
  };
}

function read({ metadata, status = {} }: WatchEvent['object']): Observed {
  const { printableStatus, phase, conditions = [] } = status;
  const shown = printableStatus ?? phase ?? '';
  const held = conditions.map((condition) => `${condition.type}=${condition.status}`).sort();
  return { name: metadata.name, status: shown, state: [shown, ...held].join(' ') };
}

export const changesOf = (observers: readonly Observer[]): number =>
  observers.reduce((sum, { changes }) => sum + changes, 0);
