/** The kinds of API objects, with their columns. */
import { age } from './age.ts';
import type {
  ListedCatalog,
  ListedCatalogItem,
  ListedOrganization,
  ListedSyncFailure,
  ListedTask,
  ListedUser,
  ListedVapp,
  ListedVdc,
  ListedVm,
} from './entities.ts';
import type { Kind } from './kind.ts';

const base = '/cloudapi/1.0.0';

const status = ({ status, stale }: { readonly status: string; readonly stale: boolean }): string =>
  stale ? `${status} (stale)` : status;

export const organizations: Kind<ListedOrganization> = {
  noun: 'org',
  singular: 'organization',
  path: `${base}/orgs`,
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

export const users: Kind<ListedUser> = {
  noun: 'user',
  singular: 'user',
  path: `${base}/users`,
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

export const vdcs: Kind<ListedVdc> = {
  noun: 'vdc',
  singular: 'virtual data center',
  path: `${base}/vdcs`,
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
      { header: 'STATUS', cell: ({ statusText, stale = false }) => status({ status: statusText, stale }) },
      { header: 'ENABLED', cell: ({ isEnabled }) => isEnabled },
      { header: 'VCPUS', cell: ({ computeCapacity }) => limit(computeCapacity.cpu.cores) },
      { header: 'MEMORY MB', cell: ({ computeCapacity }) => limit(computeCapacity.memory.limit) },
      { header: 'STORAGE MB', cell: ({ storageLimitMb }) => limit(storageLimitMb) },
      { header: 'VMS', cell: ({ vmQuota }) => limit(vmQuota) },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      { header: 'MESSAGE', cell: ({ message }) => message, wide: true },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
    gone: (one) => ({ ...one, statusText: 'DELETED' }),
  },
};

export const catalogs: Kind<ListedCatalog> = {
  noun: 'catalog',
  singular: 'catalog',
  path: `${base}/catalogs`,
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

export function itemsOf(catalog: string): Kind<ListedCatalogItem> {
  return {
    noun: 'catalog item',
    singular: 'catalog item',
    path: `${catalogs.path}/${catalog}/catalogItems`,
    urn: 'catalogitem',
    nameField: 'name',
    event: 'catalogItem',
    whereabouts: ({ catalog }) => catalog.name,
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
        { header: 'MESSAGE', cell: ({ statusMessage }) => statusMessage, wide: true },
        { header: 'ID', cell: ({ id }) => id, wide: true },
      ],
    },
  };
}

function sizeOf({ instancetype, entity: { numberOfCpus, memoryAllocation } }: ListedCatalogItem): string | undefined {
  if (instancetype !== undefined) return instancetype;
  if (numberOfCpus === undefined || memoryAllocation === undefined) return undefined;
  return `${numberOfCpus} CPU, ${Math.round(memoryAllocation / mib)} MB`;
}

/** The parameters that the user must give. */
function needed(parameters: ListedCatalogItem['parameters']): string {
  return parameters
    .filter(({ required, hasDefault }) => required && !hasDefault)
    .map(({ name }) => name)
    .join(', ');
}

export const vapps: Kind<ListedVapp> = {
  noun: 'vapp',
  singular: 'vApp',
  path: `${base}/vapps`,
  urn: 'vapp',
  nameField: 'name',
  event: 'vapp',
  whereabouts: ({ vdc }) => vdc.name,
  view: {
    plural: 'vApps',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'VDC', cell: ({ vdc }) => vdc.name },
      { header: 'STATUS', cell: status },
      { header: 'VMS', cell: ({ numberOfVMs }) => numberOfVMs },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      { header: 'FAULT', cell: ({ fault }) => fault, wide: true },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
    gone: (one) => ({ ...one, status: 'DELETED' }),
  },
};

export const vms: Kind<ListedVm> = {
  noun: 'vm',
  singular: 'virtual machine',
  path: `${base}/vms`,
  urn: 'vm',
  nameField: 'name',
  event: 'vm',
  whereabouts: ({ vdc, vapp }) => `${vdc.name} / ${vapp.name}`,
  view: {
    plural: 'virtual machines',
    name: ({ name }) => name,
    columns: [
      { header: 'NAME', cell: ({ name }) => name },
      { header: 'VDC', cell: ({ vdc }) => vdc.name },
      { header: 'VAPP', cell: ({ vapp }) => vapp.name, wide: true },
      { header: 'STATUS', cell: status },
      { header: 'CPUS', cell: ({ cpus }) => cpus },
      { header: 'MEMORY MB', cell: ({ memoryMb }) => memoryMb },
      { header: 'ADDRESS', cell: ({ ipAddresses }) => ipAddresses.join(',') },
      { header: 'AGE', cell: ({ createdAt }) => age(createdAt) },
      { header: 'GUEST', cell: ({ guestOs }) => guestOs, wide: true },
      { header: 'DISKS', cell: ({ disks }) => disks.map(({ name }) => name).join(','), wide: true },
      { header: 'NODE', cell: ({ placement }) => placement?.node, wide: true },
      { header: 'FAULT', cell: ({ fault }) => fault?.message, wide: true },
      { header: 'ID', cell: ({ id }) => id, wide: true },
    ],
    gone: (one) => ({ ...one, status: 'DELETED' }),
  },
};

export const tasks: Kind<ListedTask> = {
  noun: 'task',
  singular: 'task',
  path: `${base}/tasks`,
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
      { header: 'STEP', cell: ({ step }) => step, wide: true },
      { header: 'MESSAGE', cell: ({ error, message }) => error?.message ?? message, wide: true },
    ],
  },
};

export const syncFailures: Kind<ListedSyncFailure> = {
  noun: 'sync-failure',
  singular: 'sync failure',
  path: `${base}/syncFailures`,
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
