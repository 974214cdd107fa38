/** The requests that are measured: what is asked, by whom, and which answer is expected. */
import type { UrnKind } from '../../packages/ssvirt/src/api/urn.ts';
import type { Call } from '../sandbox/connection.ts';
import type { Part } from './options.ts';
import {
  bigCatalog,
  bigVdc,
  discoveringCatalog,
  few,
  itemId,
  loginUsers,
  organization,
  organizationId,
  password,
  userId,
  userName,
  vappId,
  vdcId,
  vmId,
} from './rows.ts';

export interface Case {
  readonly part: Part;
  readonly name: string;
  readonly calls: readonly Call[];
  readonly as: 'tenant' | 'system' | 'nobody';
  /** Defaults to 200. */
  readonly status?: number;
  /** The figures of the Go predecessor to show beside ours. */
  readonly anchor?: 'get' | 'list' | 'far' | 'logIn';
}

/** The tenth page from the end: 3 990 for 100 000 rows. */
export function farPage(rows: number): number {
  return Math.max(1, Math.floor(rows / 25) - 10);
}

const cloudapi = '/cloudapi/1.0.0';

/** These ids are invented; their kind is not checked. */
function urn(kind: UrnKind, id: string): string {
  return `urn:vcloud:${kind}:${id}`;
}

function get(path: string): Call {
  return { method: 'GET', path };
}

/** Spreads the requests over the table, so that more than one row is warm. */
function spread(rows: number, path: (number: number) => string): readonly Call[] {
  const count = Math.min(rows, few);
  return Array.from({ length: count }, (_, at) => get(path(1 + Math.floor((at * rows) / count))));
}

export function cases(rows: number): readonly Case[] {
  return [...gets(rows), ...lists(rows), ...others()];
}

function gets(rows: number): readonly Case[] {
  const catalog = `${cloudapi}/catalogs/${urn('catalog', bigCatalog)}/catalogItems`;
  const of = (name: string, total: number, path: (number: number) => string): Case => ({
    part: 'get',
    name: `get ${name}`,
    as: 'tenant',
    calls: spread(total, path),
    anchor: 'get',
  });
  return [
    // The predecessor was measured with these requests.
    of('VM', rows, (at) => `${cloudapi}/vms/${urn('vm', vmId(at))}`),
    of('vApp', rows, (at) => `${cloudapi}/vapps/${urn('vapp', vappId(at))}`),
    of('VDC', few, (at) => `${cloudapi}/vdcs/${urn('vdc', vdcId(at))}`),
    of('user', rows, (at) => `${cloudapi}/users/${urn('user', userId(at))}`),
    of('catalog item', rows, (at) => `${catalog}/${urn('catalogitem', itemId(at))}`),
  ];
}

interface Listed {
  readonly name: string;
  readonly path: string;
  readonly query: string;
  /** The unfiltered list is already measured above. */
  readonly onlyFiltered?: true;
}

/** Each filter leaves nearly all rows, so that there is a far page. */
export function listed(): readonly Listed[] {
  const items = `${cloudapi}/catalogs/${urn('catalog', bigCatalog)}/catalogItems`;
  const vdc = `${cloudapi}/vdcs/${urn('vdc', bigVdc)}`;
  const old = 'createdAt=gt=2000-01-01T00:00:00Z';
  return [
    { name: 'VMs of a VDC', path: `${vdc}/vms`, query: `filter=name==vm-*;${old}&sortDesc=name` },
    { name: 'vApps of a VDC', path: `${vdc}/vapps`, query: `filter=name==vapp-*;${old}&sortDesc=name` },
    {
      name: 'VMs of a VDC by status',
      path: `${vdc}/vms`,
      query: 'filter=status==POWERED_ON;name==vm-*&sortDesc=name',
      onlyFiltered: true,
    },
    { name: 'users', path: `${cloudapi}/users`, query: 'filter=enabled==true;username==user-*&sortAsc=fullName' },
    {
      name: 'catalog items',
      path: items,
      query: `filter=name==item-*;${old}&sortDesc=name`,
    },
    {
      name: 'tasks',
      path: `${cloudapi}/tasks`,
      query: 'filter=status==success;operationName==vdcUpdate&sortDesc=createdAt',
    },
  ];
}

function lists(rows: number): readonly Case[] {
  const far = farPage(rows);
  const of = (name: string, path: string, anchor: 'list' | 'far'): Case => ({
    part: 'lists',
    name,
    as: 'tenant',
    calls: [get(path)],
    anchor,
  });
  const pages = listed().flatMap(({ name, path, query, onlyFiltered = false }) => [
    of(`${name}, filter and sort, page 1`, `${path}?page=1&pageSize=25&${query}`, 'list'),
    of(`${name}, filter and sort, page ${far}`, `${path}?page=${far}&pageSize=25&${query}`, 'far'),
    ...(onlyFiltered
      ? []
      : [
          of(`${name}, page 1`, `${path}?page=1&pageSize=25`, 'list'),
          of(`${name}, page ${far}`, `${path}?page=${far}&pageSize=25`, 'far'),
        ]),
    // Equal reads of several callers at the same time are batched into one, so each connection asks for another page.
    { ...of(name, path, 'list'), name: `${name}, filter and sort, pages 1 to 40 in turn`, calls: turns(path, query) },
  ]);
  const users = listed().find(({ name }) => name === 'users');
  const fresh = (page: number): readonly Call[] =>
    Array.from({ length: 20_000 }, (_, at) =>
      get(
        `${users?.path}?page=${page}&filter=username=gt=a${(at + page * 20_000).toString(36)};enabled==true&sortAsc=fullName`,
      ),
    );
  return [
    ...pages,
    { part: 'lists', name: 'users, a new filter each time, page 1', as: 'tenant', calls: fresh(1) },
    { part: 'lists', name: `users, a new filter each time, page ${far}`, as: 'tenant', calls: fresh(far) },
  ];
}

function turns(path: string, query: string): readonly Call[] {
  return Array.from({ length: 40 }, (_, at) => get(`${path}?page=${at + 1}&pageSize=25&${query}`));
}

function others(): readonly Case[] {
  const discovery = `${cloudapi}/catalogs/${urn('catalog', discoveringCatalog)}/catalogItems?pageSize=25`;
  return [
    { part: 'log-in', name: 'log-in (argon2id)', as: 'nobody', calls: logIns(), anchor: 'logIn' },
    { part: 'discovery', name: "the cluster's templates and images, page 1", as: 'tenant', calls: [get(discovery)] },
    {
      part: 'discovery',
      name: 'the same with filter and sort',
      as: 'tenant',
      calls: [get(`${discovery}&filter=name==*e*;status==AVAILABLE&sortDesc=name`)],
    },
  ];
}

export function logIns(): readonly Call[] {
  return Array.from({ length: Math.min(16, loginUsers) }, (_, at) => {
    const basic = Buffer.from(`${userName(at + 1)}@${organization}:${password}`).toString('base64');
    return { method: 'POST', path: `${cloudapi}/sessions`, headers: { authorization: `Basic ${basic}` } };
  });
}

let made = 0;

/** Requests that create this many new VDCs. */
export function creations(count: number, prefer?: string): readonly Call[] {
  return Array.from({ length: count }, () => ({
    method: 'POST',
    path: `/api/admin/org/${urn('org', organizationId)}/vdcs`,
    body: JSON.stringify({
      name: `made-${++made}`,
      computeCapacity: { cpu: { limit: 16_000 }, memory: { limit: 32_768 } },
      storageLimitMb: 204_800,
      vmQuota: 20,
    }),
    ...(prefer === undefined ? {} : { headers: { prefer } }),
  }));
}
