/** CPUs and memory: from the request, or from an instance type of the cluster. */
import type { Matcher } from '../../kubevirt/tenant-vm/spec.ts';
import { badRequest } from '../errors.ts';
import { notKnown, type Offers } from './offers.ts';

export interface AskedSize {
  readonly cpus?: number;
  readonly memoryMb?: number;
  readonly instancetype?: string;
}

export interface Size {
  readonly cpus: number;
  readonly memoryMb: number;
  readonly instancetype?: Matcher;
}

/** How many names the error for an unknown one shows. */
const shownNames = 8;

export function sizeOf(offers: Offers, { cpus, memoryMb, instancetype }: AskedSize): Size {
  if (instancetype !== undefined) {
    if ((cpus ?? memoryMb) !== undefined)
      throw badRequest('instancetype: it sets CPUs and memory; leave out either cpus and memoryMb, or instancetype.');
    return { ...sizeOfType(offers, instancetype), instancetype: { name: instancetype } };
  }
  if (cpus === undefined || memoryMb === undefined)
    throw badRequest('cpus, memoryMb, instancetype: give either instancetype, or both cpus and memoryMb.');
  return { cpus, memoryMb };
}

export function sizeOfType({ source, cluster }: Offers, name: string): { cpus: number; memoryMb: number } {
  const type = source.instancetype(cluster, name);
  if (type !== undefined) return { cpus: type.cpus, memoryMb: type.memoryMb };
  if (!source.known(cluster)) throw notKnown('instance types');
  const names = source.instancetypes(cluster).map((one) => one.name);
  const some = names.length === 0 ? 'it has none' : `it offers, for example, ${names.slice(0, shownNames).join(', ')}`;
  throw badRequest(
    `instancetype: this virtual data center does not offer "${name}" (${some}); choose another, or give cpus and memoryMb.`,
  );
}
