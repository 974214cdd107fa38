/**
 * The dials as text, as a ConfigMap and a command line hold them: each with its name, its rule and its mapping to
 * `Dials`.
 */
import { nearest } from '@ssvirt/base/config/nearest';
import { BadValue, duration, factor, int, quantity, type ValueType } from '@ssvirt/base/config/values';
import type { Dials } from './dials.ts';
import { faultList } from './fault-text.ts';

export interface Dial {
  /** Returns the dials with this one changed; throws BadValue. */
  readonly read: (text: string, dials: Dials) => Dials;
  readonly show: (dials: Dials) => string;
  readonly isIn: (some: Partial<Dials>) => boolean;
}

function dial<K extends keyof Dials>(field: K, type: ValueType<Dials[K]>): Dial {
  return {
    read: (text, dials) => ({ ...dials, [field]: type.parse(text, '') }),
    show: (dials) => type.show(dials[field]),
    isIn: (some) => Object.hasOwn(some, field),
  };
}

function nodes<K extends keyof Dials['nodes']>(field: K, type: ValueType<Dials['nodes'][K]>): Dial {
  return {
    read: (text, dials) => ({ ...dials, nodes: { ...dials.nodes, [field]: type.parse(text, '') } }),
    show: (dials) => type.show(dials.nodes[field]),
    isIn: (some) => Object.hasOwn(some, 'nodes'),
  };
}

/** By the names in the ConfigMap and in `ssvirt sandbox dial`. */
export const dialTable: Readonly<Record<string, Dial>> = {
  speed: dial('speed', factor),
  'pod-start-time': dial('podStartMs', duration),
  'boot-time': dial('bootMs', duration),
  'agent-time': dial('agentMs', duration),
  'shutdown-time': dial('shutdownMs', duration),
  'import-time': dial('importMs', duration),
  'provision-time': dial('provisionMs', duration),
  'migration-time': dial('migrationMs', duration),
  nodes: nodes('count', int(1, 1000)),
  'node-cpu': nodes('cpu', quantity),
  'node-memory': nodes('memory', quantity),
  faults: dial('faults', faultList),
};

/** `speed: "fast" is not a number above 0: …` */
export interface DialProblem {
  readonly name: string;
  readonly value: string;
  readonly rule: string;
}

export function describeProblem({ name, value, rule }: DialProblem): string {
  return `${name}: ${JSON.stringify(value)} ${rule}`;
}

export interface ReadDials {
  readonly dials: Dials;
  readonly problems: readonly DialProblem[];
}

/** A dial that is not set has its initial value; one with an invalid value keeps its current one. */
export function readDials(data: Readonly<Record<string, string>>, initial: Dials, current: Dials): ReadDials {
  const problems: DialProblem[] = [];
  let dials = initial;
  for (const [name, value] of Object.entries(data)) {
    const known = dialNamed(name);
    try {
      dials = known === undefined ? dials : known.read(value, dials);
      if (known === undefined) problems.push({ name, value, rule: unknownDial(name) });
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push({ name, value, rule: error.message });
      dials = known?.read(known.show(current), dials) ?? dials;
    }
  }
  return { dials, problems };
}

function dialNamed(name: string): Dial | undefined {
  return Object.hasOwn(dialTable, name) ? dialTable[name] : undefined;
}

function unknownDial(name: string): string {
  const names = Object.keys(dialTable);
  const meant = nearest(name, names);
  return `is set on an unknown dial: ${meant === undefined ? `known dials are ${names.join(', ')}` : `did you mean ${meant}?`}`;
}

export function showDials(dials: Dials): Record<string, string> {
  return Object.fromEntries(Object.entries(dialTable).map(([name, { show }]) => [name, show(dials)]));
}
