/** Virtual data centers by real requests. No controller runs: the tests end tasks with the rows that it would write. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { directoryOf, startApi, type Answer, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import {
  makeOrganization,
  makeVapp,
  makeVdc,
  makeVm,
  setCluster,
  someoneWaits,
} from '../../../../../test/database/rows.ts';
import type { OrganizationId, TaskId, VdcId } from '../../db/schema/schema.ts';
import { advanceTask } from '../../db/tasks/tasks.ts';
import { updateVdc } from '../../db/vdcs/vdcs.ts';

type Body = Record<string, unknown> & {
  id: string;
  name: string;
  task: { id: string; status: string; operationName: string };
  computeCapacity: { cpu: Record<string, unknown>; memory: Record<string, unknown> };
  values: Body[];
  message: string;
  minorErrorCode: string;
};

suite('virtual data centers', () => {
  let api: ApiHarness;
  let admin: Person;
  let org: OrganizationId;

  before(async () => {
    const clusters = directoryOf(
      { name: 'local', available: true, message: '' },
      { name: 'away', available: false, message: 'does not answer' },
    );
    api = await startApi({ clusters });
    admin = await api.person('System Administrator');
    org = (await makeOrganization(api.db, 'Acme Corp')).id;
  });
  after(() => api.stop());

  const path = (vdc = '', organization: string = org): string =>
    `/api/admin/org/${urn('org', organization)}/vdcs${vdc}`;
  const ask = (method: string, to: string, body?: unknown, headers = {}): Promise<Answer<Body>> =>
    api.ask<Body>(method, to, { token: admin.token, body, headers });
  const create = (body: object, headers = {}): Promise<Answer<Body>> => ask('POST', path(), body, headers);
  const update = (id: VdcId, body: object, headers = {}): Promise<Answer<Body>> =>
    ask('PUT', path(`/${urn('vdc', id)}`), body, headers);

  /** Ends a task as the controller does when the cluster matches the row. */
  async function finish(task: string, error?: { minorErrorCode: string; message: string }): Promise<void> {
    const id = task.slice(-36) as TaskId;
    await advanceTask(api.db, id, { status: 'running' });
    await advanceTask(api.db, id, error === undefined ? { status: 'success' } : { status: 'error', error });
  }

  /** Waits for an open task of that operation, and resolves to its id. */
  async function openTask(operation: string, name: string): Promise<string> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const { rows } = await sql<{ id: string }>`
        SELECT t.id FROM tasks t JOIN vdcs v ON v.id = t.owner_id
        WHERE t.operation = ${operation} AND v.name = ${name} AND t.ended_at IS NULL
      `.execute(api.db);
      if (rows[0] !== undefined) return rows[0].id;
      await pause(5);
    }
    throw new Error(`no open task ${operation} of ${name} after 10 s`);
  }

  async function requestsOf(id: string): Promise<unknown> {
    const { rows } = await sql`SELECT kind, cluster, wish FROM reconciliations WHERE entity_id = ${id}`.execute(api.db);
    return rows[0];
  }

  async function audits(id: string): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await sql<Record<string, unknown>>`
      SELECT action, entity_name, organization_id, details FROM audit_events WHERE entity_id = ${id} ORDER BY at
    `.execute(api.db);
    return rows;
  }

  suite('creating one', () => {
    test('records it, its task, the wish and the audit, and answers 202 with where the task is', async () => {
      const answer = await create({
        name: 'Gold',
        description: '',
        allocationModel: 'Flex',
        computeCapacity: { cpu: { allocated: 5000, limit: 10_500, units: 'MHz' }, memory: { limit: 8192 } },
        vmQuota: 10,
        nicQuota: 0,
        isEnabled: false,
      });
      assert.equal(answer.status, 202, answer.text);
      const { id, task, createdAt, updatedAt, namespace, ...rest } = answer.body;
      assert.equal(createdAt, updatedAt);
      assert.equal(namespace, `acme-corp-gold-${id.slice('urn:vcloud:vdc:'.length).slice(0, 8)}`);
      assert.deepEqual(rest, {
        name: 'Gold',
        description: '',
        allocationModel: 'Flex',
        computeCapacity: {
          cpu: { allocated: 5000, limit: 10_500, units: 'MHz', cores: 10 },
          memory: { allocated: 0, limit: 8192, units: 'MB' },
        },
        vCpuInMhz: 1000,
        storageLimitMb: 0,
        vmQuota: 10,
        nicQuota: 0,
        networkQuota: 50,
        vdcStorageProfiles: {},
        isThinProvision: false,
        isEnabled: false,
        org: { name: 'Acme Corp', id: urn('org', org) },
        cluster: 'local',
        status: 0,
        statusText: 'NOT_READY',
        stale: false,
        staleReason: null,
        message: '',
      });
      assert.deepEqual([task.status, task.operationName], ['queued', 'vdcCreate']);
      assert.equal(answer.headers['location'], `${api.url}/cloudapi/1.0.0/tasks/${task.id}`);
      assert.equal(answer.headers['preference-applied'], undefined);

      const uuid = id.slice(-36);
      assert.deepEqual(await requestsOf(uuid), { kind: 'vdc', cluster: 'local', wish: 1 });
      assert.deepEqual(await audits(uuid), [
        { action: 'vdcs.create', entity_name: 'Gold', organization_id: org, details: { cluster: 'local', namespace } },
      ]);
      const read = await ask('GET', path(`/${id}`));
      assert.deepEqual(read.body, without(answer.body, 'task'));
    });

    test('on a cluster that is known and away is accepted; on one that is not known refused, with the names', async () => {
      const away = await create({ name: 'later', cluster: 'away' });
      assert.deepEqual([away.status, away.body['cluster']], [202, 'away'], away.text);
      const nowhere = await create({ name: 'nowhere', cluster: 'mars' });
      assert.equal(nowhere.status, 400);
      assert.match(nowhere.body.message, /^cluster: "mars" is not a member of the fleet; the members are local, away$/);
    });

    test('with the name of another in the organization is refused, whatever the case; in another organization not', async () => {
      await create({ name: 'Twice' });
      const again = await create({ name: 'tWICE' });
      assert.deepEqual([again.status, again.body.minorErrorCode], [409, 'DUPLICATE_NAME']);
      const { id } = await makeOrganization(api.db);
      assert.equal((await ask('POST', path('', id), { name: 'Twice' })).status, 202);
    });

    test('twice at once gives one', async () => {
      const answers = await Promise.all([create({ name: 'Race' }), create({ name: 'Race' })]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202, 409]));
    });

    test('takes a name in any script', async () => {
      const { status, body } = await create({ name: 'Продакшн 東京' });
      assert.deepEqual([status, body.name], [202, 'Продакшн 東京']);
      assert.match(String(body['namespace']), /^acme-corp-vdc-[0-9a-f]{8}$/);
    });

    const bad: readonly (readonly [reason: string, body: unknown, message: RegExp])[] = [
      ['no body', undefined, /body/],
      ['no name', {}, /^name is missing\.$/],
      ['an empty name', { name: '' }, /^name is ""; /],
      ['a name of 129 characters', { name: 'x'.repeat(129) }, /^name is "x+…; .*128/],
      ['a name with a control character', { name: 'a\u0007b' }, /^name is .*must have no control characters/],
      ['a name with NUL', { name: 'a\u0000b' }, /^name is .*must have no control characters/],
      [
        'a name that begins with a space',
        { name: ' a' },
        /^name is " a"; it must have no control characters, and no leading or trailing space/,
      ],
      ['a description with NUL', { name: 'x', description: '\u0000' }, /^description is .*must have no NUL/],
      ['a field that is not known', { name: 'x', colour: 'red' }, /^colour is not a field of this request\.$/],
      ['an unknown model', { name: 'x', allocationModel: 'Free' }, /PayAsYouGo, AllocationPool, ReservationPool, Flex/],
      [
        'GHz',
        { name: 'x', computeCapacity: { cpu: { units: 'GHz' } } },
        /^computeCapacity.cpu.units is "GHz"; it must be "MHz"/,
      ],
      [
        'GB',
        { name: 'x', computeCapacity: { memory: { units: 'GB' } } },
        /^computeCapacity.memory.units is "GB"; it must be "MB"/,
      ],
      ['a negative limit', { name: 'x', storageLimitMb: -1 }, /^storageLimitMb is -1 MB; the minimum is 0 MB\.$/],
      ['a limit in text', { name: 'x', vmQuota: '5' }, /^vmQuota is "5"; it must be a whole number/],
      ['half a MB', { name: 'x', storageLimitMb: 0.5 }, /^storageLimitMb is 0.5; it must be a whole number/],
      ['more than can be counted', { name: 'x', storageLimitMb: 2 ** 40 + 1 }, /the maximum is 1099511627776 MB/],
      [
        'null for a list of fields',
        { name: 'x', computeCapacity: null },
        /^computeCapacity is null; it must be an object/,
      ],
      [
        'more allocated than the limit',
        { name: 'x', computeCapacity: { memory: { allocated: 10, limit: 9 } } },
        /^computeCapacity.memory.allocated: 10 MB is more than computeCapacity.memory.limit \(9 MB\)/,
      ],
      [
        'a limit that holds no vCPU',
        { name: 'x', computeCapacity: { cpu: { limit: 1999 } }, vCpuInMhz: 2000 },
        /^computeCapacity.cpu.limit: 1999 MHz is less than one vCPU \(vCpuInMhz: 2000 MHz\)/,
      ],
    ];
    for (const [reason, body, message] of bad)
      test(`with ${reason} is refused with 400, and the reason`, async () => {
        const answer = await ask('POST', path(), body);
        assert.equal(answer.status, 400, answer.text);
        assert.match(answer.body.message, message);
      });

    test('waits for its task where that is preferred: 201 when it is made', async () => {
      const asked = create({ name: 'Waited' }, { prefer: 'wait=20' });
      await finish(await openTask('vdcCreate', 'Waited'));
      const { status, headers, body, text } = await asked;
      assert.equal(status, 201, text);
      assert.equal(headers['preference-applied'], 'wait');
      assert.equal(headers['location'], `${api.url}${path(`/${body.id}`)}`);
      assert.equal(body.task.status, 'success');
    });

    test('answers 202 when the time is up', async () => {
      const { status, headers, body } = await create({ name: 'Slow' }, { prefer: 'wait=1' });
      assert.deepEqual([status, headers['preference-applied'], body.task.status], [202, 'wait', 'queued']);
    });

    const refusals: readonly (readonly [code: string, status: number, shown: string])[] = [
      ['CONFLICT', 409, 'CONFLICT'],
      ['BAD_REQUEST', 400, 'BAD_REQUEST'],
      ['INTERNAL_SERVER_ERROR', 409, 'CONFLICT'],
      ['toString', 409, 'CONFLICT'],
    ];
    for (const [code, status, shown] of refusals)
      test(`answers ${status} when the cluster refuses it with ${code}, and never with an error of the server`, async () => {
        const name = `Refused ${code}`;
        const asked = create({ name }, { prefer: 'wait=20' });
        await finish(await openTask('vdcCreate', name), { minorErrorCode: code, message: 'not in this cluster' });
        const answer = await asked;
        assert.deepEqual(
          [answer.status, answer.body.minorErrorCode, answer.body.message],
          [status, shown, 'not in this cluster'],
        );
      });

    test('answers 409 when its task is canceled', async () => {
      const asked = create({ name: 'Canceled' }, { prefer: 'wait=20' });
      await advanceTask(api.db, (await openTask('vdcCreate', 'Canceled')) as TaskId, { status: 'canceled' });
      assert.match((await asked).body.message, /its task was canceled/);
      assert.equal((await asked).status, 409);
    });
  });

  suite('reading', () => {
    test('a tenant sees its own, without their place in the fleet', async () => {
      const tenant = await api.person('vApp User', (await makeOrganization(api.db)).id);
      const mine = await makeVdc(api.db, { organization_id: tenant.organizationId, name: 'b mine' });
      await makeVdc(api.db, { organization_id: tenant.organizationId, name: 'a mine', enabled: false });
      const { token } = tenant;
      const list = await api.ask<Body>('GET', '/cloudapi/1.0.0/vdcs', { token });
      assert.deepEqual(
        list.body.values.map(({ name }) => name),
        ['a mine', 'b mine'],
      );
      const filtered = await api.ask<Body>('GET', '/cloudapi/1.0.0/vdcs?filter=isEnabled==true', { token });
      assert.deepEqual(
        filtered.body.values.map(({ name }) => name),
        ['b mine'],
      );
      const one = await api.ask<Body>('GET', `/cloudapi/1.0.0/vdcs/${urn('vdc', mine.id)}`, { token });
      assert.equal(one.status, 200, one.text);
      assert.deepEqual(one.body, filtered.body.values[0]);
      assert.deepEqual(['cluster' in one.body, 'namespace' in one.body], [false, false]);
      const { body } = await api.ask<Body>('GET', `/cloudapi/1.0.0/vdcs/${urn('vdc', mine.id)}`, {
        token: admin.token,
      });
      assert.deepEqual([body['cluster'], body['namespace']], [mine.cluster, mine.namespace]);
    });

    test('foreign, missing and deleted ones answer alike, to all who ask', async () => {
      const tenant = await api.person('Organization Administrator');
      const foreign = await makeVdc(api.db, { organization_id: org });
      const deleted = await makeVdc(api.db, { organization_id: tenant.organizationId });
      await sql`UPDATE vdcs SET deleted_at = now() WHERE id = ${deleted.id}`.execute(api.db);
      const texts = new Set<string>();
      for (const id of [foreign.id, deleted.id, '00000000-0000-4000-8000-0000000000ff'])
        for (const rest of ['', '/usage']) {
          const to = `/cloudapi/1.0.0/vdcs/${urn('vdc', id)}${rest}`;
          const answer = await api.ask('GET', to, { token: tenant.token });
          assert.equal(answer.status, 403);
          texts.add(answer.text);
        }
      const { id: other } = await makeOrganization(api.db);
      for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
        for (const organization of [other, '00000000-0000-4000-8000-0000000000ff']) {
          const answer = await ask(method, path(`/${urn('vdc', foreign.id)}`, organization), body);
          assert.equal(answer.status, 403, `${method} with the path of another organization`);
          texts.add(answer.text);
        }
      for (const [method, body] of [['GET'], ['POST', { name: 'x' }]] as const)
        texts.add((await ask(method, path('', '00000000-0000-4000-8000-0000000000ff'), body)).text);
      assert.equal(texts.size, 1, [...texts].join('\n'));
    });

    test('a system administrator who looks through the eyes of one tenant reaches only that one', async () => {
      const { id: other } = await makeOrganization(api.db);
      const headers = { 'x-vmware-vcloud-tenant-context': other };
      const elsewhere = await makeVdc(api.db, { organization_id: other });
      const list = await ask('GET', '/cloudapi/1.0.0/vdcs', undefined, headers);
      assert.deepEqual(
        list.body.values.map(({ name }) => name),
        [elsewhere.name],
      );
      assert.equal((await ask('POST', path(), { name: 'no' }, headers)).status, 403);
      assert.equal((await ask('GET', path(), undefined, headers)).status, 403);
      assert.equal((await ask('GET', path('', other), undefined, headers)).status, 200);
    });

    test('shows the provider its state and what it waits for, the tenant the state', async () => {
      const states = [
        ['NOT_READY', 0, 'the cluster away does not answer', { message: 'the cluster away does not answer' }],
        ['READY', 1, '', { ready: true }],
        ['READY', 1, 'someone has edited the quota', { ready: true, fault: 'someone has edited the quota' }],
        ['FAILED_CREATION', -1, 'namespaces are forbidden', { fault: 'namespaces are forbidden' }],
      ] as const;
      for (const [statusText, status, message, has] of states) {
        const { id } = await makeVdc(api.db, { organization_id: org });
        const { ready = false, fault = null, message: waits = '' } = { ...has } as Record<string, unknown>;
        await sql`INSERT INTO vdc_applied (vdc_id, ready, fault) VALUES (${id}, ${ready}, ${fault})`.execute(api.db);
        await sql`INSERT INTO reconciliations (kind, entity_id, cluster, message) VALUES ('vdc', ${id}, 'local', ${waits})`.execute(
          api.db,
        );
        const shown = await ask('GET', path(`/${urn('vdc', id)}`));
        assert.deepEqual(
          [shown.body['statusText'], shown.body['status'], shown.body.message],
          [statusText, status, message],
        );
        const tenant = await ask('GET', `/cloudapi/1.0.0/vdcs/${urn('vdc', id)}`);
        assert.equal(tenant.body['status'], status);
        assert.doesNotMatch(tenant.body.message, /cluster|quota|namespaces/);
      }
    });

    test('says that its state is not current, and why: to tenants without the place', async () => {
      const tenant = await api.person('vApp User', org);
      const vdc = await makeVdc(api.db, { organization_id: org, cluster: 'silent' });
      const urnOfIt = urn('vdc', vdc.id);
      const seen = async (): Promise<readonly unknown[]> => {
        const answers = [
          await api.ask<Body>('GET', `/cloudapi/1.0.0/vdcs/${urnOfIt}`, { token: tenant.token }),
          await api.ask<Body>('GET', `/cloudapi/1.0.0/vdcs?filter=id==${urnOfIt}`, { token: tenant.token }),
          await ask('GET', path(`/${urnOfIt}`)),
        ];
        return answers.map(({ body }) => {
          const { stale, staleReason } = body.values?.[0] ?? body;
          return [stale, staleReason];
        });
      };
      const current = [false, null];
      assert.deepEqual(await seen(), [current, current, current], 'its cluster was never followed');
      await setCluster(api.db, { name: 'silent', state: 'synced' });
      assert.deepEqual(await seen(), [current, current, current]);
      await setCluster(api.db, { name: 'silent', state: 'frozen' });
      const reason = (cluster: string): unknown => [
        true,
        { reason: 'ClusterChanged', message: `${cluster} is another one than before.` },
      ];
      assert.deepEqual(await seen(), [reason('The cluster'), reason('The cluster'), reason('Cluster "silent"')]);
      const read = (await ask('GET', path(`/${urnOfIt}`))).body;
      assert.equal((await update(vdc.id, read)).status, 200, 'what was read may be sent back');
      await setCluster(api.db, { name: 'silent', state: 'synced', unreadable_namespaces: [vdc.namespace] });
      assert.equal(((await seen())[0] as readonly unknown[])[0], true, 'its namespace cannot be read');
    });

    test('its use is shown beside its limits, which are absent where there are none', async () => {
      const { id, name } = await makeVdc(api.db, {
        organization_id: org,
        cpu_limit_mhz: 11_000,
        vcpu_mhz: 2000,
        memory_limit_mb: 4096,
        vm_quota: 1,
      });
      const { id: vapp_id } = await makeVapp(api.db, { vdc_id: id });
      for (const vm_name of ['one', 'two'])
        await makeVm(api.db, { vapp_id, name: vm_name, cpu_count: 2, memory_mb: 1024, spec: { storageMb: 100 } });
      const { token } = await api.person('Read-only', org);
      const { body, text } = await api.ask('GET', `/cloudapi/1.0.0/vdcs/${urn('vdc', id)}/usage`, { token });
      assert.deepEqual(
        body,
        {
          vdc: { name, id: urn('vdc', id) },
          cpu: { used: 8000, limit: 11_000, available: 3000, units: 'MHz' },
          vCpus: { used: 4, limit: 5, available: 1 },
          memory: { used: 2048, limit: 4096, available: 2048, units: 'MB' },
          storage: { used: 200, units: 'MB' },
          vms: { used: 2, limit: 1, available: 0 },
          nics: { used: 2, limit: 100, available: 98 },
        },
        text,
      );
    });
  });

  suite('changing one', () => {
    test('sets what is there, leaves what is not, and says in the audit what has changed', async () => {
      const { id } = await makeVdc(api.db, {
        organization_id: org,
        description: 'old',
        memory_limit_mb: 10,
        memory_allocated_mb: 5,
        vm_quota: 7,
      });
      const answer = await update(id, { description: '', isEnabled: false, computeCapacity: { memory: { limit: 0 } } });
      assert.equal(answer.status, 202, answer.text);
      const { description, isEnabled, computeCapacity, vmQuota, task } = answer.body;
      assert.deepEqual([description, isEnabled, vmQuota, task.operationName], ['', false, 7, 'vdcUpdate']);
      assert.deepEqual(computeCapacity.memory, { allocated: 5, limit: 0, units: 'MB' });
      assert.equal(answer.headers['location'], `${api.url}/cloudapi/1.0.0/tasks/${task.id}`);
      const changed = ['description', 'computeCapacity.memory.limit', 'isEnabled'];
      assert.deepEqual(
        (await audits(id)).map(({ details }) => details),
        [{ changed }],
      );
      assert.deepEqual(await requestsOf(id), { kind: 'vdc', cluster: 'local', wish: 1 });
      await update(id, { vmQuota: 8 });
      assert.deepEqual(await requestsOf(id), { kind: 'vdc', cluster: 'local', wish: 2 });
    });

    test('a new name leaves the namespace as it is', async () => {
      const { id, namespace } = await makeVdc(api.db, { organization_id: org });
      const { body } = await update(id, { name: 'Renamed' });
      assert.deepEqual([body.name, body['namespace']], ['Renamed', namespace]);
      const { id: next } = await makeVdc(api.db, { organization_id: org });
      assert.equal((await update(next, { name: 'renamed' })).status, 409);
    });

    test('what was read may be sent back: 200, no task, nothing recorded', async () => {
      const { id } = await makeVdc(api.db, { organization_id: org, cpu_limit_mhz: 4000 });
      const { body } = await ask('GET', path(`/${urn('vdc', id)}`));
      const answer = await update(id, body);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, body);
      assert.equal(answer.headers['location'], undefined);
      assert.deepEqual([await requestsOf(id), await audits(id)], [undefined, []]);
      body.computeCapacity.cpu['limit'] = 8000;
      const changed = await update(id, body);
      assert.deepEqual([changed.status, changed.body.computeCapacity.cpu['cores']], [202, 8], changed.text);
    });

    test('what cannot change is refused with 400, and the reason', async () => {
      const { id } = await makeVdc(api.db, { organization_id: org, cpu_limit_mhz: 4000 });
      const { id: other } = await makeOrganization(api.db);
      const cases: readonly (readonly [body: object, message: RegExp])[] = [
        [{ cluster: 'away' }, /^cluster: a virtual data center cannot move to another cluster \(it is on "local"\)/],
        [{ namespace: 'kube-system' }, /^namespace: it cannot be changed/],
        [{ id: urn('vdc', other) }, /^id: .* is not the one in the path/],
        [{ org: { id: urn('org', other) } }, /^org.id: .* cannot move to another organization/],
        [{ computeCapacity: { cpu: { cores: 9 } } }, /^computeCapacity.cpu.cores: 9 .* set limit to 9 × 1000 = 9000$/],
        [{ computeCapacity: { cpu: { allocated: 4001 } } }, /^computeCapacity.cpu.allocated: 4001 MHz is more than/],
        [{ vCpuInMhz: 5000 }, /^computeCapacity.cpu.limit: 4000 MHz is less than one vCPU/],
        [{ name: '' }, /^name is ""; /],
        [{ desiredState: 'absent' }, /^desiredState is not a field of this request/],
      ];
      for (const [body, message] of cases) {
        const answer = await update(id, body);
        assert.equal(answer.status, 400, JSON.stringify(body));
        assert.match(answer.body.message, message);
      }
      assert.deepEqual(await audits(id), []);
    });

    test('a limit below what is used is refused with the numbers; another change beside a limit that is too low is not', async () => {
      const { id } = await makeVdc(api.db, { organization_id: org, vm_quota: 1 });
      const { id: vapp_id } = await makeVapp(api.db, { vdc_id: id });
      for (const vm_name of ['one', 'two'])
        await makeVm(api.db, { vapp_id, name: vm_name, cpu_count: 2, memory_mb: 1024 });
      const answer = await update(id, { computeCapacity: { cpu: { limit: 3999 }, memory: { limit: 2048 } } });
      assert.deepEqual([answer.status, answer.body.minorErrorCode], [409, 'QUOTA_EXCEEDED']);
      assert.match(answer.body.message, /\(vCPUs: 4 are used, the requested limit is 3\)/);
      assert.equal((await update(id, { computeCapacity: { cpu: { limit: 4000 } }, vmQuota: 1 })).status, 202);
      // The same limit, but fewer vCPUs.
      assert.match((await update(id, { vCpuInMhz: 2000 })).body.message, /vCPUs: 4 are used, the requested limit is 2/);
    });

    test('waits for its task where that is preferred, and shows what has become of it', async () => {
      const { id, name } = await makeVdc(api.db, { organization_id: org });
      const asked = update(id, { vmQuota: 3 }, { prefer: 'wait=20' });
      const task = await openTask('vdcUpdate', name);
      await sql`INSERT INTO vdc_applied (vdc_id, ready) VALUES (${id}, true)`.execute(api.db);
      await finish(task);
      const { status, body, headers } = await asked;
      assert.deepEqual([status, body['statusText'], headers['preference-applied']], [200, 'READY', 'wait']);
    });

    test('one that is being deleted is refused', async () => {
      const { id } = await makeVdc(api.db, { organization_id: org, desired_state: 'absent' });
      const answer = await update(id, { vmQuota: 3 });
      assert.deepEqual([answer.status, answer.body.minorErrorCode], [409, 'BUSY_ENTITY']);
    });

    test('two at once change it one after the other, and neither is lost', async () => {
      const { id } = await makeVdc(api.db, { organization_id: org });
      const lock = await api.db.startTransaction().execute();
      await updateVdc(lock, id, { description: 'held' });
      const both = Promise.all([update(id, { vmQuota: 3 }), update(id, { nicQuota: 4 })]);
      await someoneWaits(api.db);
      await lock.commit().execute();
      assert.deepEqual(
        (await both).map(({ status }) => status),
        [202, 202],
      );
      const { body } = await ask('GET', path(`/${urn('vdc', id)}`));
      assert.deepEqual([body['vmQuota'], body['nicQuota'], body['description']], [3, 4, 'held']);
    });
  });
});

function urn(kind: string, id: string): string {
  return `urn:vcloud:${kind}:${id}`;
}

function without(body: Body, key: string): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}
