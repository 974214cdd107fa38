/** Splits the vCPUs of an instance type into sockets, cores and threads, as the preference asks. */
import { isObject, type JsonObject } from '../../../values/json.ts';

export interface Topology {
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
}

const deprecated: Readonly<Record<string, string>> = {
  preferSockets: 'sockets',
  preferCores: 'cores',
  preferThreads: 'threads',
  preferSpread: 'spread',
  preferAny: 'any',
};

export function topologyOf(vcpus: number, preference: JsonObject | undefined): Topology {
  const one = { sockets: 1, cores: 1, threads: 1 };
  if (vcpus === 1) return one;
  switch (preferredTopology(preference)) {
    case 'cores':
      return { ...one, cores: vcpus };
    case 'threads':
      return { ...one, threads: vcpus };
    case 'spread':
      return spread(vcpus, spreadOptions(preference));
    default:
      return { ...one, sockets: vcpus };
  }
}

export function preferredTopology(preference: JsonObject | undefined): string {
  const cpu = preference?.['cpu'];
  const asked = isObject(cpu) ? cpu['preferredCPUTopology'] : undefined;
  return typeof asked === 'string' ? (deprecated[asked] ?? asked) : 'sockets';
}

export interface SpreadOptions {
  readonly ratio: number;
  readonly across: string;
}

export function spreadOptions(preference: JsonObject | undefined): SpreadOptions {
  const old = preference?.['preferSpreadSocketToCoreRatio'];
  const cpu = preference?.['cpu'];
  const options = isObject(cpu) && isObject(cpu['spreadOptions']) ? cpu['spreadOptions'] : {};
  const ratio = options['ratio'] ?? old;
  const across = options['across'];
  return {
    ratio: typeof ratio === 'number' && ratio > 0 ? ratio : 2,
    across: typeof across === 'string' && across !== '' ? across : 'SocketsCores',
  };
}

function spread(vcpus: number, { ratio, across }: SpreadOptions): Topology {
  if (across === 'CoresThreads') return { sockets: 1, cores: Math.floor(vcpus / ratio), threads: ratio };
  if (across === 'SocketsCoresThreads') return { sockets: Math.floor(vcpus / 2 / ratio), cores: ratio, threads: 2 };
  return { sockets: Math.floor(vcpus / ratio), cores: ratio, threads: 1 };
}
