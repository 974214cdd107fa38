/**
 * `Observer` watches VMs or VMIs, as a portal would. A state is what users see: the printable status or the phase, and
 * which conditions are true.
 */
import type { Credentials } from '../../../test/cluster/cluster.ts';
import { Connection } from '../connection.ts';

export interface Observed {
  readonly name: string;
  /** `printableStatus` of a VM, `phase` of a VMI. */
  readonly status: string;
  /** The whole state, for comparison. */
  readonly state: string;
}

export class Observer {
  readonly #connection: Connection;
  readonly #seen = new Map<string, Observed>();
  readonly #nodes = new Map<string, string>();
  /** State changes so far. The first sight of an object counts as one, its removal does not. */
  changes = 0;
  onChange: (observed: Observed) => void = () => {};
  failure: Error | undefined;
  #rest = '';

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Starts with all existing objects. */
  static async open(credentials: Credentials, path: string): Promise<Observer> {
    const observer = new Observer(await Connection.open(credentials));
    observer.#connection.watch(`${path}?watch=1`, {
      follow: (part) => observer.#follow(part),
      ended: () => (observer.failure = new Error(`the watch of ${path} ended`)),
      failed: (error) => (observer.failure = error),
    });
    return observer;
  }

  /** The number of objects seen. */
  get seen(): number {
    return this.#seen.size;
  }

  /** The last observed state of an object. */
  last(name: string): Observed | undefined {
    return this.#seen.get(name);
  }

  /** The last known node of a VMI. */
  nodeOf(name: string): string {
    return this.#nodes.get(name) ?? '';
  }

  /** The number of conditions that every object has; undefined while they differ. */
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
