/** The views `vm_status` and `vapp_status`: the shown status, derived from the desired state and the observation. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';

import { sql, type Kysely } from 'kysely';

import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeVapp, makeVdc, makeVm, observe, setCluster, unique } from '../../../../../test/database/rows.ts';
import type { VmStatus } from '../observations/contracts.ts';
import type { Creation, ShownVappStatus, ShownVmStatus, Tables, VappId, VmId } from '../schema/schema.ts';
import { getVapp, updateVapp } from '../vapps/vapps.ts';
import { readVmWork } from '../vms/vm-work.ts';
import { deleteVm, getVm, updateVm } from '../vms/vms.ts';
import { vmControllerName } from './leader-health.ts';

let running: TestDatabase;
let db: Kysely<Tables>;
before(async () => {
  running = await startTestDatabase();
  db = running.database.db;
  await setCluster(db, { name: 'local', state: 'synced' });
});
after(() => running.stop());

function vmStatus(id: VmId, from = db): Promise<{ status: ShownVmStatus; stale: boolean }> {
  return from.selectFrom('vm_status').select(['status', 'stale']).where('vm_id', '=', id).executeTakeFirstOrThrow();
}

function vappStatus(id: VappId, from = db): Promise<{ status: ShownVappStatus; stale: boolean }> {
  return from.selectFrom('vapp_status').select(['status', 'stale']).where('vapp_id', '=', id).executeTakeFirstOrThrow();
}

/** The status that the cluster reports for a VM, if any, and the desired state when it is not 'present'. */
type Member =
  | VmStatus
  | 'never seen'
  | 'absent, never seen'
  | 'absent, POWERED_ON'
  | 'absent, DELETED'
  | 'deleted here';

const vmCases: Readonly<Record<Member, ShownVmStatus>> = {
  POWERED_ON: 'POWERED_ON',
  POWERED_OFF: 'POWERED_OFF',
  POWERING_ON: 'POWERING_ON',
  POWERING_OFF: 'POWERING_OFF',
  SUSPENDED: 'SUSPENDED',
  FAILED: 'FAILED',
  UNKNOWN: 'UNKNOWN',
  DELETING: 'DELETING',
  DELETED: 'DELETED',
  'never seen': 'UNRESOLVED',
  'absent, never seen': 'DELETING',
  'absent, POWERED_ON': 'DELETING',
  'absent, DELETED': 'DELETED',
  'deleted here': 'DELETED',
};

async function join(vapp_id: VappId, member: Member): Promise<VmId> {
  const vm = await makeVm(db, { vapp_id });
  const seen = member === 'deleted here' ? 'POWERED_ON' : member.replace('absent, ', '');
  if (seen !== 'never seen') await observe(db, vm, seen as VmStatus);
  if (member.startsWith('absent')) await updateVm(db, vm.id, { desired_state: 'absent' });
  if (member === 'deleted here') await deleteVm(db, vm.id);
  return vm.id;
}

test('a machine shows what the cluster says, unless it is to go or is gone', async () => {
  const { id } = await makeVapp(db);
  for (const [member, status] of Object.entries(vmCases)) {
    const vm = await join(id, member as Member);
    assert.deepEqual(await vmStatus(vm), { status, stale: false }, member);
  }
});

interface VappCase {
  readonly reason: string;
  readonly vms: readonly Member[];
  readonly desired?: 'absent';
  /** As the API server wrote it. */
  readonly asked?: Creation;
  /** As the TemplateInstance says. */
  readonly seen?: Creation;
  readonly shown: ShownVappStatus;
}

const all = Object.keys(vmCases) as Member[];
const vappCases: readonly VappCase[] = [
  { reason: 'one that is to go is going, whatever else is true', vms: [], desired: 'absent', shown: 'DELETING' },
  { reason: 'so with machines', vms: ['POWERED_ON', 'FAILED'], desired: 'absent', shown: 'DELETING' },
  { reason: 'so while its creation runs', vms: [], desired: 'absent', asked: 'running', shown: 'DELETING' },
  { reason: 'so when its creation failed', vms: [], desired: 'absent', seen: 'failed', shown: 'DELETING' },
  { reason: 'its creation runs', vms: [], asked: 'running', shown: 'UNRESOLVED' },
  {
    reason: 'its creation runs, though a machine does too',
    vms: ['POWERED_ON'],
    asked: 'running',
    shown: 'UNRESOLVED',
  },
  { reason: 'its template instance is at work', vms: ['POWERED_ON'], seen: 'running', shown: 'UNRESOLVED' },
  {
    reason: 'who asked is not done, though the instance is',
    vms: [],
    asked: 'running',
    seen: 'done',
    shown: 'UNRESOLVED',
  },
  { reason: 'its creation failed', vms: [], asked: 'failed', shown: 'FAILED_CREATION' },
  {
    reason: 'it failed for who asked, whatever the instance says',
    vms: ['POWERED_ON'],
    asked: 'failed',
    seen: 'running',
    shown: 'FAILED_CREATION',
  },
  {
    reason: 'its template instance failed, though a machine runs',
    vms: ['POWERED_ON'],
    seen: 'failed',
    shown: 'FAILED_CREATION',
  },
  { reason: 'made, and nothing in it', vms: [], shown: 'RESOLVED' },
  { reason: 'made by an instance, and nothing in it', vms: [], seen: 'done', shown: 'RESOLVED' },
  { reason: 'only machines that are gone', vms: ['DELETED', 'deleted here', 'absent, DELETED'], shown: 'RESOLVED' },
  { reason: 'a machine that was never seen', vms: ['never seen'], shown: 'UNRESOLVED' },
  { reason: 'one seen, one not', vms: ['never seen', 'POWERED_ON'], shown: 'MIXED' },
  { reason: 'two unlike', vms: ['POWERED_ON', 'POWERED_OFF'], shown: 'MIXED' },
  { reason: 'one of three unlike', vms: ['POWERED_ON', 'POWERED_ON', 'FAILED'], shown: 'MIXED' },
  { reason: 'one to go, one to stay', vms: ['absent, POWERED_ON', 'POWERED_ON'], shown: 'MIXED' },
  { reason: 'all to go', vms: ['absent, POWERED_ON', 'absent, never seen', 'DELETING'], shown: 'DELETING' },
  {
    reason: 'gone ones do not count beside others',
    vms: ['POWERED_OFF', 'DELETED', 'deleted here'],
    shown: 'POWERED_OFF',
  },
  // All VMs alike: the vApp shows the same status.
  ...all
    .filter((member) => vmCases[member] !== 'DELETED')
    .map((member): VappCase => ({
      reason: `all ${member}`,
      vms: [member, member],
      shown: vmCases[member] as ShownVappStatus,
    })),
];

test('a vApp shows the first of the rules that fits', async (t) => {
  const vdc = await makeVdc(db);
  for (const { reason, vms, desired = 'present', asked = 'done', seen, shown } of vappCases) {
    await t.test(`${reason}: ${shown}`, async () => {
      const { id } = await makeVapp(db, { vdc_id: vdc.id, creation: asked });
      for (const member of vms) await join(id, member);
      await updateVapp(db, id, { desired_state: desired });
      if (seen !== undefined) await observeCreation(id, vdc.cluster, vdc.namespace, seen);
      assert.deepEqual(await vappStatus(id), { status: shown, stale: false });
    });
  }
});

async function observeCreation(vapp_id: VappId, cluster: string, namespace: string, creation: Creation): Promise<void> {
  const instance = { vapp_id, cluster, namespace, name: unique('instance'), uid: randomUUID() };
  await db
    .insertInto('vapp_observed')
    .values({ ...instance, creation, epoch: 1, sequence: 1 })
    .execute();
}

test('what cannot be read is stale, and keeps its status', async (t) => {
  const cluster = 'far';
  const vdc = await makeVdc(db, { cluster });
  const elsewhere = await makeVdc(db, { cluster, organization_id: vdc.organization_id });
  const readable = await join((await makeVapp(db, { vdc_id: elsewhere.id })).id, 'POWERED_ON');
  const { id } = await makeVapp(db, { vdc_id: vdc.id });
  const seen = await join(id, 'POWERED_ON');
  const unseen = await join(id, 'never seen');
  const gone = [await join(id, 'DELETED'), await join(id, 'deleted here')];
  const look = async (vms: readonly VmId[]) =>
    (await Promise.all(vms.map((vm) => vmStatus(vm)))).map(({ stale }) => stale);

  const cases: readonly (readonly [
    string,
    Parameters<typeof setCluster>[1] | undefined,
    here: boolean,
    there: boolean,
    contact?: Parameters<typeof setCluster>[2],
  ])[] = [
    ['a cluster without any report', undefined, true, true],
    ['a cluster in sync', { name: cluster, state: 'synced' }, false, false],
    ['a cluster that cannot be read', { name: cluster, state: 'stale' }, true, true],
    ['a cluster that is another one now', { name: cluster, state: 'frozen' }, true, true],
    ['this namespace', { name: cluster, state: 'synced', unreadable_namespaces: [vdc.namespace] }, true, false],
    [
      'another namespace',
      { name: cluster, state: 'synced', unreadable_namespaces: [elsewhere.namespace] },
      false,
      true,
    ],
    [
      'a cluster that was reached long ago',
      { name: cluster, state: 'synced', unreadable_namespaces: [] },
      true,
      true,
      { contactedMsAgo: 15_001, currentForMs: 15_000 },
    ],
    [
      'a cluster that was reached just now',
      { name: cluster, state: 'synced' },
      false,
      false,
      { contactedMsAgo: 0, currentForMs: 3_600_000 },
    ],
    [
      'a contact before the clock of the database was set back',
      { name: cluster, state: 'synced' },
      true,
      true,
      { contactedMsAgo: -60_000, currentForMs: 15_000 },
    ],
    ['all well again', { name: cluster, state: 'synced', unreadable_namespaces: [] }, false, false],
  ];
  for (const [reason, state, here, there, contact] of cases) {
    await t.test(reason, async () => {
      if (state !== undefined) await setCluster(db, state, contact);
      assert.deepEqual(await vmStatus(seen), { status: 'POWERED_ON', stale: here });
      assert.deepEqual(await look([readable]), [there]);
      // A VM that was never observed may exist by now if the cluster has been followed before.
      assert.deepEqual(await look([unseen, ...gone]), [here && state !== undefined, false, false]);
      assert.deepEqual(await vappStatus(id), { status: 'MIXED', stale: here });
    });
  }
});

test('a machine whose row cannot be written is stale, and no other of its cluster', async () => {
  const { id, cluster, namespace } = await makeVapp(db);
  const vm = await makeVm(db, { vapp_id: id });
  await observe(db, vm, 'POWERED_OFF');
  const other = await makeVapp(db);
  const beside = await join(other.id, 'POWERED_OFF');
  const shown = async (): Promise<readonly boolean[]> =>
    Promise.all(
      [vmStatus(vm.id), vappStatus(id), vmStatus(beside), vappStatus(other.id)].map(async (one) => (await one).stale),
    );
  const whole = async (): Promise<unknown> => {
    const [seen, work, vapp] = [
      await getVm(db, 'all', vm.id),
      await readVmWork(db, vm.id),
      await getVapp(db, 'all', id),
    ];
    return [seen?.stale, seen?.staleness?.reason, work?.staleness?.reason, vapp?.staleness?.reason];
  };
  assert.deepEqual(
    [await shown(), await whole()],
    [
      [false, false, false, false],
      [false, undefined, undefined, undefined],
    ],
  );
  const failure = { cluster, namespace, vm_name: vm.vm_name, error_type: 'unexpected', message: 'x', attempts: 6 };
  await db.insertInto('sync_failures').values(failure).execute();
  await sql`INSERT INTO leaders (name, epoch, lease_epoch, holder, won_at) VALUES (${vmControllerName}, 1, 1, 'a', now())`.execute(
    db,
  );
  assert.deepEqual(
    [await shown(), await whole()],
    [
      [true, true, false, false],
      [true, 'WriteFailed', 'WriteFailed', 'WriteFailed'],
    ],
  );
  await db.updateTable('sync_failures').set({ resolved_at: new Date() }).execute();
  assert.deepEqual(await shown(), [false, false, false, false], 'it was written later');
  const { rows } = await sql`
    SELECT data FROM change_log WHERE kind = 'vm' AND entity_id = ${vm.id} AND operation = 'observed' ORDER BY transaction, sequence
  `.execute(db);
  const status = 'POWERED_OFF';
  assert.deepEqual(rows, [
    { data: { status, previous: null, stale: false } },
    { data: { status, previous: status, stale: true } },
    { data: { status, previous: status, stale: false } },
  ]);
});

test('a status and what the views make of it change at once, when it is committed', async () => {
  const { id } = await makeVapp(db);
  const vm = await makeVm(db, { vapp_id: id });
  await observe(db, vm, 'POWERING_ON');
  const shown = async (from = db) => [(await vmStatus(vm.id, from)).status, (await vappStatus(id, from)).status];
  await db.transaction().execute(async (tx) => {
    await observe(tx, vm, 'POWERED_ON');
    assert.deepEqual(await shown(tx), ['POWERED_ON', 'POWERED_ON']);
    assert.deepEqual(await shown(), ['POWERING_ON', 'POWERING_ON']);
  });
  assert.deepEqual(await shown(), ['POWERED_ON', 'POWERED_ON']);
});
