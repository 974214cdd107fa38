/** The dials as they stand now, and who wants to know when one is turned. */
import { defaultDials, type Dials } from './dials.ts';

export interface DialBoard {
  /** Always the same object: whoever reads a dial from it reads what holds now. */
  readonly dials: Dials;
  /** What holds where nothing else is said. */
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
