/** Rows for tests: each builder creates what its row needs, unless it is given. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Insertable, type Kysely } from 'kysely';
import { createCatalog, type Catalog } from '../../packages/ssvirt/src/db/catalogs/catalogs.ts';
import type { VmStatus } from '../../packages/ssvirt/src/db/observations/contracts.ts';
import { createOrganization, type Organization } from '../../packages/ssvirt/src/db/tenants/organizations.ts';
import type { New } from '../../packages/ssvirt/src/db/connection/rows.ts';
import type {
  CatalogTable,
  ClusterTable,
  OrganizationId,
  Tables,
  UserTable,
  VappId,
  VappTable,
  VdcId,
  VdcTable,
  VmId,
  VmObservedTable,
  VmTable,
} from '../../packages/ssvirt/src/db/schema/schema.ts';
import { createUser, type User } from '../../packages/ssvirt/src/db/tenants/users.ts';
import { createVapp, type Vapp } from '../../packages/ssvirt/src/db/vapps/vapps.ts';
import { createVdc, type Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import { createVm, type Vm } from '../../packages/ssvirt/src/db/vms/vms.ts';

type Db = Kysely<Tables>;

/** A unique name. */
export function unique(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}

export function makeOrganization(db: Db, name: string = unique('org')): Promise<Organization> {
  return createOrganization(db, { name });
}

export async function makeUser(
  db: Db,
  user: Partial<New<UserTable>> & Pick<Parameters<typeof createUser>[1], 'roles'> = {},
): Promise<User> {
  const organization_id = user.organization_id ?? (await makeOrganization(db)).id;
  return createUser(db, { username: unique('user'), ...user, organization_id });
}

export async function makeVdc(db: Db, vdc: Partial<New<VdcTable>> = {}): Promise<Vdc> {
  const organization_id: OrganizationId = vdc.organization_id ?? (await makeOrganization(db)).id;
  return createVdc(db, { name: unique('vdc'), namespace: unique('ns'), ...vdc, organization_id });
}

export async function makeCatalog(db: Db, catalog: Partial<New<CatalogTable, 'version'>> = {}): Promise<Catalog> {
  const organization_id: OrganizationId = catalog.organization_id ?? (await makeOrganization(db)).id;
  return createCatalog(db, { name: unique('catalog'), ...catalog, organization_id });
}

export async function makeVapp(db: Db, vapp: Partial<New<VappTable>> = {}): Promise<Vapp> {
  const vdc_id: VdcId = vapp.vdc_id ?? (await makeVdc(db)).id;
  return createVapp(db, { name: unique('vapp'), ...vapp, vdc_id });
}

export async function makeVm(db: Db, vm: Partial<New<VmTable>> = {}): Promise<Vm> {
  const vapp_id: VappId = vm.vapp_id ?? (await makeVapp(db)).id;
  const name = vm.name ?? unique('vm');
  return createVm(db, { vm_name: name.toLowerCase(), ...vm, name, vapp_id });
}

/** Writes what the vm-controller would write; a later call for the same VM is a later observation. */
export async function observe(
  db: Db,
  vm: { readonly id: VmId; readonly cluster: string; readonly namespace: string; readonly vm_name: string },
  status: VmStatus,
  more: Partial<Insertable<VmObservedTable>> = {},
): Promise<void> {
  const seen = { status, sequence: 1, ...more };
  const place = { vm_id: vm.id, cluster: vm.cluster, namespace: vm.namespace, name: vm.vm_name };
  await db
    .insertInto('vm_observed')
    .values({ ...place, uid: randomUUID(), epoch: 1, ...seen })
    .onConflict((conflict) => conflict.column('vm_id').doUpdateSet(seen))
    .execute();
}

/**
 * Writes what a vm-controller that reaches the cluster would write; the time of the contact, and how long it counts,
 * can be given.
 */
export async function setCluster(
  db: Db,
  cluster: Pick<Insertable<ClusterTable>, 'name' | 'state' | 'unreadable_namespaces'>,
  { contactedMsAgo = 0, currentForMs = 86_400_000 }: { contactedMsAgo?: number; currentForMs?: number } = {},
): Promise<void> {
  const contacted = sql<Date>`now() - ${contactedMsAgo}::float8 * interval '1 millisecond'`;
  const row = {
    ...cluster,
    contacted_at: contacted,
    current_until: sql<Date>`${contacted} + ${currentForMs}::float8 * interval '1 millisecond'`,
  };
  await db
    .insertInto('clusters')
    .values({ epoch: 1, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/**
 * Resolves when this many sessions of this database wait for a lock. Do not use it in a transaction, which sees a
 * single snapshot of the sessions.
 */
export async function someoneWaits(db: Db, many = 1): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    `.execute(db);
    if (rows.length >= many) return;
    await pause(5);
  }
  throw new Error(`fewer than ${many} wait for a lock after 10 s`);
}
