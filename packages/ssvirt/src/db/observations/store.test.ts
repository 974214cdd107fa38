import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import {
  addVdc,
  addVm,
  buildWorld,
  insert,
  observation,
  type World,
} from '../../../../../test/database/observed-world.ts';
import type {
  ObservationStore,
  WriteOutcome,
  VmBatchResult,
  VmDeletion,
  VmObservation,
  WriteResult,
} from './contracts.ts';
import { createObservationStore } from './store.ts';

let test: TestDatabase;
let world: World;
let store: ObservationStore;
let sequence = 0;

before(async () => {
  test = await startTestDatabase();
  world = await buildWorld(test.database.pool);
  store = createObservationStore(world.pool);
});
after(() => test.stop());

const write = (observations: readonly VmObservation[], deletions: readonly VmDeletion[] = []): Promise<VmBatchResult> =>
  store.write(world.term, ++sequence, { observations, deletions });

async function writeOne(changes: Partial<VmObservation>): Promise<WriteResult> {
  const [result] = (await write([observation(changes)])).observations;
  assert.ok(result);
  return result;
}

const outcomesOf = (results: readonly WriteResult[]): readonly WriteOutcome[] => results.map(({ outcome }) => outcome);

async function rowOf(uid: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await world.pool.query<Record<string, unknown>>(
    'SELECT o.*, v.vapp_id, v.origin, v.desired_state, v.vm_name, o.xmin::text AS version FROM vm_observed o JOIN vms v ON v.id = o.vm_id WHERE uid = $1',
    [uid],
  );
  return rows[0];
}

/** Returns a name that no other test has. */
let names = 0;
const fresh = (): string => `vm-${++names}`;

describe('the row of a machine', () => {
  interface Case {
    readonly what: string;
    /** Creates rows in advance; resolves to the id that must be bound if an existing row must be. */
    readonly given?: (name: string) => Promise<string | undefined>;
    readonly seen?: (name: string) => Promise<Partial<VmObservation>> | Partial<VmObservation>;
    readonly outcome: WriteOutcome;
    /** The vApp of the row. */
    readonly vapp?: () => string;
  }
  const requested = (name: string, values: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    addVm(world.pool, world.vapp, { name, vm_name: name, ...values });
  let other: string;
  let otherVdcVapp: string;
  let deletedVapp: string;
  let absentVapp: string;
  before(async () => {
    const { pool, vdc, organization } = world;
    other = await insert(pool, 'vapps', { vdc_id: vdc, name: 'other' });
    deletedVapp = await insert(pool, 'vapps', { vdc_id: vdc, name: 'past', deleted_at: new Date() });
    absentVapp = await insert(pool, 'vapps', { vdc_id: vdc, name: 'leaving', desired_state: 'absent' });
    otherVdcVapp = await insert(pool, 'vapps', {
      vdc_id: await addVdc(pool, organization, 'prod', 'east'),
      name: 'shop',
    });
  });

  const cases: readonly Case[] = [
    {
      what: 'is the one that was asked for in its vApp',
      given: requested,
      seen: () => ({ vappId: world.vapp }),
      outcome: 'bound',
    },
    { what: 'is found by place where the label is absent', given: requested, outcome: 'bound' },
    {
      what: 'is found by place where the label names another vApp',
      given: requested,
      seen: () => ({ vappId: other }),
      outcome: 'bound',
      vapp: () => world.vapp,
    },
    {
      what: 'is bound though it is to be removed, so that it can be',
      given: (name) => requested(name, { desired_state: 'absent' }),
      outcome: 'bound',
    },
    {
      what: 'is not one that was deleted',
      given: async (name) => void (await requested(name, { deleted_at: new Date() })),
      outcome: 'unmanaged',
    },
    {
      what: 'is not one in another namespace, whatever the label says',
      given: async (name) => void (await requested(name, { namespace: 'elsewhere' })),
      seen: () => ({ vappId: randomUUID() }),
      outcome: 'unmanaged',
    },
    {
      what: 'is not one in another cluster',
      given: async (name) => void (await requested(name, { cluster: 'west' })),
      outcome: 'unmanaged',
    },
    {
      what: 'is made in the vApp of the label',
      seen: () => ({ vappId: other }),
      outcome: 'created',
      vapp: () => other,
    },
    {
      what: 'is made in the vApp that has the name of the template instance',
      seen: () => ({ vappName: 'other' }),
      outcome: 'created',
      vapp: () => other,
    },
    {
      what: 'is made in the vApp of the label where the name leads to another',
      seen: () => ({ vappId: world.vapp, vappName: 'other' }),
      outcome: 'created',
      vapp: () => world.vapp,
    },
    {
      what: 'is made by the name where the label reaches into another VDC',
      seen: () => ({ vappId: otherVdcVapp, vappName: 'other' }),
      outcome: 'created',
      vapp: () => other,
    },
    {
      what: 'is made in a vApp that is being removed, so that it is removed too',
      seen: () => ({ vappId: absentVapp }),
      outcome: 'created',
      vapp: () => absentVapp,
    },
    {
      what: 'is not made by a label that reaches into another VDC',
      seen: () => ({ vappId: otherVdcVapp }),
      outcome: 'unmanaged',
    },
    { what: 'is not made by a name of another VDC', seen: () => ({ vappName: 'shop' }), outcome: 'unmanaged' },
    {
      what: 'is not made in a deleted vApp',
      seen: () => ({ vappId: deletedVapp, vappName: 'past' }),
      outcome: 'unmanaged',
    },
    { what: 'is not made for a machine without an owner', outcome: 'unmanaged' },
    {
      what: 'is not made in a namespace that is no VDC',
      seen: () => ({ namespace: 'kube-system', vappId: world.vapp, vappName: 'web' }),
      outcome: 'unmanaged',
    },
    {
      what: 'is not made for a machine that is being deleted',
      seen: () => ({ vappId: world.vapp, status: 'DELETING' }),
      outcome: 'unmanaged',
    },
    {
      what: 'is not bound to a machine that is being deleted',
      given: async (name) => void (await requested(name)),
      seen: () => ({ status: 'DELETING' }),
      outcome: 'unmanaged',
    },
  ];
  for (const { what, given, seen, outcome, vapp } of cases)
    it(what, async () => {
      const name = fresh();
      const expected = await given?.(name);
      const uid = randomUUID();
      const result = await writeOne({ name, uid, ...(await seen?.(name)) });
      assert.equal(result.outcome, outcome);
      const row = await rowOf(uid);
      assert.equal(row?.['vm_id'], result.vmId);
      if (expected !== undefined) assert.equal(result.vmId, expected);
      if (vapp !== undefined) assert.equal(row?.['vapp_id'], vapp());
      if (outcome === 'created')
        assert.deepEqual([row?.['origin'], row?.['desired_state'], row?.['vm_name']], ['discovered', 'none', name]);
    });

  it('is another one when the machine is made again under its name', async () => {
    const [name, first, second] = [fresh(), randomUUID(), randomUUID()];
    const old = await writeOne({ name, uid: first, vappName: 'other' });
    const remade = await writeOne({ name, uid: second });
    assert.equal(remade.outcome, 'created');
    assert.notEqual(remade.vmId, old.vmId);
    assert.equal((await rowOf(first))?.['status'], 'DELETED');
    assert.equal((await rowOf(second))?.['vapp_id'], other);
    // The late report that the first is gone changes nothing about the second.
    const late = await write([], [{ cluster: 'east', uid: first }]);
    assert.equal(late.deletions[0]?.outcome, 'unchanged');
    assert.equal((await rowOf(second))?.['status'], 'POWERED_ON');
  });

  it('gives its name away in the batch that says that it is gone', async () => {
    const pairs = Array.from({ length: 20 }, () => ({ name: fresh(), old: randomUUID(), uid: randomUUID() }));
    await write(pairs.map(({ name, old }) => observation({ name, uid: old, vappName: 'other' })));
    const { observations, deletions } = await write(
      pairs.map(({ name, uid }) => observation({ name, uid })),
      pairs.map(({ old }) => ({ cluster: 'east', uid: old })),
    );
    assert.deepEqual(new Set(observations.map(({ outcome }) => outcome)), new Set(['created']));
    assert.deepEqual(
      new Set(deletions.map(({ outcome, oldStatus, newStatus }) => `${outcome} ${oldStatus} ${newStatus}`)),
      new Set(['updated POWERED_ON DELETED']),
    );
  });

  it('is another one when the first was DELETED before', async () => {
    const [name, first] = [fresh(), randomUUID()];
    const old = await writeOne({ name, uid: first, vappName: 'other' });
    await write([], [{ cluster: 'east', uid: first }]);
    const remade = await writeOne({ name, vappName: 'other' });
    assert.equal(remade.outcome, 'created');
    assert.notEqual(remade.vmId, old.vmId);
  });

  it('becomes DELETED when another has its name, though that one gets no row', async () => {
    const [name, uid] = [fresh(), randomUUID()];
    await writeOne({ name, uid, vappName: 'other' });
    assert.equal((await writeOne({ name, status: 'DELETING' })).outcome, 'unmanaged');
    assert.equal((await rowOf(uid))?.['status'], 'DELETED');
  });
});

describe('what a row says', () => {
  const full: Partial<VmObservation> = {
    vappName: 'web',
    generation: 3,
    cpuCount: 4,
    memoryMb: 8192,
    guestOs: 'Fedora',
    hostName: 'db.example',
    node: 'node-1',
    ipAddresses: ['10.0.0.1', 'fe80::1'],
    disks: [{ name: 'root', claim: 'root', bytes: 1024 }],
  };

  it('is all that was seen', async () => {
    const uid = randomUUID();
    await writeOne({ name: fresh(), uid, ...full });
    const row = await rowOf(uid);
    assert.deepEqual(
      [
        row?.['generation'],
        row?.['cpu_count'],
        row?.['memory_mb'],
        row?.['guest_os'],
        row?.['host_name'],
        row?.['node'],
      ],
      [3, 4, 8192, 'Fedora', 'db.example', 'node-1'],
    );
    assert.deepEqual(row?.['ip_addresses'], ['10.0.0.1', 'fe80::1']);
    assert.deepEqual(row?.['disks'], [{ name: 'root', claim: 'root', bytes: 1024 }]);
  });

  it('stays untouched where nothing differs, by whichever sequence', async () => {
    const seen = { name: fresh(), uid: randomUUID(), ...full };
    await writeOne(seen);
    const version = (await rowOf(seen.uid))?.['version'];
    const again = await writeOne(seen);
    assert.equal(again.outcome, 'unchanged');
    assert.deepEqual([again.oldStatus, again.newStatus], ['POWERED_ON', 'POWERED_ON']);
    const { cpuCount: _c, memoryMb: _m, guestOs: _g, hostName: _h, ...less } = seen;
    assert.equal((await writeOne(less)).outcome, 'unchanged', 'what is not known is no difference');
    assert.equal((await rowOf(seen.uid))?.['version'], version);
  });

  const differences: readonly Partial<VmObservation>[] = [
    { status: 'POWERED_OFF' },
    { generation: 4 },
    { busy: true },
    { restartRequired: true },
    { faultReason: 'Unschedulable' },
    { fault: 'no node has room' },
    { trouble: 'Unschedulable' },
    { cpuCount: 2 },
    { memoryMb: 1 },
    { guestOs: 'Debian' },
    { hostName: 'other' },
    { node: 'node-2' },
    { ipAddresses: ['10.0.0.1'] },
    { disks: [] },
  ];
  for (const difference of differences)
    it(`follows another ${Object.keys(difference).join()}, and only that`, async () => {
      const seen = { name: fresh(), uid: randomUUID(), ...full };
      await writeOne(seen);
      const before = await rowOf(seen.uid);
      assert.equal((await writeOne({ ...seen, ...difference })).outcome, 'updated');
      const row = await rowOf(seen.uid);
      const ofWrites = new Set(['version', 'epoch', 'sequence', 'observed_at', 'status_changed_at', 'trouble_since']);
      const changed = Object.keys(row ?? {}).filter(
        (key) => !ofWrites.has(key) && JSON.stringify(row?.[key]) !== JSON.stringify(before?.[key]),
      );
      const [key = ''] = Object.keys(difference);
      assert.deepEqual(changed, [key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);
      const moved = (row?.['status_changed_at'] as Date) > (before?.['status_changed_at'] as Date);
      assert.equal(moved, key === 'status', 'the time of the status moves with the status');
    });

  it('knows since when it has had its trouble, for the next leader', async () => {
    const seen = { name: fresh(), uid: randomUUID(), ...full, trouble: 'Unschedulable' };
    const age = async (): Promise<number | undefined> => {
      const own = (await store.troubledVms()).filter(({ uid }) => uid === seen.uid);
      assert.ok(own.every(({ name, namespace }) => name === seen.name && namespace === observation({}).namespace));
      return own[0]?.ageMs;
    };
    const isOld = async (): Promise<boolean> => ((await age()) ?? 0) >= 3_600_000;
    const backdate = `UPDATE vm_observed SET trouble_since = trouble_since - interval '1 hour' WHERE uid = $1`;
    await writeOne(seen);
    assert.equal(await isOld(), false);
    await world.pool.query(backdate, [seen.uid]);
    await writeOne({ ...seen, fault: 'other words' });
    assert.equal(await isOld(), true, 'the same trouble');
    await writeOne({ ...seen, trouble: 'ImagePull' });
    assert.deepEqual([await isOld(), (await age()) !== undefined], [false, true], 'another trouble');
    const { trouble: _over, ...healthy } = seen;
    await writeOne(healthy);
    assert.equal(await age(), undefined, 'no trouble');
    await writeOne(seen);
    await world.pool.query(backdate, [seen.uid]);
    await write([], [{ cluster: observation({}).cluster, uid: seen.uid }]);
    assert.equal(await age(), undefined, 'deleted');
  });

  it('keeps what is not known, but not the node, the addresses and the fault', async () => {
    const seen = { name: fresh(), uid: randomUUID(), ...full, faultReason: 'Crash', fault: 'it crashed' };
    await writeOne(seen);
    await write([observation({ name: seen.name, uid: seen.uid, generation: 3, disks: seen.disks ?? [] })]);
    const row = await rowOf(seen.uid);
    assert.deepEqual(
      [row?.['cpu_count'], row?.['memory_mb'], row?.['guest_os'], row?.['host_name']],
      [4, 8192, 'Fedora', 'db.example'],
    );
    assert.deepEqual(
      [row?.['node'], row?.['ip_addresses'], row?.['fault'], row?.['fault_reason']],
      [null, [], null, null],
    );
  });

  const debounces: readonly (readonly [string, Partial<VmObservation>, Partial<VmObservation>, string])[] = [
    [
      'keeps FAILED for a young fault of the same reason',
      { status: 'FAILED', faultReason: 'Pull' },
      { faultReason: 'Pull' },
      'FAILED',
    ],
    [
      'leaves FAILED for a young fault of another reason',
      { status: 'FAILED', faultReason: 'Pull' },
      { faultReason: 'Crash' },
      'POWERING_ON',
    ],
    [
      'does not become FAILED by a young fault',
      { status: 'POWERED_OFF', faultReason: 'Pull' },
      { faultReason: 'Pull' },
      'POWERING_ON',
    ],
    [
      'leaves FAILED when the fault is over',
      { status: 'FAILED', faultReason: 'Pull' },
      { debouncing: false, faultReason: 'Pull' },
      'POWERING_ON',
    ],
  ];
  for (const [what, old, now, status] of debounces)
    it(what, async () => {
      const seen = { name: fresh(), uid: randomUUID(), vappName: 'web' };
      await writeOne({ ...seen, ...old, fault: 'old words' });
      const result = await writeOne({ ...seen, status: 'POWERING_ON', debouncing: true, fault: 'new words', ...now });
      assert.equal(result.newStatus, status);
      const row = await rowOf(seen.uid);
      assert.deepEqual([row?.['status'], row?.['fault']], [status, 'new words']);
    });

  it('loses fault, node and addresses with the machine, and never comes back for that uid', async () => {
    const seen = { name: fresh(), uid: randomUUID(), ...full, busy: true, faultReason: 'Crash', fault: 'it crashed' };
    await writeOne(seen);
    const { deletions } = await write([], [{ cluster: 'east', uid: seen.uid }]);
    assert.deepEqual(
      [deletions[0]?.outcome, deletions[0]?.oldStatus, deletions[0]?.newStatus],
      ['updated', 'POWERED_ON', 'DELETED'],
    );
    const row = await rowOf(seen.uid);
    assert.deepEqual(
      [
        row?.['status'],
        row?.['fault'],
        row?.['fault_reason'],
        row?.['node'],
        row?.['ip_addresses'],
        row?.['busy'],
        row?.['cpu_count'],
      ],
      ['DELETED', null, null, null, [], false, 4],
    );
    assert.equal((await writeOne(seen)).outcome, 'older');
    assert.equal((await rowOf(seen.uid))?.['status'], 'DELETED');
  });

  it('takes words that PostgreSQL cannot hold', async () => {
    const uid = randomUUID();
    const result = await writeOne({
      name: fresh(),
      uid,
      vappName: 'web',
      fault: 'nul \0, half \ud83d, and the text \\u0000',
    });
    assert.equal(result.outcome, 'created');
    assert.equal((await rowOf(uid))?.['fault'], 'nul \ufffd, half \ufffd, and the text \\u0000');
  });
});

describe('a batch', () => {
  it('is answered in its order, whatever becomes of each', async () => {
    const [bound, known] = [fresh(), fresh()];
    await addVm(world.pool, world.vapp, { name: bound, vm_name: bound });
    const seen = observation({ name: known, vappName: 'web' });
    await write([seen]);
    const result = await write(
      [
        observation({ name: fresh() }),
        observation({ name: bound }),
        seen,
        observation({ name: fresh(), vappName: 'web' }),
        observation({ name: fresh(), status: 'DELETING', vappName: 'web' }),
      ],
      [{ cluster: 'east', uid: randomUUID() }],
    );
    assert.deepEqual(
      result.observations.map(({ outcome }) => outcome),
      ['unmanaged', 'bound', 'unchanged', 'created', 'unmanaged'],
    );
    assert.deepEqual(result.deletions, [{ outcome: 'unmanaged' }]);
  });

  it('changes nothing the second time', async () => {
    const batch = Array.from({ length: 5 }, () => observation({ name: fresh(), vappName: 'web' }));
    const send = (): Promise<VmBatchResult> =>
      store.write(world.term, sequence, { observations: batch, deletions: [] });
    sequence++;
    assert.deepEqual(
      (await send()).observations.map(({ outcome }) => outcome),
      batch.map(() => 'created'),
    );
    assert.deepEqual(
      (await send()).observations.map(({ outcome }) => outcome),
      batch.map(() => 'unchanged'),
    );
  });

  it('changes nothing where it was overtaken: neither a row, nor who has a name', async () => {
    const name = fresh();
    const seen = observation({ name, vappName: 'web' });
    sequence += 10;
    await write([seen]);
    const overtaken = await store.write(world.term, sequence - 1, {
      observations: [{ ...seen, status: 'POWERED_OFF' }],
      deletions: [],
    });
    assert.deepEqual(outcomesOf(overtaken.observations), ['older']);
    const deletion = { observations: [], deletions: [{ cluster: 'east', uid: seen.uid }] };
    assert.deepEqual(outcomesOf((await store.write(world.term, sequence - 1, deletion)).deletions), ['older']);
    const before = { observations: [observation({ name, vappName: 'web' })], deletions: [] };
    assert.deepEqual(outcomesOf((await store.write(world.term, sequence - 1, before)).observations), ['older']);
    assert.equal((await rowOf(seen.uid))?.['status'], 'POWERED_ON');
  });

  it('may be empty', async () => {
    assert.deepEqual(await write([]), { observations: [], deletions: [] });
  });

  it('fails in whole by what a rule refuses', async () => {
    const good = observation({ name: fresh(), vappName: 'web' });
    await assert.rejects(write([good, observation({ name: '', vappName: 'web' })]), { code: '23514' });
    assert.equal(await rowOf(good.uid), undefined);
  });
});

describe('template instances', () => {
  const vapp = { cluster: 'east', namespace: 'dev', name: 'web', uid: randomUUID(), creation: 'running' as const };
  const send = (...vapps: Parameters<ObservationStore['writeVapps']>[2]): Promise<readonly WriteOutcome[]> =>
    store.writeVapps(world.term, ++sequence, vapps);
  const statusOf = async (id: string): Promise<unknown> =>
    (await world.pool.query<{ status: string }>('SELECT status FROM vapp_status WHERE vapp_id = $1', [id])).rows[0]
      ?.status;

  it('say how far the creation of their vApp is', async () => {
    const id = await insert(world.pool, 'vapps', { vdc_id: world.vdc, name: 'stack' });
    const stack = { ...vapp, name: 'stack' };
    assert.deepEqual(await send(stack), ['created']);
    assert.equal(await statusOf(id), 'UNRESOLVED');
    assert.deepEqual(await send(stack), ['unchanged']);
    assert.deepEqual(await send({ ...stack, creation: 'failed', fault: 'no quota' }), ['updated']);
    assert.equal(await statusOf(id), 'FAILED_CREATION');
    assert.deepEqual(await store.writeVapps(world.term, 1, [stack]), ['older']);
    // Found by label, whatever its name; and the label has no effect in another VDC.
    assert.deepEqual(await send({ ...stack, name: 'x', vappId: id, creation: 'done' }), ['updated']);
    assert.equal(await statusOf(id), 'RESOLVED');
    assert.deepEqual(await send({ ...stack, name: 'x', vappId: id, namespace: 'prod' }), ['unmanaged']);
    assert.deepEqual(await send({ ...stack, name: 'x' }), ['unmanaged']);
  });

  it('of one vApp are one: that with its label', async () => {
    const id = await insert(world.pool, 'vapps', { vdc_id: world.vdc, name: 'twice' });
    const outcomes = await send({ ...vapp, name: 'twice' }, { ...vapp, name: 'y', vappId: id, creation: 'failed' });
    assert.deepEqual(outcomes, ['unmanaged', 'created']);
    assert.equal(await statusOf(id), 'FAILED_CREATION');
  });
});

describe('what the store tells', () => {
  it('lists the live rows of a cluster in pages', async () => {
    const uids = Array.from({ length: 7 }, () => randomUUID());
    await addVdc(world.pool, world.organization, 'paged', 'north');
    const { rows } = await world.pool.query<{ id: string }>(`SELECT id FROM vdcs WHERE cluster = 'north'`);
    await insert(world.pool, 'vapps', { vdc_id: rows[0]?.id, name: 'p' });
    await write(
      uids.map((uid, i) => observation({ cluster: 'north', namespace: 'paged', name: `p-${i}`, uid, vappName: 'p' })),
    );
    await write([], [{ cluster: 'north', uid: uids[0] ?? '' }]);
    const pages = [];
    for await (const page of store.boundVms('north', { pageSize: 2 })) pages.push(page);
    assert.deepEqual(
      pages.map((page) => page.length),
      [2, 2, 2],
    );
    assert.deepEqual(
      pages
        .flat()
        .map(({ uid }) => uid)
        .toSorted(),
      uids.slice(1).toSorted(),
    );
    const none = [];
    for await (const page of store.boundVms('north', { namespace: 'dev' })) none.push(...page);
    assert.deepEqual(none, []);
  });

  it('knows the namespaces of live VDCs', async () => {
    const id = await addVdc(world.pool, world.organization, 'gone', 'south');
    assert.ok((await store.vdcNamespaces()).some(({ cluster }) => cluster === 'south'));
    await world.pool.query('UPDATE vdcs SET deleted_at = now() WHERE id = $1', [id]);
    assert.ok(!(await store.vdcNamespaces()).some(({ cluster }) => cluster === 'south'));
  });

  it('records a cluster once, and takes another identity only where it was accepted', async () => {
    const base = { name: 'west', state: 'stale' as const, message: 'starting', unreadableNamespaces: [] };
    const west = async (): Promise<unknown> => (await store.clusters()).find(({ name }) => name === 'west');
    await store.writeCluster(world.term, base);
    assert.deepEqual(await west(), base);
    await store.writeCluster(world.term, {
      ...base,
      identity: 'a',
      state: 'synced',
      message: '',
      unreadableNamespaces: ['x'],
    });
    const synced = { ...base, identity: 'a', state: 'synced', message: '', unreadableNamespaces: ['x'] };
    assert.deepEqual(await west(), synced);
    await store.writeCluster(world.term, { ...base, state: 'frozen', identity: 'b' });
    assert.deepEqual(await west(), { ...base, state: 'frozen', identity: 'a' });
    await world.pool.query(`UPDATE clusters SET accepted_identity = 'b' WHERE name = 'west'`);
    assert.deepEqual(await west(), { ...base, state: 'frozen', identity: 'a', acceptedIdentity: 'b' });
    await store.writeCluster(world.term, { ...base, state: 'frozen', identity: 'b' });
    assert.deepEqual(await west(), { ...base, state: 'frozen', identity: 'b' });
    const version = async (): Promise<unknown> =>
      (await world.pool.query(`SELECT xmin::text, state_since FROM clusters WHERE name = 'west'`)).rows;
    const before = await version();
    await store.writeCluster(world.term, { ...base, state: 'frozen' });
    assert.deepEqual(await version(), before);
  });

  it('takes over an identity that a person has accepted elsewhere, for good', async () => {
    const base = { name: 'south-west', message: '', unreadableNamespaces: [] };
    await store.writeCluster(world.term, { ...base, state: 'synced', identity: 'a' });
    await store.writeCluster(world.term, { ...base, state: 'synced', identity: 'b', accepted: true });
    const found = (await store.clusters()).find(({ name }) => name === base.name);
    assert.deepEqual(found, { ...base, state: 'synced', identity: 'b' });
  });
});
