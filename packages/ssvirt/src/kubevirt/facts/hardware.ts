/** CPUs and memory as a spec states them. */
import { mebibytes, quantity } from '@ssvirt/base/values/quantity';
import { fields, positiveInteger } from './reading.ts';

/** cores × sockets × threads; each defaults to 1. */
export function cpusOfTopology(topology: unknown): number | undefined {
  const { cores = 1, sockets = 1, threads = 1 } = fields(topology);
  const all = [cores, sockets, threads].map(positiveInteger);
  return positiveInteger(all.reduce<number>((product, one) => product * (one ?? Number.NaN), 1));
}

/** `cpusOfDomain` returns undefined if an instance type decides. KubeVirt's own default is one CPU. */
export function cpusOfDomain(domain: unknown, sizedElsewhere: boolean): number | undefined {
  const { cpu, resources } = fields(domain);
  const { cores, sockets, threads } = fields(cpu);
  if ((cores ?? sockets ?? threads) !== undefined) return cpusOfTopology(cpu);
  const { limits, requests } = fields(resources);
  const asked = quantity(fields(limits)['cpu'] ?? fields(requests)['cpu']);
  if (asked !== undefined && asked > 0) return positiveInteger(Math.ceil(asked));
  return sizedElsewhere ? undefined : 1;
}

export function memoryOfDomain(domain: unknown): number | undefined {
  const { memory, resources } = fields(domain);
  const { limits, requests } = fields(resources);
  return (
    mebibytes(fields(memory)['guest']) ?? mebibytes(fields(requests)['memory']) ?? mebibytes(fields(limits)['memory'])
  );
}
