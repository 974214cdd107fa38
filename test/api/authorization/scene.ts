/** One organization with one object of every kind, for requests that read, change or remove it. */
import { createCatalogItem } from '../../../packages/ssvirt/src/db/catalogs/catalog-items.ts';
import { appendAuditEvent } from '../../../packages/ssvirt/src/db/retention/audit.ts';
import type {
  CatalogItemId,
  CatalogId,
  OrganizationId,
  TaskId,
  UserId,
  VappId,
  VdcId,
  VmId,
} from '../../../packages/ssvirt/src/db/schema/schema.ts';
import { createTask } from '../../../packages/ssvirt/src/db/tasks/tasks.ts';
import {
  makeCatalog,
  makeOrganization,
  makeUser,
  makeVapp,
  makeVdc,
  makeVm,
  observe,
  unique,
} from '../../database/rows.ts';
import { roleIdOf, type ApiHarness, type Person } from '../harness.ts';

export interface Scene {
  readonly organization: { readonly id: OrganizationId; readonly name: string };
  /** Owned by none of the callers. */
  readonly user: { readonly id: UserId };
  readonly vdc: { readonly id: VdcId; readonly name: string };
  /** A running VM, in a separate VDC. */
  readonly vm: { readonly id: VmId };
  /** A disk of that VM. */
  readonly vapp: { readonly id: VappId };
  readonly catalog: { readonly id: CatalogId };
  readonly item: { readonly id: CatalogItemId };
  readonly emptyCatalog: { readonly id: CatalogId };
  readonly task: { readonly id: TaskId };
  readonly auditEvent: string;
  readonly syncFailure: string;
  readonly token: string;
  readonly session: string;
}

export async function makeScene(api: ApiHarness, organizationId?: OrganizationId): Promise<Scene> {
  const { db } = api;
  const organization =
    organizationId === undefined
      ? await makeOrganization(db)
      : await db.selectFrom('organizations').selectAll().where('id', '=', organizationId).executeTakeFirstOrThrow();
  const organization_id = organization.id;
  const user = await makeUser(db, { organization_id, roles: [roleIdOf['vApp User']] });
  const vdc = await makeVdc(db, { organization_id });
  const vm = await runningVm(api, organization_id);
  const catalog = await makeCatalog(db, { organization_id, owner_id: user.id });
  const emptyCatalog = await makeCatalog(db, { organization_id, owner_id: user.id });
  const item = await createCatalogItem(db, {
    catalog_id: catalog.id,
    name: unique('item'),
    definition: { image: 'registry.example/fedora:42', cpus: 1, memoryMb: 1024 },
  });
  const task = await createTask(db, {
    organization_id,
    user_id: user.id,
    owner_kind: 'vdc',
    owner_id: vdc.id,
    operation: 'vdcCreate',
  });
  const session = await api.person('vApp User', organization_id);
  return {
    organization,
    user,
    vdc,
    vm,
    vapp: { id: vm.vapp_id },
    catalog,
    item,
    emptyCatalog,
    task,
    auditEvent: await auditEvent(api, organization_id),
    syncFailure: await syncFailure(api),
    token: await apiToken(api, session),
    session: (
      await db.selectFrom('sessions').select('id').where('user_id', '=', session.userId).executeTakeFirstOrThrow()
    ).id,
  };
}

async function runningVm({ db }: ApiHarness, organization_id: OrganizationId): Promise<{ id: VmId; vapp_id: VappId }> {
  const vdc = await makeVdc(db, { organization_id });
  const vapp = await makeVapp(db, { vdc_id: vdc.id });
  const vm = await makeVm(db, { vapp_id: vapp.id });
  await observe(db, vm, 'POWERED_ON', { disks: JSON.stringify([{ name: 'rootdisk' }, { name: 'data' }]) });
  return vm;
}

async function auditEvent({ db }: ApiHarness, organization_id: OrganizationId): Promise<string> {
  const entity_name = unique('event');
  await appendAuditEvent(db, { organization_id, action: 'vdcs.create', outcome: 'success', entity_name });
  const { id } = await db
    .selectFrom('audit_events')
    .select('id')
    .where('entity_name', '=', entity_name)
    .executeTakeFirstOrThrow();
  return id;
}

async function syncFailure({ db }: ApiHarness): Promise<string> {
  const row = {
    cluster: 'local',
    namespace: unique('ns'),
    vm_name: 'web',
    error_type: 'Refused',
    message: 'x',
    attempts: 3,
  };
  const { id } = await db
    .insertInto('sync_failures')
    .values({ ...row, vm_id: null as VmId | null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function apiToken({ db }: ApiHarness, { userId, organizationId }: Person): Promise<string> {
  const row = { user_id: userId, organization_id: organizationId, name: unique('token') };
  const { id } = await db.insertInto('api_tokens').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}
