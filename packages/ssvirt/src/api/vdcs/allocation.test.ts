/** Usage and limits of a VDC, in transactions like those of the routes that create VMs. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql, type Transaction } from 'kysely';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { makeVapp, makeVdc, makeVm, observe, someoneWaits } from '../../../../../test/database/rows.ts';
import type { Tables, VdcId } from '../../db/schema/schema.ts';
import { usageStatement, vdcUsage } from '../../db/vdcs/vdc-usage.ts';
import { createVm } from '../../db/vms/vms.ts';
import { ApiError } from '../errors.ts';
import { noAllocation, requireAllocation, requireEnabled, type Allocation } from './allocation.ts';

const nothing = noAllocation;

suite('the allocation of a virtual data center', () => {
  let harness: TestDatabase;
  let db: TestDatabase['database']['db'];
  before(async () => {
    harness = await startTestDatabase();
    ({ db } = harness.database);
  });
  after(() => harness.stop());

  const require = (vdc: VdcId, asked: Partial<Allocation>): Promise<unknown> =>
    db.transaction().execute((tx) => requireAllocation(tx, vdc, { ...nothing, ...asked }));

  suite('is used', () => {
    test('by nothing at first', async () => {
      assert.deepEqual(await vdcUsage(db, (await makeVdc(db)).id), nothing);
    });

    test('by every machine that is not deleted: what was asked for, or what the cluster has where that is more CPUs or memory', async () => {
      const { id: vdc_id } = await makeVdc(db);
      const { id: vapp_id } = await makeVapp(db, { vdc_id });
      const { id: other } = await makeVapp(db, { vdc_id, hidden: true });
      const full = { cpu_count: 2, memory_mb: 1024, spec: { storageMb: 500 } };
      const bytes = (...sizes: readonly number[]): string =>
        JSON.stringify([...sizes.map((size) => ({ name: 'disk', bytes: size })), { name: 'unknown yet' }]);
      // Requested, but never observed.
      await makeVm(db, { vapp_id, ...full });
      // Off, and larger in the cluster than requested; when powered on it would use that much.
      const off = await makeVm(db, {
        vapp_id: other,
        ...full,
        desired_power: 'off',
        spec: { storageMb: 500, networks: [{ name: 'a' }, { name: 'b' }] },
      });
      await observe(db, off, 'POWERED_OFF', { cpu_count: 64, memory_mb: 9999, disks: bytes(2 ** 40) });
      // Being deleted, but still there.
      await makeVm(db, { vapp_id, ...full, desired_state: 'absent', spec: { storageMb: 500, networks: [], nics: 3 } });
      // No requested size; the disks are a MiB and a byte.
      const found = await makeVm(db, { vapp_id });
      await observe(db, found, 'POWERED_ON', { cpu_count: 4, memory_mb: 2048, disks: bytes(2 ** 20, 1) });
      // Its size and its network cards are unknown.
      await makeVm(db, { vapp_id, spec: { storageMb: 'much' } });
      // Deleted, once according to the cluster and once according to our row.
      await observe(db, await makeVm(db, { vapp_id, ...full }), 'DELETED', { cpu_count: 8, disks: bytes(2 ** 30) });
      const deleted = await makeVm(db, { vapp_id, ...full });
      await sql`UPDATE vms SET deleted_at = now() WHERE id = ${deleted.id}`.execute(db);
      await makeVm(db, full); // in another VDC
      assert.deepEqual(await vdcUsage(db, vdc_id), {
        vms: 5,
        cpus: 72,
        memoryMb: 14_095,
        storageMb: 1502,
        nics: 8,
      });
    });

    test('and counted by indexes alone, among many', async () => {
      const { id } = await makeVdc(db);
      const { id: crowd } = await makeVdc(db);
      await sql`
        INSERT INTO vapps (vdc_id, name) SELECT CASE WHEN n < 3 THEN ${id}::uuid ELSE ${crowd}::uuid END, 'vapp ' || n FROM generate_series(1, 300) n
      `.execute(db);
      await sql`
        INSERT INTO vms (vapp_id, name, cluster, namespace, vm_name)
        SELECT id, 'vm ' || n, 'local', 'crowd', id || '-' || n FROM vapps, generate_series(1, 10) n WHERE vdc_id IN (${id}, ${crowd})
      `.execute(db);
      await sql`
        INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, status, epoch, sequence)
        SELECT id, cluster, namespace, vm_name, gen_random_uuid(), 'POWERED_ON', 1, 1 FROM vms WHERE namespace = 'crowd'
      `.execute(db);
      await sql`ANALYZE vapps, vms, vm_observed`.execute(db);
      const { rows } = await sql`EXPLAIN ${usageStatement(id)}`.execute(db);
      const plan = JSON.stringify(rows);
      assert.match(plan, /Index Cond: \(vapp_id = a.id\)/);
      assert.doesNotMatch(plan, /Seq Scan/);
    });
  });

  suite('refuses', () => {
    const cases: readonly (readonly [
      reason: string,
      limits: Parameters<typeof makeVdc>[1],
      asked: Partial<Allocation>,
      refusal: RegExp | undefined,
    ])[] = [
      [
        'nothing where there are no limits',
        {},
        { vms: 1000, cpus: 1000, memoryMb: 2 ** 40, storageMb: 2 ** 40, nics: 98 },
        undefined,
      ],
      ['nothing up to the limit', { vm_quota: 3, cpu_limit_mhz: 6000 }, { vms: 1, cpus: 2 }, undefined],
      ['one machine too many', { vm_quota: 2 }, { vms: 1 }, /virtual machines: 2 of 2 are used, 1 more are requested/],
      ['a vCPU too many', { cpu_limit_mhz: 5999 }, { cpus: 2 }, /vCPUs: 4 of 5 are used, 2 more are requested/],
      ['by what a vCPU counts', { cpu_limit_mhz: 11_000, vcpu_mhz: 2000 }, { cpus: 2 }, /vCPUs: 4 of 5 are used/],
      ['a MB of memory too many', { memory_limit_mb: 3071 }, { memoryMb: 1024 }, /MB of memory: 2048 of 3071 are used/],
      [
        'a network card too many',
        { nic_quota: 3 },
        { nics: 2 },
        /network cards: 2 of 3 are used, 2 more are requested/,
      ],
      [
        'a MB of storage too many',
        { storage_limit_mb: 1000 },
        { storageMb: 1 },
        /MB of storage: 1000 of 1000 are used/,
      ],
      [
        'all that is too much, in one sentence',
        { vm_quota: 2, memory_limit_mb: 1 },
        { vms: 1, memoryMb: 1 },
        /virtual machines: .*; MB of memory: /,
      ],
      [
        'nothing of what is not asked for, though it is over',
        { vm_quota: 1, cpu_limit_mhz: 9000 },
        { cpus: 1 },
        undefined,
      ],
      ['nothing that becomes less', { memory_limit_mb: 1 }, { memoryMb: -512 }, undefined],
    ];
    for (const [reason, limits, asked, refusal] of cases)
      test(reason, async () => {
        const { id, name } = await makeVdc(db, limits);
        const { id: vapp_id } = await makeVapp(db, { vdc_id: id });
        for (const vm of ['one', 'two'])
          await makeVm(db, { vapp_id, name: vm, cpu_count: 2, memory_mb: 1024, spec: { storageMb: 500 } });
        if (refusal === undefined) return void (await require(id, asked));
        await assert.rejects(require(id, asked), (error) => {
          assert.ok(error instanceof ApiError);
          assert.equal(error.code, 'QUOTA_EXCEEDED');
          assert.match(error.message, refusal);
          assert.ok(error.message.includes(`"${name}"`));
          return true;
        });
      });

    test('a virtual data center that is not there as one that is foreign', async () => {
      await assert.rejects(require('00000000-0000-4000-8000-0000000000ff' as VdcId, { vms: 1 }), {
        code: 'ACCESS_TO_RESOURCE_IS_FORBIDDEN',
      });
    });
  });

  test('gives the last of it to one of many who ask at once', async () => {
    const { id } = await makeVdc(db, { vm_quota: 8, nic_quota: 7 });
    const { id: vapp_id } = await makeVapp(db, { vdc_id: id });
    const take = async (tx: Transaction<Tables>, name: string): Promise<void> => {
      await requireAllocation(tx, id, { ...nothing, vms: 1, nics: 2 });
      await createVm(tx, { vapp_id, name, vm_name: name, spec: { networks: [{ name: 'a' }, { name: 'b' }] } });
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => db.transaction().execute((tx) => take(tx, `vm-${at}`))),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal((outcome.reason as ApiError).code, 'QUOTA_EXCEEDED');
    assert.deepEqual(await vdcUsage(db, id), { ...nothing, vms: 3, nics: 6 });
  });

  test('counts what the one before has taken, once that has committed', async () => {
    const { id } = await makeVdc(db, { vm_quota: 1 });
    const { id: vapp_id } = await makeVapp(db, { vdc_id: id });
    const first = await db.startTransaction().execute();
    await requireAllocation(first, id, { ...nothing, vms: 1 });
    await createVm(first, { vapp_id, name: 'first', vm_name: 'first' });
    const second = Promise.allSettled([require(id, { vms: 1 })]);
    await someoneWaits(db);
    await first.commit().execute();
    const [outcome] = await second;
    assert.equal(outcome.status === 'rejected' && (outcome.reason as ApiError).code, 'QUOTA_EXCEEDED');
  });

  test('is for what is enabled and stays', () => {
    const vdc = { name: 'Gold', enabled: true, desired_state: 'present' } as const;
    requireEnabled(vdc);
    assert.throws(() => requireEnabled({ ...vdc, enabled: false }), {
      code: 'CONFLICT',
      message: /"Gold" is disabled/,
    });
    assert.throws(() => requireEnabled({ ...vdc, desired_state: 'absent' }), {
      code: 'BUSY_ENTITY',
      message: /"Gold" is being deleted/,
    });
  });
});
