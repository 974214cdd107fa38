/** Lists of VMs by each filter and each order alone, on the first page, page 100 and the last one. */
import { align } from '../sandbox/report.ts';
import type { Case } from './cases.ts';
import type { Measured } from './measure.ts';
import { number } from './report.ts';
import { guestSystems, owners, sizes } from './rows.ts';

const pageSize = 25;
const path = '/cloudapi/1.0.0/vms';

/** The query, and the number of VMs that it finds. */
interface VmList {
  readonly name: string;
  readonly query: string;
  readonly total: number;
}

const orders = [
  'name',
  'status',
  'ipAddresses',
  'guestOs',
  'cpus',
  'memoryMb',
  'owner.name',
  'vdc.name',
  'createdAt',
] as const;

function vmLists(rows: number): readonly VmList[] {
  const filter = (text: string, total: number): VmList => ({ name: `filter ${text}`, query: `filter=${text}`, total });
  return [
    ...orders.map((field) => ({ name: `order ${field}`, query: `sortDesc=${field}`, total: rows })),
    filter('status==POWERED_ON', rows - Math.floor(rows / 1000)),
    filter('status==FAILED', Math.floor(rows / 1000)),
    filter('ipAddresses==10.0.0.7', 1),
    filter('guestOs==Guest+7', Math.floor(rows / guestSystems)),
    filter('cpus==4', Math.floor(rows / sizes)),
    filter('memoryMb==4096', Math.floor(rows / sizes)),
    filter('owner.name==user-000007', Math.floor(rows / owners)),
    filter('vdc.name==vdc-1', rows),
    filter('createdAt=gt=2000-01-01T00:00:00Z', rows),
  ];
}

/** The first page, page 100 and the last page, as far as there are so many. */
function pagesOf(total: number): readonly number[] {
  const last = Math.max(1, Math.ceil(total / pageSize));
  return [1, ...(last > 100 ? [100] : []), ...(last > 1 ? [last] : [])];
}

export function vmListCases(rows: number): readonly Case[] {
  const lists = vmLists(rows).flatMap(({ name, query, total }) =>
    pagesOf(total).map((page): Case => ({
      part: 'vm-lists',
      name: `VMs, ${name}, page ${page}`,
      as: 'tenant',
      calls: [{ method: 'GET', path: `${path}?page=${page}&pageSize=${pageSize}&${query}` }],
    })),
  );
  const summary = [{ method: 'GET', path: '/cloudapi/1.0.0/summary' }] as const;
  return [...lists, { part: 'vm-lists', name: 'summary', as: 'tenant', calls: summary }];
}

/** A ratio of 1 means that the page takes as long as the first one of the same list. */
export function vmListTable(measured: readonly Measured[]): string {
  const firsts = new Map<string, Measured>();
  const lines = measured.map((one) => {
    const [, list = one.name, page = ''] = /^VMs, (.*), page (\d+)$/.exec(one.name) ?? [];
    const first = firsts.get(list) ?? one;
    firsts.set(list, first);
    const cpu = number((one.databaseCpu * 1000) / one.requests);
    const ratio = first === one ? '' : `${(one.p50 / first.p50).toFixed(2)}×`;
    return [list, page, number(one.p50), number(one.p99), cpu, ratio];
  });
  return align([['VMs', 'page', 'p50 ms', 'p99 ms', 'PostgreSQL CPU ms', 'p50 / page 1'], ...lines]);
}
