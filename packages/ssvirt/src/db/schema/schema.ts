/**
 * The tables and views as Kysely sees them. Columns keep their database names: a row is what was stored, and the HTTP
 * layer renders it. `bigint` is read as a number (../connection/client.ts configures that): sizes, quotas, epochs and
 * sequences stay far below 2^53.
 */
import type { ColumnType, Generated } from 'kysely';

import type { ObservedDisk } from '../observations/contracts.ts';
import type { ShownVappStatus, ShownVmStatus, TaskStatus, VmStatus } from '../vms/statuses.ts';

export type { ShownVappStatus, ShownVmStatus, TaskStatus } from '../vms/statuses.ts';

declare const kind: unique symbol;

/** A uuid branded with what it identifies. */
type Id<Kind extends string> = string & { readonly [kind]: Kind };

export type OrganizationId = Id<'organization'>;
export type RoleId = Id<'role'>;
export type UserId = Id<'user'>;
export type SessionId = Id<'session'>;
export type VdcId = Id<'vdc'>;
export type CatalogId = Id<'catalog'>;
export type CatalogItemId = Id<'catalogItem'>;
export type VappId = Id<'vapp'>;
export type VmId = Id<'vm'>;
export type TaskId = Id<'task'>;
export type AuditEventId = Id<'auditEvent'>;
export type SyncFailureId = Id<'syncFailure'>;
export type ApiTokenId = Id<'apiToken'>;

/**
 * An object in a jsonb column. (An array must be written as JSON text, because the driver takes an array for a
 * PostgreSQL array.)
 */
export type JsonObject = Readonly<Record<string, unknown>>;
type StoredObject = ColumnType<JsonObject, JsonObject | undefined, JsonObject>;

export type AllocationModel = 'PayAsYouGo' | 'AllocationPool' | 'ReservationPool' | 'Flex';
export type Creation = 'running' | 'done' | 'failed';
export type AuditOutcome = 'success' | 'refused' | 'failed';

interface Timestamps {
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

/** A deleted row is kept for a while; natural keys are unique among rows without `deleted_at`. */
interface Deletable extends Timestamps {
  readonly deleted_at: Date | null;
}

export interface OrganizationTable extends Deletable {
  readonly id: Generated<OrganizationId>;
  readonly name: string;
  readonly display_name: Generated<string>;
  readonly description: Generated<string>;
  readonly enabled: Generated<boolean>;
  readonly can_manage_orgs: Generated<boolean>;
  readonly can_publish: Generated<boolean>;
}

export interface RoleTable {
  readonly id: RoleId;
  readonly name: string;
  readonly description: Generated<string>;
  readonly read_only: Generated<boolean>;
}

export interface UserTable extends Deletable {
  readonly id: Generated<UserId>;
  readonly organization_id: OrganizationId;
  readonly username: string;
  readonly full_name: Generated<string>;
  readonly description: Generated<string>;
  readonly email: Generated<string>;
  readonly password_hash: string | null;
  readonly enabled: Generated<boolean>;
  readonly locked: Generated<boolean>;
  readonly provider_type: Generated<string>;
  readonly deployed_vm_quota: Generated<number>;
  readonly stored_vm_quota: Generated<number>;
}

export interface UserRoleTable {
  readonly user_id: UserId;
  readonly role_id: RoleId;
}

export interface SessionTable {
  readonly id: Generated<SessionId>;
  readonly user_id: UserId;
  readonly organization_id: OrganizationId;
  readonly token_hash: Buffer;
  readonly client_address: Generated<string>;
  readonly user_agent: Generated<string>;
  readonly created_at: Generated<Date>;
  readonly last_used_at: Generated<Date>;
  /** Every use extends it. */
  readonly expires_at: Date;
  /** No use extends it. */
  readonly lasts_until: Generated<Date>;
  readonly api_token_id: ApiTokenId | null;
  readonly ended_at: Date | null;
}

export interface ApiTokenTable {
  readonly id: Generated<ApiTokenId>;
  readonly user_id: UserId;
  readonly organization_id: OrganizationId;
  readonly name: string;
  readonly token_hash: Buffer | null;
  readonly created_at: Generated<Date>;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

export interface LoginFailureTable {
  readonly key: Buffer;
  readonly failures: number;
  readonly last_failed_at: Generated<Date>;
  readonly blocked_until: Date | null;
}

export interface KnownLogInTable {
  readonly key: Buffer;
  readonly last_used_at: Generated<Date>;
}

export interface InstallationTable {
  readonly only_row: Generated<boolean>;
  readonly id: Generated<string>;
  readonly created_at: Generated<Date>;
}

export interface VdcTable extends Deletable {
  readonly id: Generated<VdcId>;
  readonly organization_id: OrganizationId;
  readonly name: string;
  readonly description: Generated<string>;
  readonly cluster: Generated<string>;
  readonly namespace: string;
  readonly allocation_model: Generated<AllocationModel>;
  readonly cpu_allocated_mhz: Generated<number>;
  readonly cpu_limit_mhz: Generated<number>;
  readonly memory_allocated_mb: Generated<number>;
  readonly memory_limit_mb: Generated<number>;
  readonly storage_limit_mb: Generated<number>;
  readonly vcpu_mhz: Generated<number>;
  readonly vm_quota: Generated<number>;
  readonly nic_quota: Generated<number>;
  readonly network_quota: Generated<number>;
  readonly thin_provision: Generated<boolean>;
  readonly enabled: Generated<boolean>;
  readonly desired_state: Generated<'present' | 'absent'>;
}

export interface ReconciliationTable {
  readonly kind: string;
  readonly entity_id: string;
  readonly cluster: string;
  readonly due_at: Generated<Date>;
  readonly wish: Generated<number>;
  readonly owner: string | null;
  readonly attempt: Generated<number>;
  readonly lease_until: Date | null;
  readonly failures: Generated<number>;
  readonly message: Generated<string>;
  readonly updated_at: Generated<Date>;
}

export interface VdcAppliedTable {
  readonly vdc_id: VdcId;
  readonly namespace_uid: string | null;
  readonly objects: StoredObject;
  readonly ready: Generated<boolean>;
  readonly fault: string | null;
  readonly attempt: Generated<number>;
  readonly updated_at: Generated<Date>;
}

export interface CatalogTable extends Deletable {
  readonly id: Generated<CatalogId>;
  readonly organization_id: OrganizationId;
  readonly owner_id: UserId | null;
  readonly name: string;
  readonly description: Generated<string>;
  readonly published: Generated<boolean>;
  readonly includes_templates: Generated<boolean>;
  readonly version: Generated<number>;
}

export interface CatalogItemTable extends Deletable {
  readonly id: Generated<CatalogItemId>;
  readonly catalog_id: CatalogId;
  readonly name: string;
  readonly description: Generated<string>;
  readonly definition: StoredObject;
}

export interface VappTable extends Deletable {
  readonly id: Generated<VappId>;
  readonly vdc_id: VdcId;
  /** Copied from the VDC. */
  readonly organization_id: Shown<OrganizationId>;
  readonly name: string;
  readonly description: Generated<string>;
  readonly hidden: Generated<boolean>;
  readonly desired_state: Generated<'present' | 'absent'>;
  readonly creation: Generated<Creation>;
  readonly spec: StoredObject;
  /** Who created it, if that is known. */
  readonly owner_id: UserId | null;
}

export interface VappAppliedTable {
  readonly vapp_id: VappId;
  readonly uid: string | null;
  readonly fault: string | null;
  readonly attempt: Generated<number>;
  readonly updated_at: Generated<Date>;
}

/** Exactly one of the two is set. */
export interface RepeatedCreationTable {
  readonly vapp_id: VappId | null;
  readonly vm_id: VmId | null;
  readonly noted_at: Generated<Date>;
}

export interface VmTable extends Deletable {
  readonly id: Generated<VmId>;
  readonly vapp_id: VappId;
  /** Copied from the vApp. */
  readonly vdc_id: Shown<VdcId>;
  readonly organization_id: Shown<OrganizationId>;
  readonly name: string;
  readonly description: Generated<string>;
  readonly cluster: string;
  readonly namespace: string;
  readonly vm_name: string;
  readonly origin: Generated<'requested' | 'discovered'>;
  readonly desired_state: Generated<'present' | 'absent' | 'none'>;
  readonly desired_power: 'on' | 'off' | null;
  readonly cpu_count: number | null;
  readonly memory_mb: number | null;
  readonly guest_os: string | null;
  readonly spec: StoredObject;
  /** Who created it; null for a discovered VM, and if it is not known. */
  readonly owner_id: UserId | null;
}

export interface VmAppliedTable {
  readonly vm_id: VmId;
  readonly uid: string | null;
  readonly generation: Generated<number>;
  readonly fault: string | null;
  readonly attempt: Generated<number>;
  readonly updated_at: Generated<Date>;
}

export interface ConsoleTicketTable {
  readonly hash: Buffer;
  readonly vm_id: VmId;
  readonly session_id: SessionId;
  readonly kind: 'serial' | 'vnc';
  readonly created_at: Generated<Date>;
  readonly expires_at: Date;
  readonly used_at: Date | null;
}

export interface VmObservedTable {
  readonly vm_id: VmId;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: Generated<number>;
  readonly status: VmStatus;
  readonly gone: ColumnType<boolean, never, never>;
  readonly busy: Generated<boolean>;
  readonly restart_required: Generated<boolean>;
  readonly fault_reason: string | null;
  readonly fault: string | null;
  readonly trouble: string | null;
  readonly trouble_since: Date | null;
  readonly cpu_count: number | null;
  readonly memory_mb: number | null;
  readonly guest_os: string | null;
  readonly ip_addresses: Generated<string[]>;
  readonly node: string | null;
  readonly host_name: string | null;
  readonly disks: ColumnType<readonly ObservedDisk[], string | undefined, string>;
  readonly epoch: number;
  readonly sequence: number;
  readonly first_observed_at: Generated<Date>;
  readonly status_changed_at: Generated<Date>;
  readonly observed_at: Generated<Date>;
}

/** What lists of VMs are filtered and sorted by. Triggers write it. */
interface VmListCopy {
  readonly vm_id: Shown<VmId>;
  readonly organization_id: Shown<OrganizationId>;
  readonly vdc_id: Shown<VdcId>;
  readonly vapp_id: Shown<VappId>;
  /** It is neither deleted here nor gone from its cluster. */
  readonly listed: Shown<boolean>;
  /** It was deleted in its cluster, without a request here. */
  readonly gone: Shown<boolean>;
}

export interface VmListStatesTable extends VmListCopy {
  /** The shown status, in lower case. */
  readonly status: Shown<string>;
  readonly observed_status: Shown<VmStatus | null>;
}

/** Texts are in lower case. Without a value, texts are empty and numbers -1. */
export interface VmListKeysTable extends VmListCopy {
  readonly vdc_name: Shown<string>;
  readonly owner_id: Shown<UserId | null>;
  readonly owner_name: Shown<string>;
  readonly cpus: Shown<string>;
  readonly memory_mb: Shown<string>;
  readonly guest_os: Shown<string>;
  /** Addresses in the order of the observation, without those that are none. */
  readonly ip_addresses: Shown<string>;
  /** The first one, or 0.0.0.0/0. */
  readonly address: Shown<string>;
}

export interface VappObservedTable {
  readonly vapp_id: VappId;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly creation: Creation;
  readonly fault: string | null;
  readonly epoch: number;
  readonly sequence: number;
  readonly observed_at: Generated<Date>;
}

export interface ClusterTable {
  readonly name: string;
  readonly identity: string | null;
  readonly accepted_identity: string | null;
  readonly state: 'synced' | 'stale' | 'frozen';
  readonly message: Generated<string>;
  readonly unreadable_namespaces: Generated<string[]>;
  readonly state_since: Generated<Date>;
  readonly synced_at: Date | null;
  /** When the last successful contact began, by the database's clock. */
  readonly contacted_at: Generated<Date | null>;
  /** Until then the shown status of its VMs counts as current. */
  readonly current_until: Generated<Date | null>;
  /** The staleness that the event stream reported last. */
  readonly told_stale: Generated<boolean | null>;
  readonly epoch: number;
  readonly updated_at: Generated<Date>;
}

/** Only the vm-controller writes it: see fleet/health/cluster-details.ts for its content. */
export interface ClusterDetailsTable {
  readonly cluster: string;
  readonly details: JsonObject;
  readonly read_at: Date;
}

type Shown<T> = ColumnType<T, never, never>;

export interface VmStatusView {
  readonly vm_id: Shown<VmId>;
  readonly vapp_id: Shown<VappId>;
  readonly status: Shown<ShownVmStatus>;
  readonly stale: Shown<boolean>;
}

export interface VappStatusView {
  readonly vapp_id: Shown<VappId>;
  readonly status: Shown<ShownVappStatus>;
  readonly stale: Shown<boolean>;
  /** The number of its VMs that are not DELETED. */
  readonly machines: Shown<number>;
}

export interface TaskTable extends Timestamps {
  readonly id: Generated<TaskId>;
  readonly organization_id: OrganizationId;
  readonly user_id: UserId | null;
  readonly owner_kind: string;
  readonly owner_id: string;
  readonly operation: string;
  readonly status: Generated<TaskStatus>;
  readonly progress: Generated<number>;
  readonly step: Generated<string>;
  readonly error: JsonObject | null;
  readonly details: StoredObject;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
}

export interface AuditEventTable {
  readonly id: Generated<AuditEventId>;
  readonly at: Generated<Date>;
  readonly organization_id: OrganizationId | null;
  readonly user_id: UserId | null;
  readonly user_name: Generated<string>;
  readonly action: string;
  readonly entity_kind: Generated<string>;
  readonly entity_id: string | null;
  readonly entity_name: Generated<string>;
  readonly outcome: AuditOutcome;
  readonly request_id: Generated<string>;
  readonly client_address: Generated<string>;
  readonly details: StoredObject;
}

export interface SyncFailureTable {
  readonly id: Generated<SyncFailureId>;
  readonly cluster: string;
  readonly namespace: string;
  readonly vm_name: string;
  readonly vm_id: VmId | null;
  readonly error_type: string;
  readonly message: string;
  readonly attempts: number;
  readonly first_failed_at: Generated<Date>;
  readonly last_failed_at: Generated<Date>;
  readonly resolved_at: Date | null;
}

export interface LeaderTable {
  readonly name: string;
  readonly epoch: number;
  readonly lease_epoch: number;
  readonly round: Generated<number>;
  readonly holder: string;
  readonly won_at: Generated<Date>;
}

export interface HeartbeatTable {
  readonly name: string;
  readonly epoch: number;
  readonly holder: string;
  readonly at: Generated<Date>;
  readonly details: StoredObject;
}

export type ChangeOperation = 'created' | 'updated' | 'observed' | 'deleted';

export interface ChangeLogTable {
  /** xid8, as text: only the database compares it. */
  readonly transaction: Generated<string>;
  readonly sequence: ColumnType<number, never, never>;
  readonly at: Generated<Date>;
  readonly kind: string;
  readonly operation: ChangeOperation;
  readonly entity_id: string;
  readonly organization_id: OrganizationId | null;
  readonly vdc_id: VdcId | null;
  readonly vapp_id: VappId | null;
  readonly data: StoredObject;
}

export interface Tables {
  readonly organizations: OrganizationTable;
  readonly roles: RoleTable;
  readonly users: UserTable;
  readonly user_roles: UserRoleTable;
  readonly sessions: SessionTable;
  readonly api_tokens: ApiTokenTable;
  readonly login_failures: LoginFailureTable;
  readonly known_log_ins: KnownLogInTable;
  readonly installation: InstallationTable;
  readonly vdcs: VdcTable;
  readonly reconciliations: ReconciliationTable;
  readonly vdc_applied: VdcAppliedTable;
  readonly catalogs: CatalogTable;
  readonly catalog_items: CatalogItemTable;
  readonly vapps: VappTable;
  readonly vapp_applied: VappAppliedTable;
  readonly vms: VmTable;
  readonly vm_applied: VmAppliedTable;
  readonly repeated_creations: RepeatedCreationTable;
  readonly console_tickets: ConsoleTicketTable;
  readonly vm_observed: VmObservedTable;
  readonly vm_list_states: VmListStatesTable;
  readonly vm_list_keys: VmListKeysTable;
  readonly vapp_observed: VappObservedTable;
  readonly clusters: ClusterTable;
  readonly cluster_details: ClusterDetailsTable;
  readonly vm_status: VmStatusView;
  readonly vapp_status: VappStatusView;
  readonly tasks: TaskTable;
  readonly audit_events: AuditEventTable;
  readonly sync_failures: SyncFailureTable;
  readonly leaders: LeaderTable;
  readonly heartbeats: HeartbeatTable;
  readonly change_log: ChangeLogTable;
}
