/** The kinds of API objects, with their columns. */
import type { Schemas, TypedClient } from '@ssvirt/api-client/client';
import { powerStatuses } from '../../kubevirt/power/table.ts';
import { age } from './age.ts';
import { dataOf } from './data-of.ts';
import type { PowerAction } from './entities.ts';
import type { DeletableKind, Kind, PoweredKind } from './kind.ts';

const status = ({ status, stale }: { readonly status: string; readonly stale: boolean }): string =>
  stale ? `${status} (stale)` : status;

export const organizations: DeletableKind<Schemas['Organization']> = {
  noun: 'org',
  singular: 'organization',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/orgs', { params: { query } })),
  get: (api, orgId) => dataOf(api.GET('/cloudapi/1.0.0/orgs/{orgId}', { params: { path: { orgId } } })),
  delete: (api, { id: orgId }) => dataOf(api.DELETE('/cloudapi/1.0.0/orgs/{orgId}', { params: { path: { orgId } } })),
  urn: 'org',
  nameField: 'name',
  event: 'organization',
  view: {
    plural: 'organizations',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'DISPLAY NAME', cell: ({ displayName }) => displayName },
      { header: 'ENABLED', cell: ({ isEnabled }) => isEnabled },
      { header: 'VDCS', cell: ({ orgVdcCount }) => orgVdcCount },
      { header: 'USERS', cell: ({ userCount }) => userCount },
      { header: 'RUNNING', cell: ({ runningVMCount }) => runningVMCount },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      { header: 'PUBLISHES', cell: ({ canPublish }) => canPublish, wide: true },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
  },
};

export const users: DeletableKind<Schemas['User']> = {
  noun: 'user',
  singular: 'user',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/users', { params: { query } })),
  get: (api, userId) => dataOf(api.GET('/cloudapi/1.0.0/users/{userId}', { params: { path: { userId } } })),
  delete: (api, { id: userId }) =>
    dataOf(api.DELETE('/cloudapi/1.0.0/users/{userId}', { params: { path: { userId } } })),
  urn: 'user',
  nameField: 'username',
  event: 'user',
  whereabouts: ({ orgEntityRef }) => orgEntityRef.name,
  view: {
    plural: 'users',
    name: ({ username }) => username,
    columns: [
      { header: 'NAME', cell: ({ username }) => username },
      { header: 'FULL NAME', cell: ({ fullName }) => fullName },
      { header: 'ORGANIZATION', cell: ({ orgEntityRef }) => orgEntityRef.name },
      { header: 'ROLES', cell: ({ roleEntityRefs }) => roleEntityRefs.map(({ name }) => name).join(', ') },
      { header: 'ENABLED', cell: ({ enabled }) => enabled },
      { header: 'LOCKED', cell: ({ locked }) => locked, wide: true },
      { header: 'EMAIL', cell: ({ email }) => email, wide: true },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
  },
};

const limit = (value: number): string => (value === 0 ? 'none' : String(value));

export const vdcs: DeletableKind<Schemas['Vdc']> = {
  noun: 'vdc',
  singular: 'virtual data center',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/vdcs', { params: { query } })),
  get: (api, vdcId) => dataOf(api.GET('/cloudapi/1.0.0/vdcs/{vdcId}', { params: { path: { vdcId } } })),
  // The provider changes VDCs at a path below their organization.
  delete: (api, { id: vdcId, org }, query) =>
    dataOf(api.DELETE('/api/admin/org/{orgId}/vdcs/{vdcId}', { params: { path: { orgId: org.id, vdcId }, query } })),
  urn: 'vdc',
  nameField: 'name',
  event: 'vdc',
  whereabouts: ({ org }) => org.name,
  view: {
    plural: 'virtual data centers',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'ORGANIZATION', cell: ({ org }) => org.name },
      { header: 'STATUS', cell: ({ statusText, stale }) => status({ status: statusText, stale }) },
      { header: 'ENABLED', cell: ({ isEnabled }) => isEnabled },
      { header: 'VCPUS', cell: ({ computeCapacity }) => limit(computeCapacity.cpu.cores) },
      { header: 'MEMORY MB', cell: ({ computeCapacity }) => limit(computeCapacity.memory.limit) },
      { header: 'STORAGE MB', cell: ({ storageLimitMb }) => limit(storageLimitMb) },
      { header: 'VMS', cell: ({ vmQuota }) => limit(vmQuota) },
      { header: 'CLUSTER', cell: ({ cluster }) => cluster, wide: true },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      {
        header: 'REASON',
        cell: ({ stale, staleReason, message }) => (stale ? staleReason?.reason : undefined) ?? message,
      },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
    gone: (one) => ({ ...one, statusText: 'DELETED' }),
  },
};

export const catalogs: DeletableKind<Schemas['Catalog']> = {
  noun: 'catalog',
  singular: 'catalog',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/catalogs', { params: { query } })),
  get: (api, catalogId) => dataOf(api.GET('/cloudapi/1.0.0/catalogs/{catalogId}', { params: { path: { catalogId } } })),
  delete: (api, { id: catalogId }) =>
    dataOf(api.DELETE('/cloudapi/1.0.0/catalogs/{catalogId}', { params: { path: { catalogId } } })),
  urn: 'catalog',
  nameField: 'name',
  event: 'catalog',
  whereabouts: ({ org }) => org.name,
  view: {
    plural: 'catalogs',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'ORGANIZATION', cell: ({ org }) => org.name },
      { header: 'ITEMS', cell: ({ numberOfVAppTemplates }) => numberOfVAppTemplates },
      { header: 'PUBLISHED', cell: ({ isPublished }) => isPublished },
      { header: 'AGE', cell: ({ creationDate }) => age(creationDate) },
      { header: 'DESCRIPTION', cell: ({ description }) => description, wide: true },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
  },
};

const mib = 2 ** 20;

export function itemsOf(catalogId: string): DeletableKind<Schemas['CatalogItem']> {
  return {
    noun: 'catalog item',
    singular: 'catalog item',
    list: (api, query) =>
      dataOf(api.GET('/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems', { params: { path: { catalogId }, query } })),
    get: (api, itemId) =>
      dataOf(
        api.GET('/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems/{itemId}', {
          params: { path: { catalogId, itemId } },
        }),
      ),
    delete: (api, { id: itemId }) =>
      dataOf(
        api.DELETE('/cloudapi/1.0.0/catalogs/{catalogId}/catalogItems/{itemId}', {
          params: { path: { catalogId, itemId } },
        }),
      ),
    urn: 'catalogitem',
    nameField: 'name',
    event: 'catalogItem',
    whereabouts: ({ catalog, source }) => `${catalog.name}, ${source.kind}`,
    view: {
      plural: 'items',
      name: ({ name }) => name,
      columns: [
        { header: 'NAME', cell: ({ name }) => name },
        { header: 'CATALOG', cell: ({ catalog }) => catalog.name },
        { header: 'KIND', cell: ({ source }) => source.kind },
        { header: 'STATUS', cell: ({ status }) => status },
        { header: 'VMS', cell: ({ entity }) => entity.numberOfVMs },
        { header: 'SIZE', cell: sizeOf },
        { header: 'NEEDS', cell: ({ parameters }) => needed(parameters) },
        { header: 'GUEST', cell: ({ guestOs }) => guestOs, wide: true },
        { header: 'REASON', cell: ({ statusMessage }) => statusMessage },
        { header: 'ID', cell: ({ id }) => id, wide: true },
      ],
    },
  };
}

/** `sizeOf` returns the instance type, or CPUs and memory; undefined if the item states neither. */
export function sizeOf({
  instancetype,
  entity: { numberOfCpus, memoryAllocation },
}: Schemas['CatalogItem']): string | undefined {
  if (instancetype !== undefined) return instancetype;
  if (numberOfCpus === undefined || memoryAllocation === undefined) return undefined;
  return `${numberOfCpus} CPU, ${Math.round(memoryAllocation / mib)} MB`;
}

/** The parameters that the user must give. */
function needed(parameters: Schemas['CatalogItem']['parameters']): string {
  return parameters
    .filter(({ required, hasDefault }) => required && !hasDefault)
    .map(({ name }) => name)
    .join(', ');
}

const vappPower: Readonly<
  Record<
    PowerAction,
    (api: TypedClient, init: { params: { path: { vappId: string } } }) => Promise<Schemas['ChangedVapp']>
  >
> = {
  powerOn: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vapps/{vappId}/actions/powerOn', init)),
  powerOff: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vapps/{vappId}/actions/powerOff', init)),
  shutdown: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vapps/{vappId}/actions/shutdown', init)),
  reset: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vapps/{vappId}/actions/reset', init)),
  reboot: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vapps/{vappId}/actions/reboot', init)),
  suspend: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vapps/{vappId}/actions/suspend', init)),
  resume: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vapps/{vappId}/actions/resume', init)),
};

/** Lists do not have the VMs of a vApp. */
type Vapp = Schemas['Vapp'] & { readonly vms?: Schemas['VappDetail']['vms'] };

export const vapps: DeletableKind<Vapp> & PoweredKind<Vapp> = {
  noun: 'vapp',
  singular: 'vApp',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/vapps', { params: { query } })),
  get: (api, vappId) => dataOf(api.GET('/cloudapi/1.0.0/vapps/{vappId}', { params: { path: { vappId } } })),
  delete: (api, { id: vappId }, query) =>
    dataOf(api.DELETE('/cloudapi/1.0.0/vapps/{vappId}', { params: { path: { vappId }, query } })),
  power: (api, id, action) => vappPower[action](api, { params: { path: { vappId: id } } }),
  urn: 'vapp',
  nameField: 'name',
  event: 'vapp',
  whereabouts: ({ vdc }) => vdc.name,
  statuses: [...powerStatuses, 'RESOLVED', 'MIXED', 'FAILED_CREATION'],
  condition: ({ status, stale, staleReason, fault, vms = [] }) => {
    const failed = vms.filter((vm) => vm.status === 'FAILED').map(({ name }) => name);
    const ownReason = fault ?? (failed.length === 0 ? undefined : `failed: ${failed.join(', ')}`);
    return {
      status,
      isStale: stale,
      hasFailed: status === 'FAILED_CREATION' || status === 'FAILED' || failed.length > 0,
      why: stale ? staleReason?.message : ownReason,
    };
  },
  view: {
    plural: 'vApps',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'VDC', cell: ({ vdc }) => vdc.name },
      { header: 'STATUS', cell: status },
      { header: 'VMS', cell: ({ numberOfVMs }) => numberOfVMs },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      { header: 'REASON', cell: ({ stale, staleReason, fault }) => (stale ? staleReason?.reason : undefined) ?? fault },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
    // The API has no such status: nothing shows a vApp after its deletion.
    gone: (one) => Object.assign({ ...one }, { status: 'DELETED' }),
  },
};

const vmPower: Readonly<
  Record<PowerAction, (api: TypedClient, init: { params: { path: { vmId: string } } }) => Promise<Schemas['ChangedVm']>>
> = {
  powerOn: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vms/{vmId}/actions/powerOn', init)),
  powerOff: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vms/{vmId}/actions/powerOff', init)),
  shutdown: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vms/{vmId}/actions/shutdown', init)),
  reset: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vms/{vmId}/actions/reset', init)),
  reboot: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vms/{vmId}/actions/reboot', init)),
  suspend: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vms/{vmId}/actions/suspend', init)),
  resume: (api, init) => dataOf(api.POST('/cloudapi/1.0.0/vms/{vmId}/actions/resume', init)),
};

function vmReason({ fault, stale, staleReason, restartRequired }: Schemas['Vm']): string {
  const pending = restartRequired ? 'restart pending' : undefined;
  return [stale ? staleReason?.reason : undefined, fault?.reason, pending]
    .filter((one) => one !== undefined)
    .join(', ');
}

export const vms: DeletableKind<Schemas['Vm']> & PoweredKind<Schemas['Vm']> = {
  noun: 'vm',
  singular: 'virtual machine',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/vms', { params: { query } })),
  get: (api, vmId) => dataOf(api.GET('/cloudapi/1.0.0/vms/{vmId}', { params: { path: { vmId } } })),
  delete: (api, { id: vmId }, query) =>
    dataOf(api.DELETE('/cloudapi/1.0.0/vms/{vmId}', { params: { path: { vmId }, query } })),
  power: (api, id, action) => vmPower[action](api, { params: { path: { vmId: id } } }),
  urn: 'vm',
  nameField: 'name',
  event: 'vm',
  whereabouts: ({ vdc, vapp, standalone }) => (standalone ? vdc.name : `${vdc.name} / ${vapp.name}`),
  statuses: powerStatuses,
  condition: ({ status, stale, staleReason, fault }) => ({
    status,
    isStale: stale,
    hasFailed: status === 'FAILED',
    why: stale ? staleReason?.message : fault?.message,
  }),
  view: {
    plural: 'virtual machines',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'VDC', cell: ({ vdc }) => vdc.name },
      { header: 'VAPP', cell: ({ vapp, standalone }) => (standalone ? undefined : vapp.name), wide: true },
      { header: 'STATUS', cell: status },
      { header: 'CPUS', cell: ({ cpus }) => cpus },
      { header: 'MEMORY MB', cell: ({ memoryMb }) => memoryMb },
      { header: 'ADDRESS', cell: ({ ipAddresses }) => ipAddresses.join(',') },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      { header: 'REASON', cell: vmReason },
      { header: 'GUEST', cell: ({ guestOs }) => guestOs, wide: true },
      { header: 'DISKS', cell: ({ disks }) => disks.map(({ name }) => name).join(','), wide: true },
      { header: 'NODE', cell: ({ placement }) => placement?.node, wide: true },
      { header: 'FAULT', cell: ({ fault }) => fault?.message, wide: true },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
    gone: (one) => ({ ...one, status: 'DELETED' }),
  },
};

export const tasks: Kind<Schemas['Task']> = {
  noun: 'task',
  singular: 'task',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/tasks', { params: { query } })),
  get: (api, taskId) => dataOf(api.GET('/cloudapi/1.0.0/tasks/{taskId}', { params: { path: { taskId } } })),
  urn: 'task',
  event: 'task',
  view: {
    plural: 'tasks',
    name: ({ id }) => id,
    columns: [
      { header: 'ID', cell: ({ id }) => id },
      { header: 'OPERATION', cell: ({ operation }) => operation },
      { header: 'STATUS', cell: ({ status }) => status },
      { header: 'PROGRESS', cell: ({ progress }) => `${progress} %` },
      { header: 'USER', cell: ({ user }) => user?.name },
      { header: 'AGE', cell: ({ startTime }) => age(startTime) },
      { header: 'REASON', cell: ({ error }) => error?.minorErrorCode },
      { header: 'STEP', cell: ({ step }) => step, wide: true },
      { header: 'MESSAGE', cell: ({ error, message }) => error?.message ?? message, wide: true },
    ],
  },
};

export const syncFailures: Kind<Schemas['SyncFailure']> = {
  noun: 'sync-failure',
  singular: 'sync failure',
  list: (api, query) => dataOf(api.GET('/cloudapi/1.0.0/syncFailures', { params: { query } })),
  get: (api, failureId) =>
    dataOf(api.GET('/cloudapi/1.0.0/syncFailures/{failureId}', { params: { path: { failureId } } })),
  urn: 'syncFailure',
  view: {
    plural: 'sync failures',
    name: ({ id }) => id,
    columns: [
      { header: 'MACHINE', cell: ({ namespace, vmName }) => `${namespace}/${vmName}` },
      { header: 'CLUSTER', cell: ({ cluster }) => cluster },
      { header: 'ERROR', cell: ({ errorType }) => errorType },
      { header: 'ATTEMPTS', cell: ({ attempts }) => attempts },
      { header: 'LAST', cell: ({ lastFailedAt }) => age(lastFailedAt) },
      { header: 'RESOLVED', cell: ({ resolvedAt }) => resolvedAt !== null },
      { header: 'MESSAGE', cell: ({ message }) => message, wide: true },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
  },
};
