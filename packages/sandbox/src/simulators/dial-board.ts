/** The current dials, with notification of changes. */
import { defaultDials, type Dials } from './dials.ts';

export interface DialBoard {
  /** Always the same object: reading it gives the current values. */
  readonly dials: Dials;
  /** The values of dials that are not set. */
  readonly initial: Readonly<Dials>;
  turn(values: Partial<Dials>): void;
  onChange(listener: () => void): () => void;
}

export function createDialBoard(initial: Partial<Dials> = {}): DialBoard {
  const dials: Dials = { ...defaultDials, ...initial };
  const listeners = new Set<() => void>();
  return {
    dials,
    initial: { ...dials },
    turn(values) {
      Object.assign(dials, values);
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
