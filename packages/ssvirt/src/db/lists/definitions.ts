/**
 * All lists. Fields have the names of the response bodies that show them; some have a second name that VCD's clients
 * use.
 */
import { sql } from 'kysely';
import {
  fixed,
  flag,
  id,
  noticedIn,
  number,
  of,
  oneOf,
  orNone,
  seenIn,
  sortable,
  text,
  timestamp,
  type FieldType,
  type ListChanges,
  type ListDefinition,
  type ListField,
} from './definition.ts';
import { itemStatuses, shownVappStatuses, shownVmStatuses, taskStatuses } from '../vms/statuses.ts';

/** The organization that a row belongs to permanently, by the row's own column: no other table is read for it. */
function ofOrganization(column: string): Readonly<Record<string, ListField>> {
  const own = fixed(id(column));
  const name = of('organization', text('organizations.name'));
  return {
    'org.id': own,
    organizationId: own,
    'orgEntityRef.id': own,
    'org.name': name,
    'orgEntityRef.name': name,
    orgName: name,
    organizationName: name,
  };
}

/** The rows are logged under one kind, and a row enters or leaves a list only when it is created or deleted. */
function logged(kind: string): ListChanges {
  return { kinds: [kind], withinOrganization: true, updatesMatter: false };
}

const byName = { field: 'name', direction: 'asc' } as const;

export const organizationList: ListDefinition = {
  name: 'organizations',
  changes: logged('organization'),
  id: sql.ref('organizations.id'),
  order: byName,
  fields: {
    id: fixed(id('organizations.id')),
    name: sortable(text('organizations.name')),
    displayName: sortable(text('organizations.display_name')),
    description: text('organizations.description'),
    isEnabled: flag('organizations.enabled'),
    canManageOrgs: flag('organizations.can_manage_orgs'),
    canPublish: flag('organizations.can_publish'),
    createdAt: fixed(sortable(timestamp('organizations.created_at'))),
    updatedAt: timestamp('organizations.updated_at'),
  },
};

export const roleList: ListDefinition = {
  name: 'roles',
  id: sql.ref('roles.id'),
  order: byName,
  fields: {
    id: fixed(id('roles.id')),
    name: sortable(text('roles.name')),
    description: text('roles.description'),
    readOnly: flag('roles.read_only'),
  },
};

const username = sortable(text('users.username'));

export const userList: ListDefinition = {
  name: 'users',
  changes: logged('user'),
  id: sql.ref('users.id'),
  order: { field: 'username', direction: 'asc' },
  fields: {
    id: fixed(id('users.id')),
    username,
    name: username,
    fullName: sortable(text('users.full_name')),
    description: text('users.description'),
    email: text('users.email'),
    enabled: flag('users.enabled'),
    isEnabled: flag('users.enabled'),
    locked: flag('users.locked'),
    providerType: text('users.provider_type'),
    deployedVmQuota: number('users.deployed_vm_quota'),
    storedVmQuota: number('users.stored_vm_quota'),
    ...ofOrganization('users.organization_id'),
    createdAt: fixed(sortable(timestamp('users.created_at'))),
    updatedAt: timestamp('users.updated_at'),
  },
};

export const vdcList: ListDefinition = {
  name: 'virtual data centers',
  changes: logged('vdc'),
  id: sql.ref('vdcs.id'),
  order: byName,
  fields: {
    id: fixed(id('vdcs.id')),
    name: sortable(text('vdcs.name')),
    description: text('vdcs.description'),
    isEnabled: flag('vdcs.enabled'),
    allocationModel: text('vdcs.allocation_model'),
    cluster: fixed(text('vdcs.cluster')),
    namespace: fixed(text('vdcs.namespace')),
    vmQuota: number('vdcs.vm_quota'),
    nicQuota: number('vdcs.nic_quota'),
    networkQuota: number('vdcs.network_quota'),
    isThinProvision: flag('vdcs.thin_provision'),
    ...ofOrganization('vdcs.organization_id'),
    createdAt: fixed(sortable(timestamp('vdcs.created_at'))),
    updatedAt: timestamp('vdcs.updated_at'),
  },
};

export const catalogList: ListDefinition = {
  name: 'catalogs',
  // Other organizations publish theirs.
  changes: { kinds: ['catalog'], withinOrganization: false, updatesMatter: true },
  id: sql.ref('catalogs.id'),
  order: byName,
  fields: {
    id: fixed(id('catalogs.id')),
    name: sortable(text('catalogs.name')),
    description: text('catalogs.description'),
    isPublished: flag('catalogs.published'),
    version: number('catalogs.version'),
    includesTemplates: flag('catalogs.includes_templates'),
    'owner.id': id('catalogs.owner_id'),
    'owner.name': of('user', text('owners.username')),
    ...ofOrganization('catalogs.organization_id'),
    createdAt: fixed(sortable(timestamp('catalogs.created_at'))),
    creationDate: fixed(sortable(timestamp('catalogs.created_at'))),
    updatedAt: timestamp('catalogs.updated_at'),
  },
};

export const catalogItemList: ListDefinition = {
  name: 'catalog items',
  changes: { kinds: ['catalogItem', 'catalog'], withinOrganization: false, updatesMatter: true },
  id: sql.ref('catalog_items.id'),
  order: byName,
  fields: {
    id: fixed(id('catalog_items.id')),
    name: sortable(text('catalog_items.name')),
    description: text('catalog_items.description'),
    // The same for all stored items. They are listed together with offers of clusters, which differ in it.
    status: oneOf(itemStatuses, fixed(sortable({ type: 'text', value: sql`lower('AVAILABLE')` }))),
    'source.kind': fixed(sortable({ type: 'text', value: sql`lower('database')` })),
    isPublished: of('catalog', {
      type: 'boolean',
      value: sql`(SELECT catalogs.published FROM catalogs WHERE catalogs.id = catalog_items.catalog_id)`,
    }),
    createdAt: fixed(sortable(timestamp('catalog_items.created_at'))),
    creationDate: fixed(sortable(timestamp('catalog_items.created_at'))),
    updatedAt: timestamp('catalog_items.updated_at'),
  },
};

export const vappList: ListDefinition = {
  name: 'vApps',
  // A hidden vApp can become visible.
  changes: { ...logged('vapp'), updatesMatter: true },
  id: sql.ref('vapps.id'),
  order: byName,
  fields: {
    id: fixed(id('vapps.id')),
    name: sortable(text('vapps.name')),
    description: text('vapps.description'),
    status: oneOf(
      shownVappStatuses,
      seenIn(
        ['vm', 'vapp'],
        of('vm', { type: 'text', value: sql`(SELECT lower(s.status) FROM vapp_status s WHERE s.vapp_id = vapps.id)` }),
      ),
    ),
    'vdc.id': fixed(id('vapps.vdc_id')),
    vdcId: fixed(id('vapps.vdc_id')),
    'org.id': fixed(id('vapps.organization_id')),
    createdAt: fixed(sortable(timestamp('vapps.created_at'))),
    updatedAt: timestamp('vapps.updated_at'),
  },
};

type VmListTable = 'vm_list_keys' | 'vm_list_states';

/** A field of such a table, whose texts are in lower case already, that an index has in order. */
function vmKey(type: FieldType, column: string, table: VmListTable = 'vm_list_keys'): ListField {
  return sortable({ type, value: sql.ref(`${table}.${column}`), table });
}

const noText = sql`''`;
const noNumber = sql`-1`;

/** Unknown before the first observation, and for VMs that were requested by instance type. */
function vmSize(column: string): ListField {
  return noticedIn(['vm'], orNone(noNumber, vmKey('number', column)));
}

const vmAddresses: ListField = {
  ...noticedIn(['vm'], vmKey('address', 'address')),
  having: (address) => sql`SELECT a.vm_id FROM vm_list_keys a WHERE a.listed AND a.ip_addresses @> ARRAY[${address}]`,
};

export const vmList: ListDefinition = {
  name: 'virtual machines',
  changes: logged('vm'),
  id: sql.ref('vms.id'),
  order: byName,
  fields: {
    id: fixed(id('vms.id')),
    name: sortable(text('vms.name')),
    description: text('vms.description'),
    status: oneOf(shownVmStatuses, seenIn(['vm'], vmKey('text', 'status', 'vm_list_states'))),
    ipAddresses: vmAddresses,
    ipAddress: vmAddresses,
    guestOs: noticedIn(['vm'], orNone(noText, vmKey('text', 'guest_os'))),
    cpus: vmSize('cpus'),
    memoryMb: vmSize('memory_mb'),
    'owner.id': fixed({ ...id('vm_list_keys.owner_id'), table: 'vm_list_keys' }),
    // The provider's users may own VMs of any organization.
    'owner.name': { ...of('user', orNone(noText, vmKey('text', 'owner_name'))), elsewhere: true },
    'vapp.id': fixed(id('vms.vapp_id')),
    vappId: fixed(id('vms.vapp_id')),
    'vdc.id': fixed(id('vms.vdc_id')),
    vdcId: fixed(id('vms.vdc_id')),
    'vdc.name': of('vdc', vmKey('text', 'vdc_name')),
    'org.id': fixed(id('vms.organization_id')),
    createdAt: fixed(sortable(timestamp('vms.created_at'))),
    updatedAt: timestamp('vms.updated_at'),
  },
};

/** The same ids in a table from which the list is read alone. */
export function vmIdsIn(table: VmListTable): ListDefinition['fields'] {
  const own = (column: string): ListField => ({ ...fixed(id(`${table}.${column}`)), table });
  return {
    id: own('vm_id'),
    'vdc.id': own('vdc_id'),
    vdcId: own('vdc_id'),
    'org.id': own('organization_id'),
  };
}

/** For the provider: only the provider knows clusters. */
export const providerVmList: ListDefinition = {
  ...vmList,
  fields: { ...vmList.fields, cluster: fixed(text('vms.cluster')), namespace: fixed(text('vms.namespace')) },
};

export const taskList: ListDefinition = {
  name: 'tasks',
  changes: logged('task'),
  id: sql.ref('tasks.id'),
  order: { field: 'createdAt', direction: 'desc' },
  fields: {
    id: fixed(id('tasks.id')),
    operationName: fixed(text('tasks.operation')),
    status: oneOf(taskStatuses, text('tasks.status')),
    progress: number('tasks.progress'),
    'owner.id': fixed(id('tasks.owner_id')),
    ownerId: fixed(id('tasks.owner_id')),
    'owner.type': fixed(text('tasks.owner_kind')),
    'user.id': fixed(id('tasks.user_id')),
    'org.id': fixed(id('tasks.organization_id')),
    organizationId: fixed(id('tasks.organization_id')),
    createdAt: fixed(sortable(timestamp('tasks.created_at'))),
    updatedAt: timestamp('tasks.updated_at'),
    startTime: { type: 'timestamp', value: sql`coalesce(tasks.started_at, tasks.created_at)` },
    endTime: timestamp('tasks.ended_at'),
  },
};

export const auditEventList: ListDefinition = {
  name: 'audit events',
  id: sql.ref('audit_events.id'),
  order: { field: 'timestamp', direction: 'desc' },
  fields: {
    id: fixed(id('audit_events.id')),
    timestamp: sortable(timestamp('audit_events.at')),
    action: text('audit_events.action'),
    eventType: text('audit_events.action'),
    outcome: text('audit_events.outcome'),
    'user.id': id('audit_events.user_id'),
    'user.name': text('audit_events.user_name'),
    'org.id': id('audit_events.organization_id'),
    'org.name': text('organizations.name'),
    organizationId: id('audit_events.organization_id'),
    'eventEntity.id': id('audit_events.entity_id'),
    'eventEntity.name': text('audit_events.entity_name'),
    'eventEntity.type': text('audit_events.entity_kind'),
    'entity.id': id('audit_events.entity_id'),
    'entity.name': text('audit_events.entity_name'),
    'entity.type': text('audit_events.entity_kind'),
    requestId: text('audit_events.request_id'),
    clientAddress: text('audit_events.client_address'),
  },
};

export const syncFailureList: ListDefinition = {
  name: 'failures to synchronize',
  id: sql.ref('sync_failures.id'),
  order: { field: 'lastFailedAt', direction: 'desc' },
  fields: {
    id: fixed(id('sync_failures.id')),
    cluster: text('sync_failures.cluster'),
    namespace: text('sync_failures.namespace'),
    vmName: text('sync_failures.vm_name'),
    'vm.id': id('sync_failures.vm_id'),
    errorType: text('sync_failures.error_type'),
    message: text('sync_failures.message'),
    attempts: number('sync_failures.attempts'),
    firstFailedAt: timestamp('sync_failures.first_failed_at'),
    lastFailedAt: sortable(timestamp('sync_failures.last_failed_at')),
    resolvedAt: timestamp('sync_failures.resolved_at'),
    isResolved: { type: 'boolean', value: sql`(sync_failures.resolved_at IS NOT NULL)` },
  },
};

export const apiTokenList: ListDefinition = {
  name: 'tokens',
  id: sql.ref('api_tokens.id'),
  order: byName,
  fields: {
    id: fixed(id('api_tokens.id')),
    name: sortable(text('api_tokens.name')),
    'owner.id': id('api_tokens.user_id'),
    'owner.name': text('users.username'),
    'org.id': id('api_tokens.organization_id'),
    'org.name': text('organizations.name'),
    type: { type: 'text', value: sql`lower('REFRESH')` },
    createdAt: fixed(sortable(timestamp('api_tokens.created_at'))),
    lastUsedAt: timestamp('api_tokens.last_used_at'),
    expirationDate: timestamp('api_tokens.expires_at'),
  },
};
