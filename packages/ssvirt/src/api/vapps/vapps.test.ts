/** vApps by real requests: which rows are written, and what is refused. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { directoryOf, startApi, type Answer, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import { makeVapp, makeVdc, makeVm, observe, setCluster, unique } from '../../../../../test/database/rows.ts';
import type { VmStatus } from '../../db/observations/contracts.ts';
import type { VappId, VdcId } from '../../db/schema/schema.ts';
import { deleteVapp } from '../../db/vapps/vapps.ts';
import type { Vm } from '../../db/vms/vms.ts';
import { powerOperations } from '../../kubevirt/power/table.ts';
import type { ClusterEntry } from '../clusters/directory.ts';
import { urnOf } from '../urn.ts';

const base = '/cloudapi/1.0.0';

interface Seen {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly numberOfVMs: number;
  readonly task?: { readonly id: string; readonly operationName: string; readonly details: object };
  readonly [field: string]: unknown;
}

interface TaskRow {
  readonly owner_kind: string;
  readonly operation: string;
  readonly status: string;
  readonly parent: string | null;
}

suite('vApps', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let author: Person;
  let vdcId: VdcId;
  let vdc: string;
  let local: ClusterEntry = { name: 'local', available: true, message: '' };

  before(async () => {
    api = await startApi({ clusters: { list: () => [local], get: (name) => directoryOf(local).get(name) } });
    author = await api.person('vApp Author');
    vdcId = (await makeVdc(api.db, { organization_id: author.organizationId })).id;
    vdc = urnOf('vdc', vdcId);
    await setCluster(api.db, { name: 'local', state: 'synced', unreadable_namespaces: [] });
  });
  after(() => api.stop());

  const ask = (method: string, path: string, body?: unknown, who: Person = author): Promise<Answer<Seen>> =>
    api.ask(method, `${base}/${path}`, { token: who.token, ...defined({ body }) });

  /** Creates a vApp with one VM for each of these states. */
  async function vappWith(
    ...states: readonly (VmStatus | undefined)[]
  ): Promise<{ id: VappId; urn: string; vms: Vm[] }> {
    const { id } = await makeVapp(api.db, { vdc_id: vdcId });
    const vms: Vm[] = [];
    for (const [index, state] of states.entries()) {
      const vm = await makeVm(api.db, { vapp_id: id, name: `m${index}`, vm_name: unique('m'), desired_power: 'on' });
      if (state !== undefined) await observe(api.db, vm, state);
      vms.push(vm);
    }
    return { id, urn: urnOf('vapp', id), vms };
  }

  async function tasksOf(id: VappId): Promise<readonly TaskRow[]> {
    const { rows } = await sql<TaskRow>`
      SELECT owner_kind, operation, status, details ->> 'parent' AS parent FROM tasks
      WHERE owner_id = ${id} OR owner_id IN (SELECT id FROM vms WHERE vapp_id = ${id}) ORDER BY created_at, owner_kind, owner_id
    `.execute(api.db);
    return rows;
  }

  async function wishesOf(id: VappId): Promise<readonly string[]> {
    const { rows } = await sql<{ kind: string }>`
      SELECT kind FROM reconciliations WHERE entity_id = ${id} OR entity_id IN (SELECT id FROM vms WHERE vapp_id = ${id}) ORDER BY kind
    `.execute(api.db);
    return rows.map(({ kind }) => kind);
  }

  async function desiredOf(id: VappId): Promise<readonly (string | null)[]> {
    const { rows } = await sql<{ desired_power: string | null }>`
      SELECT desired_power FROM vms WHERE vapp_id = ${id} ORDER BY name
    `.execute(api.db);
    return rows.map(({ desired_power }) => desired_power);
  }

  test('are made empty at once, with a name that is theirs in the data center', async () => {
    const name = unique('Shop');
    const made = await ask('POST', `vdcs/${vdc}/vapps`, { name, description: 'For all' });
    assert.equal(made.status, 201, made.text);
    const { id, href, createdAt, updatedAt, vdc: home, owner, ...rest } = made.body;
    assert.equal((owner as { id: string }).id, urnOf('user', author.userId));
    assert.deepEqual(rest, {
      name,
      description: 'For all',
      status: 'RESOLVED',
      statusCode: 1,
      stale: false,
      staleReason: null,
      numberOfVMs: 0,
      fault: null,
    });
    assert.equal((home as { id: string }).id, vdc);
    assert.equal(made.headers['location'], href);
    assert.ok(String(href).endsWith(`${base}/vapps/${id}`) && createdAt === updatedAt);
    const again = await ask('POST', `vdcs/${vdc}/vapps`, { name: name.toLowerCase() });
    assert.deepEqual([again.status, again.body['minorErrorCode']], [409, 'DUPLICATE_NAME']);
    const { operations: _operations, ...read } = (await ask('GET', `vapps/${id}`)).body;
    assert.deepEqual(read, { ...made.body, vms: [] });
    assert.deepEqual(await wishesOf(id.slice(-36) as VappId), []);
  });

  test('say why their template failed without the names of the cluster and the namespace', async () => {
    const { id, urn } = await vappWith();
    await sql`
      INSERT INTO vapp_observed (vapp_id, cluster, namespace, name, uid, creation, fault, epoch, sequence)
      SELECT ${id}, cluster, namespace, 'shop', gen_random_uuid(), 'failed', 'no room in namespace "' || namespace || '" of cluster "' || cluster || '"', 1, 1
      FROM vdcs WHERE id = ${vdcId}
    `.execute(api.db);
    const { body } = await ask('GET', `vapps/${urn}`);
    assert.deepEqual(
      [body['status'], body['fault']],
      ['FAILED_CREATION', 'no room in the virtual data center of the cluster'],
    );
  });

  test('are listed with the number of their machines, all of them or those of a data center', async () => {
    const { urn, vms } = await vappWith('POWERED_ON', 'POWERED_ON', 'DELETED');
    const hidden = await makeVapp(api.db, { vdc_id: vdcId, hidden: true });
    for (const path of ['vapps', `vdcs/${vdc}/vapps`]) {
      const { body } = await ask('GET', `${path}?pageSize=100`);
      const values = body['values'] as readonly Seen[];
      const one = values.find(({ id }) => id === urn);
      assert.deepEqual([one?.numberOfVMs, one?.status, one?.['statusCode']], [2, 'POWERED_ON', 4]);
      const single = await ask('GET', `vapps/${urn}`);
      assert.deepEqual(one?.['operations'], single.body['operations']);
      const { powerOff } = single.body['operations'] as Record<string, unknown>;
      assert.deepEqual(powerOff, { allowed: true });
      assert.equal(
        values.find(({ id }) => id === urnOf('vapp', hidden.id)),
        undefined,
        'those of one machine are not',
      );
    }
    const { body } = await ask('GET', `vapps/${urn}`);
    assert.deepEqual(
      (body['vms'] as readonly Seen[]).map(({ id, name, status }) => [id, name, status]),
      vms.slice(0, 2).map(({ id, name }) => [urnOf('vm', id), name, 'POWERED_ON']),
    );
    const machines = await ask('GET', `vapps/${urn}/vms?sortAsc=name`);
    assert.deepEqual(
      (machines.body['values'] as readonly Seen[]).map(({ name }) => name),
      ['m0', 'm1'],
    );
    const filtered = await ask('GET', `vapps?filter=status==MIXED;id==${urn}`);
    assert.equal(filtered.body['resultTotal'], 0);
  });

  test('are renamed, with a task where machines have to be told', async () => {
    const { body } = await ask('POST', `vdcs/${vdc}/vapps`, { name: unique('v') });
    const name = unique('renamed');
    const empty = await ask('PUT', `vapps/${body.id}`, { ...body, name });
    assert.deepEqual([empty.status, empty.body.name, empty.body.task], [200, name, undefined]);
    const { id, urn } = await vappWith('POWERED_OFF');
    const same = await ask('PUT', `vapps/${urn}`, {});
    assert.deepEqual([same.status, same.body.task], [200, undefined]);
    const words = await ask('PUT', `vapps/${urn}`, { description: 'other' });
    assert.deepEqual([words.status, words.body['description'], words.body.task], [200, 'other', undefined]);
    const told = await ask('PUT', `vapps/${urn}`, { name: unique('told') });
    assert.deepEqual([told.status, told.body.task?.operationName], [202, 'vappUpdate']);
    assert.deepEqual(await wishesOf(id), ['vapp']);
    assert.equal((await ask('PUT', `vapps/${urn}`, { name })).status, 409, 'taken');
    assert.equal((await ask('PUT', `vapps/${urn}`, { id: body.id, name: 'x' })).status, 400, 'another id');
    assert.equal((await ask('PUT', `vapps/${urn}`, { nmae: 'x' })).status, 400, 'no field');
  });

  const powered: readonly (readonly [string, readonly VmStatus[], string, readonly (string | null)[]])[] = [
    ['powerOn', ['POWERED_OFF', 'POWERED_ON', 'SUSPENDED'], 'mmm', ['on', 'on', 'on']],
    ['powerOff', ['POWERED_OFF', 'POWERED_ON', 'POWERING_ON'], 'mmm', ['off', 'off', 'off']],
    ['shutdown', ['POWERED_ON', 'SUSPENDED', 'POWERING_OFF'], 'm-m', ['off', 'on', 'off']],
    ['suspend', ['POWERED_ON', 'POWERED_OFF'], 'm-', ['on', 'on']],
    ['resume', ['SUSPENDED', 'POWERED_ON'], 'mm', ['on', 'on']],
    ['reset', ['POWERED_ON', 'POWERED_OFF'], 'm-', ['on', 'on']],
    ['reboot', ['POWERED_ON', 'FAILED'], 'm-', ['on', 'on']],
  ];
  for (const [word, states, expected, desired] of powered)
    test(`can ${word}: each machine that can gets a task, and the vApp one that waits for these`, async () => {
      const { id, urn, vms } = await vappWith(...states);
      const { status, body, text } = await ask('POST', `vapps/${urn}/actions/${word}`);
      assert.equal(status, 202, text);
      const asked = vms.filter((_, index) => expected[index] === 'm');
      const big = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
      const tasks = await tasksOf(id);
      const parent = body.task?.id.slice(-36);
      assert.deepEqual(tasks, [
        { owner_kind: 'vapp', operation: `vapp${big}`, status: 'queued', parent: null },
        ...asked.map(() => ({ owner_kind: 'vm', operation: `vm${big}`, status: 'queued', parent })),
      ]);
      assert.deepEqual(await wishesOf(id), ['vapp', ...asked.map(() => 'vm')]);
      assert.deepEqual(await desiredOf(id), desired);
    });

  test('get a task where all show the state already, and refuse where no machine can', async () => {
    const on = await vappWith('POWERED_ON', 'POWERED_ON');
    const already = await ask('POST', `vapps/${on.urn}/actions/powerOn`);
    assert.deepEqual([already.status, already.body.task?.operationName], [202, 'vappPowerOn']);
    assert.deepEqual(await wishesOf(on.id), ['vapp', 'vm', 'vm']);
    const off = await vappWith('POWERED_OFF');
    const refused = await ask('POST', `vapps/${off.urn}/actions/reset`);
    assert.deepEqual([refused.status, refused.body['minorErrorCode']], [409, 'CONFLICT']);
    assert.match(refused.text, /m0.*cannot be reset: it is powered off: power it on first/);
    const empty = await vappWith();
    for (const word of powerOperations) {
      const answer = await ask('POST', `vapps/${empty.urn}/actions/${word}`);
      assert.deepEqual([answer.status, /has no VMs/.test(answer.text)], [409, true]);
    }
  });

  test('follow the newest wish: what is under way ends as aborted, and the same wish again is the same task', async () => {
    const { id, urn } = await vappWith('POWERED_OFF', 'POWERED_OFF');
    const first = await ask('POST', `vapps/${urn}/actions/powerOn`);
    const same = await ask('POST', `vapps/${urn}/actions/powerOn`);
    assert.equal(same.body.task?.id, first.body.task?.id);
    const other = await ask('POST', `vapps/${urn}/actions/powerOff`);
    assert.equal(other.status, 202, 'they are off, and were about to be on');
    const seen = (await tasksOf(id)).map(({ operation, status }) => `${operation} ${status}`);
    assert.deepEqual(seen.toSorted(), [
      'vappPowerOff queued',
      'vappPowerOn aborted',
      'vmPowerOff queued',
      'vmPowerOff queued',
      'vmPowerOn aborted',
      'vmPowerOn aborted',
    ]);
    assert.deepEqual(await desiredOf(id), ['off', 'off']);
  });

  test('are deleted with their machines, and only when none runs or it is forced', async () => {
    const { id, urn } = await vappWith('POWERED_ON', 'POWERED_OFF', undefined);
    const refused = await ask('DELETE', `vapps/${urn}`);
    assert.deepEqual([refused.status, /run \(\\"m0\\"\)|may run \(\\"m0\\"\)/.test(refused.text)], [409, true]);
    assert.deepEqual([await tasksOf(id), await wishesOf(id)], [[], []], 'nothing was touched');
    const forced = await ask('DELETE', `vapps/${urn}?force=true`);
    assert.deepEqual(
      [forced.status, forced.body.status, forced.body.task?.operationName],
      [202, 'DELETING', 'vappDelete'],
    );
    assert.deepEqual(await wishesOf(id), ['vapp', 'vm', 'vm', 'vm']);
    const { rows } = await sql<{ desired_state: string }>`
      SELECT DISTINCT desired_state FROM vms WHERE vapp_id = ${id}
    `.execute(api.db);
    assert.deepEqual(rows, [{ desired_state: 'absent' }]);
    const again = await ask('DELETE', `vapps/${urn}`);
    assert.equal(again.body.task?.id, forced.body.task?.id, 'what is on its way out goes on');
    for (const [method, path, body] of [
      ['PUT', '', { name: 'x' }],
      ['POST', '/actions/powerOn', undefined],
      ['POST', '/vms', { name: 'x', image: 'a/b', cpus: 1, memoryMb: 64 }],
    ] as const) {
      const answer = await ask(method, `vapps/${urn}${path}`, body);
      assert.deepEqual([answer.status, answer.body['minorErrorCode']], [409, 'BUSY_ENTITY'], `${method} ${path}`);
    }
  });

  test('with machines whose status is not current are deleted by force only', async () => {
    const { id, urn } = await vappWith('POWERED_OFF', undefined);
    const empty = await vappWith(undefined);
    await setCluster(api.db, { name: 'local', state: 'synced' }, { contactedMsAgo: 60_000, currentForMs: 15_000 });
    try {
      const refused = await ask('DELETE', `vapps/${urn}`);
      assert.deepEqual([refused.status, refused.body['minorErrorCode']], [409, 'CONFLICT'], refused.text);
      assert.match(
        String(refused.body['message']),
        /may run \("m0"\): their status is not current\. Wait until it is, or delete the vApp with force=true\.$/,
      );
      assert.deepEqual([await tasksOf(id), await wishesOf(id)], [[], []], 'nothing was touched');
      assert.equal((await ask('DELETE', `vapps/${urn}?force=true`)).status, 202);
      assert.equal((await ask('DELETE', `vapps/${empty.urn}`)).status, 202, 'no cluster has its machine');
    } finally {
      await setCluster(api.db, { name: 'local', state: 'synced' });
    }
  });

  test('give up their names when they are gone', async () => {
    const name = unique('again');
    const { body } = await ask('POST', `vdcs/${vdc}/vapps`, { name });
    assert.equal((await ask('DELETE', `vapps/${body.id}`)).status, 202);
    assert.equal((await ask('POST', `vdcs/${vdc}/vapps`, { name })).status, 409, 'not before');
    await deleteVapp(api.db, body.id.slice(-36) as VappId);
    assert.equal((await ask('POST', `vdcs/${vdc}/vapps`, { name })).status, 201);
    assert.equal((await ask('GET', `vapps/${body.id}`)).status, 403);
  });

  test('take machines, within the limits, but not where they were made for one alone', async () => {
    const { id, urn } = await vappWith();
    const machine = { name: 'web', image: 'containerdisks/fedora:42', cpus: 1, memoryMb: 512 };
    const made = await ask('POST', `vapps/${urn}/vms`, machine);
    assert.deepEqual([made.status, made.body.task?.operationName], [202, 'vmCreate'], made.text);
    assert.equal((made.body['vapp'] as { id: string }).id, urn);
    assert.deepEqual(await wishesOf(id), ['vm']);
    assert.equal((await ask('POST', `vapps/${urn}/vms`, { ...machine, name: 'WEB' })).status, 409);
    const hidden = await makeVapp(api.db, { vdc_id: vdcId, hidden: true });
    const refused = await ask('POST', `vapps/${urnOf('vapp', hidden.id)}/vms`, machine);
    assert.deepEqual([refused.status, /created for a single VM/.test(refused.text)], [409, true]);
    const small = await makeVdc(api.db, { organization_id: author.organizationId, vm_quota: 1 });
    const limited = await makeVapp(api.db, { vdc_id: small.id });
    const add = (name: string): Promise<Answer<Seen>> =>
      ask('POST', `vapps/${urnOf('vapp', limited.id)}/vms`, { ...machine, name });
    const statuses = (await Promise.all([add('a'), add('b')])).map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [202, 409],
    );
  });

  test('take none while they are being made: what cannot be made is undone with all that is in it', async () => {
    const { id } = await makeVapp(api.db, { vdc_id: vdcId, creation: 'running' });
    const machine = { name: 'late', image: 'a/b:1', cpus: 1, memoryMb: 64 };
    const early = await ask('POST', `vapps/${urnOf('vapp', id)}/vms`, machine);
    assert.deepEqual([early.status, early.body['minorErrorCode']], [409, 'BUSY_ENTITY'], early.text);
    await sql`UPDATE vapps SET creation = 'done' WHERE id = ${id}`.execute(api.db);
    const late = await ask('POST', `vapps/${urnOf('vapp', id)}/vms`, machine);
    assert.equal(late.status, 202, late.text);
  });

  test('in a disabled data center are stopped and deleted, not made or started', async () => {
    const { id: off } = await makeVdc(api.db, { organization_id: author.organizationId, enabled: false });
    const vapp = await makeVapp(api.db, { vdc_id: off });
    const urn = urnOf('vapp', vapp.id);
    await observe(api.db, await makeVm(api.db, { vapp_id: vapp.id, vm_name: unique('m') }), 'POWERED_ON');
    assert.equal((await ask('POST', `vdcs/${urnOf('vdc', off)}/vapps`, { name: 'x' })).status, 409);
    assert.equal((await ask('POST', `vapps/${urn}/actions/powerOn`)).status, 409);
    const machine = { name: 'web', image: 'a/b', cpus: 1, memoryMb: 64 };
    assert.equal((await ask('POST', `vapps/${urn}/vms`, machine)).status, 409);
    assert.equal((await ask('POST', `vapps/${urn}/actions/powerOff`)).status, 202);
    assert.equal((await ask('DELETE', `vapps/${urn}?force=true`)).status, 202);
  });

  test('defer on an unavailable cluster what can wait, and say so of the rest', async () => {
    const { urn } = await vappWith('POWERED_OFF');
    local = { ...local, available: false, message: 'connect ECONNREFUSED 192.0.2.7' };
    try {
      const power = await ask('POST', `vapps/${urn}/actions/powerOn`);
      assert.deepEqual([power.status, power.headers['retry-after']], [503, '15']);
      assert.doesNotMatch(power.text, /192\.0\.2|"local"/);
      const provider = await ask(
        'POST',
        `vapps/${urn}/actions/powerOn`,
        undefined,
        await api.person('System Administrator'),
      );
      assert.match(provider.text, /192\.0\.2\.7/);
      const machine = { name: 'web', image: 'a/b', cpus: 1, memoryMb: 64 };
      assert.equal((await ask('POST', `vapps/${urn}/vms`, machine)).status, 503);
      assert.equal((await ask('PUT', `vapps/${urn}`, { name: unique('later') })).status, 202);
      assert.equal((await ask('DELETE', `vapps/${urn}`)).status, 202);
      assert.equal((await ask('POST', `vdcs/${vdc}/vapps`, { name: unique('now') })).status, 201);
    } finally {
      local = { ...local, available: true, message: '' };
    }
  });

  test('are asked for many things at once, without a deadlock', async () => {
    const { urn, vms } = await vappWith('POWERED_ON', 'POWERED_OFF', 'POWERED_ON');
    const machine = { image: 'containerdisks/fedora:42', cpus: 1, memoryMb: 64 };
    const asked = Array.from({ length: 6 }, (_, at) => [
      () => ask('POST', `vapps/${urn}/actions/${powerOperations[at] ?? 'powerOn'}`),
      () => ask('PUT', `vapps/${urn}`, { name: unique('busy') }),
      () => ask('POST', `vapps/${urn}/vms`, { ...machine, name: `new${at}` }),
      ...vms.map(
        ({ id }) =>
          () =>
            ask('POST', `vms/${urnOf('vm', id)}/actions/${at % 2 === 0 ? 'powerOff' : 'powerOn'}`),
      ),
      () => ask('PUT', `vms/${urnOf('vm', vms[0]?.id ?? ('' as never))}`, { name: unique('m') }),
    ]).flat();
    const answers = await Promise.all(asked.map((one) => one()));
    const more = await Promise.all([
      ask('DELETE', `vapps/${urn}?force=true`),
      ...vms.map(({ id }) => ask('DELETE', `vms/${urnOf('vm', id)}?force=true`)),
      ask('POST', `vapps/${urn}/actions/powerOff`),
    ]);
    const wrong = [...answers, ...more].filter(({ status }) => ![200, 202, 409].includes(status));
    assert.deepEqual(
      wrong.map(({ status, text }) => `${status} ${text}`),
      [],
    );
    assert.equal(more[0]?.status, 202);
  });

  test('tell no tenant where they are', async () => {
    const { urn } = await vappWith('POWERED_ON');
    const { namespace } = await api.db
      .selectFrom('vdcs')
      .select('namespace')
      .where('id', '=', vdcId)
      .executeTakeFirstOrThrow();
    for (const path of [`vapps/${urn}`, 'vapps', `vapps/${urn}/vms`])
      assert.doesNotMatch((await ask('GET', path)).text, new RegExp(`${namespace}|"local"|placement`));
  });
});
