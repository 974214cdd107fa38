/** VMs by HTTP requests: each request results in rows and tasks; no cluster runs. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  directoryOf,
  startApi,
  type Answer,
  type ApiHarness,
  type Asked,
  type Person,
} from '../../../../../test/api/harness.ts';
import { makeVapp, makeVdc, makeVm, observe, setCluster, unique } from '../../../../../test/database/rows.ts';
import { sql } from 'kysely';
import { vmControllerName } from '../../db/clusters/leader-health.ts';
import { createLeaderStore } from '../../db/observations/leaders.ts';
import { advanceTask } from '../../db/tasks/tasks.ts';
import type { TaskId, VmId } from '../../db/schema/schema.ts';
import { getUser } from '../../db/tenants/users.ts';
import type { Vdc } from '../../db/vdcs/vdcs.ts';
import { powerDecisions } from '../../kubevirt/power/table.ts';
import { nothingOffered } from '../catalogs/catalogs/source.ts';

type Body = Record<string, unknown>;

const sizes = new Map([
  ['u1.small', { name: 'u1.small', cpus: 1, memoryMb: 2048 }],
  ['u1.large', { name: 'u1.large', cpus: 4, memoryMb: 8192 }],
]);

suite('machines', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let author: Person;
  let provider: Person;
  let vdc: Vdc;
  let isAway = false;
  before(async () => {
    const local = { name: 'local', available: true, message: '' };
    api = await startApi({
      clusters: {
        ...directoryOf(local),
        get: (name) => ({
          ...local,
          name,
          available: !isAway,
          message: isAway ? 'connection refused by 10.0.0.1' : '',
        }),
      },
      catalogSource: {
        ...nothingOffered,
        instancetypes: () => [...sizes.values()],
        instancetype: (_cluster, name) => sizes.get(name),
        known: () => true,
        storageClasses: () => [{ name: 'fast' }, { name: 'standard', isDefault: true }],
      },
    });
    await setCluster(api.db, { name: 'local', state: 'synced' });
    author = await api.person('vApp Author');
    provider = await api.person('System Administrator');
    vdc = await makeVdc(api.db, { organization_id: author.organizationId, namespace: 'secret-namespace' });
  });
  after(() => api.stop());

  const ask = (method: string, path: string, asked: Asked = {}): Promise<Answer> =>
    api.ask(method, `/cloudapi/1.0.0${path}`, { token: author.token, ...asked });
  const inVdc = (of: Vdc = vdc): string => `/vdcs/urn:vcloud:vdc:${of.id}/vms`;
  const least = (name = unique('web')): Body => ({ name, image: 'containerdisks/fedora:42', cpus: 2, memoryMb: 1024 });
  const idOf = (body: Body): VmId => String(body['id']).slice(-36) as VmId;
  const authorReference = async (): Promise<Body> => ({
    name: (await getUser(api.db, 'all', author.userId))?.username,
    id: `urn:vcloud:user:${author.userId}`,
  });
  const taskOf = (body: Body): Body => body['task'] as Body;
  const taskIdOf = (body: Body): TaskId => String(taskOf(body)['id']).slice(-36) as TaskId;
  const row = (id: VmId) => api.db.selectFrom('vms').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const statusOf = async (body: Body): Promise<string> =>
    (await api.db.selectFrom('tasks').select('status').where('id', '=', taskIdOf(body)).executeTakeFirstOrThrow())
      .status;
  const requestsOf = (id: string) =>
    api.db.selectFrom('reconciliations').select(['kind', 'cluster', 'wish']).where('entity_id', '=', id).execute();

  async function made(more: Body = {}, of: Vdc = vdc): Promise<Body> {
    const answer = await ask('POST', inVdc(of), { body: { ...least(), ...more } });
    assert.equal(answer.status, 202, answer.text);
    return answer.body;
  }

  /** Writes an observation as the vm-controller does. */
  async function seen(
    body: Body,
    status: Parameters<typeof observe>[2],
    more: Parameters<typeof observe>[3] = {},
  ): Promise<void> {
    await observe(api.db, await row(idOf(body)), status, more);
  }

  async function ended(body: Body): Promise<void> {
    await advanceTask(api.db, taskIdOf(body), { status: 'running' });
    await advanceTask(api.db, taskIdOf(body), { status: 'success' });
  }

  test('one is recorded with its task, and nothing secret of it is ever shown', async () => {
    const secret = '#cloud-config\npassword: never-shown';
    const name = unique('Web');
    const { status, headers, body, text } = await ask('POST', inVdc(), {
      body: {
        ...least(name),
        description: 'shop',
        cloudInit: { userData: secret },
        disks: [{ name: 'data', sizeGb: 10 }],
      },
    });
    assert.equal(status, 202, text);
    assert.match(String(headers['location']), new RegExp(`/tasks/${String(taskOf(body)['id'])}$`));
    assert.equal(taskOf(body)['operation'], `Creating virtual machine ${name}`);
    assert.deepEqual(taskOf(body)['details'], { powerOn: true });
    assert.deepEqual(taskOf(await made({ powerOn: false }))['details'], { powerOn: false });
    const { task: _task, ...shown } = body;
    const id = idOf(body);
    const now = await row(id);
    assert.deepEqual(shown, {
      id: `urn:vcloud:vm:${id}`,
      name,
      description: 'shop',
      href: `${api.url}/cloudapi/1.0.0/vms/urn:vcloud:vm:${id}`,
      status: 'UNRESOLVED',
      statusCode: 0,
      operations: powerDecisions('UNRESOLVED', false),
      stale: false,
      staleReason: null,
      vapp: { name: `${name} (virtual machine)`, id: `urn:vcloud:vapp:${now.vapp_id}` },
      standalone: true,
      vdc: { name: vdc.name, id: `urn:vcloud:vdc:${vdc.id}` },
      owner: await authorReference(),
      cpus: 2,
      memoryMb: 1024,
      guestOs: null,
      hostName: null,
      ipAddresses: [],
      restartRequired: false,
      fault: null,
      busy: false,
      disks: [
        { name: 'rootdisk', sizeMb: null, boot: true },
        { name: 'data', sizeMb: 10_240, boot: false },
      ],
      createdAt: now.created_at.toISOString(),
      updatedAt: now.updated_at.toISOString(),
      networks: [{ name: 'default', kind: 'pod' }],
      observed: { cpus: null, memoryMb: null },
    });
    assert.deepEqual(now.spec['cloudInit'], { userData: secret });
    assert.match(now.vm_name, /^web-[0-9a-f]{8}-[0-9a-f]{8}$/);
    assert.deepEqual([now.desired_power, now.namespace], ['on', 'secret-namespace']);
    assert.deepEqual(await requestsOf(id), [{ kind: 'vm', cluster: 'local', wish: 1 }]);
    const [own, all] = [await ask('GET', `/vms/${id}`), await ask('GET', `/vms?filter=id==${id}`)];
    assert.deepEqual(own.body, shown);
    assert.deepEqual((all.body['values'] as Body[])[0], shown);
    const audit = await api.db.selectFrom('audit_events').selectAll().where('entity_id', '=', id).execute();
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['vms.create'],
    );
    for (const told of [text, own.text, JSON.stringify(audit), JSON.stringify(api.log)])
      assert.doesNotMatch(told, /never-shown|secret-namespace/);
    const asProvider = await ask('GET', `/vms/${id}`, { token: provider.token });
    assert.deepEqual(asProvider.body['placement'], {
      cluster: 'local',
      namespace: 'secret-namespace',
      vmName: now.vm_name,
      node: null,
    });
  });

  test('a VM is explained to whoever may see it, and its place and sync failures only to the provider', async () => {
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const vm = await makeVm(api.db, { vapp_id: vapp.id });
    await observe(api.db, vm, 'FAILED', {
      fault: 'node "n-1" in namespace "secret-namespace" refuses it',
      fault_reason: 'REFUSED',
      node: 'n-1',
    });
    const task = { organization_id: author.organizationId, status: 'error', ended_at: new Date() } as const;
    const error = { minorErrorCode: 'CONFLICT', message: 'denied in namespace "secret-namespace"' };
    await api.db
      .insertInto('tasks')
      .values([
        { ...task, error, owner_kind: 'vm', owner_id: vm.id, operation: 'vmPowerOn', step: 'start' },
        { ...task, owner_kind: 'vapp', owner_id: vapp.id, operation: 'vappPowerOn', created_at: new Date(0) },
        { ...task, owner_kind: 'vdc', owner_id: vdc.id, operation: 'vdcUpdate' },
      ])
      .execute();
    const place = { cluster: vm.cluster, namespace: vm.namespace, vm_name: vm.vm_name, vm_id: vm.id };
    const failure = { ...place, error_type: 'Deadlock', message: 'two wrote at once', attempts: 7 };
    await api.db.insertInto('sync_failures').values(failure).execute();

    const path = `/vms/urn:vcloud:vm:${vm.id}/explanation`;
    const { status, body, text } = await ask('GET', path);
    assert.equal(status, 200, text);
    const reasons = (explained: Body) => (explained['findings'] as { reason: string }[]).map(({ reason }) => reason);
    assert.equal(body['verdict'], 'wrong');
    // The first is why the status is stale.
    assert.deepEqual(reasons(body).slice(1), ['REFUSED', 'TASK_FAILED']);
    assert.deepEqual(
      (body['tasks'] as Body[]).map(({ operationName }) => operationName),
      ['vmPowerOn', 'vappPowerOn'],
    );
    assert.equal((body['vapp'] as Body)['name'], vapp.name);
    assert.doesNotMatch(text, /secret-namespace|n-1|Deadlock|two wrote|"placement"|"syncFailures"|kubectl/);

    const all = await ask('GET', path, { token: provider.token });
    assert.deepEqual(reasons(all.body).slice(1), ['REFUSED', 'TASK_FAILED', 'STATE_NOT_WRITTEN']);
    assert.equal((all.body['syncFailures'] as Body[])[0]?.['attempts'], 7);
    assert.match(all.text, /kubectl describe vm,vmi -n secret-namespace/);
    const stranger = await api.person('Organization Administrator');
    assert.equal((await ask('GET', path, { token: stranger.token })).status, 403);
  });

  test('a refused value of cloud-init is not repeated', async () => {
    const { status, text } = await ask('POST', inVdc(), {
      body: { ...least(), cloudInit: { userData: ['never-shown'] } },
    });
    assert.equal(status, 400);
    assert.doesNotMatch(text, /never-shown/);
  });

  test('the name of one that is alone is taken among those, and goes with it', async () => {
    const name = unique('alone');
    const body = await made({ name });
    const again = await ask('POST', inVdc(), { body: least(name.toUpperCase()) });
    assert.deepEqual([again.status, again.body['minorErrorCode']], [409, 'DUPLICATE_NAME']);
    const other = unique('other');
    const renamed = await ask('PUT', `/vms/${idOf(body)}`, { body: { name: other } });
    assert.equal(renamed.status, 202, renamed.text);
    assert.equal((renamed.body['vapp'] as Body)['name'], `${other} (virtual machine)`);
    assert.equal((await made({ name }))['name'], name);
  });

  test('what the limits do not allow is refused, with what is used, and nothing is written', async () => {
    const small = await makeVdc(api.db, {
      organization_id: author.organizationId,
      cpu_limit_mhz: 4000,
      storage_limit_mb: 2048,
      vm_quota: 2,
      nic_quota: 2,
    });
    const body = await made({ blank: true, image: undefined, diskSizeGb: 1 }, small);
    const pod = { name: 'a', kind: 'pod' };
    const refusals: readonly (readonly [Body, RegExp])[] = [
      [{ cpus: 3 }, /vCPUs: 2 of 4 are used, 3 more/],
      [{ networks: [pod, { name: 'b', kind: 'multus', networkName: 'b' }] }, /network cards: 1 of 2 are used, 2 more/],
      [{ disks: [{ name: 'data', sizeMb: 1025 }] }, /storage: 1024 of 2048 are used, 1025 more/],
    ];
    for (const [more, reason] of refusals) {
      const { status, body: error } = await ask('POST', inVdc(small), { body: { ...least(), ...more } });
      assert.deepEqual([status, error['minorErrorCode']], [409, 'QUOTA_EXCEEDED']);
      assert.match(String(error['message']), reason);
    }
    assert.equal((await ask('GET', inVdc(small))).body['resultTotal'], 1);
    const grown = await ask('PUT', `/vms/${idOf(body)}`, { body: { cpus: 5 } });
    assert.match(String(grown.body['message']), /vCPUs: 2 of 4 are used, 3 more/);
    const disk = await ask('POST', `/vms/${idOf(body)}/disks`, { body: { name: 'data', sizeGb: 2 } });
    assert.match(String(disk.body['message']), /storage: 1024 of 2048 are used, 2048 more/);
    assert.equal((await ask('PUT', `/vms/${idOf(body)}`, { body: { cpus: 4 } })).status, 202);
  });

  test('in a data center that is disabled nothing is created or powered on, and the rest goes on', async () => {
    const off = await makeVdc(api.db, { organization_id: author.organizationId });
    const body = await made({}, off);
    await seen(body, 'POWERED_OFF');
    await api.db.updateTable('vdcs').set({ enabled: false }).where('id', '=', off.id).execute();
    for (const [path, asked] of [
      [inVdc(off), { body: least() }],
      [`/vms/${idOf(body)}/actions/powerOn`, {}],
    ] as const) {
      const { status, body: error } = await ask('POST', path, asked);
      assert.deepEqual([status, error['minorErrorCode']], [409, 'CONFLICT']);
      assert.match(String(error['message']), /is disabled/);
    }
    assert.equal((await ask('PUT', `/vms/${idOf(body)}`, { body: { cpus: 1 } })).status, 202);
    assert.equal((await ask('DELETE', `/vms/${idOf(body)}`)).status, 202);
  });

  test('while the cluster is unavailable creation and power are refused, edits and deletions are recorded', async () => {
    const body = await made();
    await seen(body, 'POWERED_ON');
    isAway = true;
    try {
      for (const path of [inVdc(), `/vms/${idOf(body)}/actions/powerOff`]) {
        const asked = path === inVdc() ? { body: least() } : {};
        const tenant = await ask('POST', path, asked);
        assert.deepEqual([tenant.status, tenant.headers['retry-after']], [503, '15'], tenant.text);
        assert.doesNotMatch(tenant.text, /10\.0\.0\.1|"local|\\"local/);
        const { text } = await ask('POST', path, { ...asked, token: provider.token });
        assert.match(text, /local.*connection refused by 10\.0\.0\.1/);
      }
      assert.equal((await ask('PUT', `/vms/${idOf(body)}`, { body: { cpus: 3 } })).status, 202);
      assert.equal((await ask('DELETE', `/vms/${idOf(body)}?force=true`)).status, 202);
    } finally {
      isAway = false;
    }
  });

  test('lists have the machines of the organisation, by data center and filters, and no names of clusters', async () => {
    const [here, there] = [
      await makeVdc(api.db, { organization_id: author.organizationId }),
      await makeVdc(api.db, { organization_id: author.organizationId }),
    ];
    const prefix = unique('listed');
    const vapp = await makeVapp(api.db, { vdc_id: here.id });
    const on = await makeVm(api.db, { vapp_id: vapp.id, name: `${prefix}-1`, cpu_count: 2 });
    await makeVm(api.db, { vapp_id: vapp.id, name: `${prefix}-2`, cpu_count: 16 });
    const elsewhere = await makeVapp(api.db, { vdc_id: there.id });
    await makeVm(api.db, { vapp_id: elsewhere.id, name: `${prefix}-3` });
    await makeVm(api.db, { name: `${prefix}-foreign` });
    await observe(api.db, on, 'POWERED_ON', { ip_addresses: ['10.9.8.7'] });
    const names = async (path: string): Promise<readonly string[]> => {
      const { status, body, text } = await ask('GET', path);
      assert.equal(status, 200, text);
      return (body['values'] as Body[]).map((one) => String(one['name']).slice(prefix.length + 1));
    };
    const named = `name==${prefix}*`;
    assert.deepEqual(await names(`/vms?filter=${named}`), ['1', '2', '3']);
    assert.deepEqual(await names(`/vms?sortDesc=name&filter=${named}`), ['3', '2', '1']);
    assert.deepEqual(await names(`${inVdc(here)}?filter=${named}`), ['1', '2']);
    assert.deepEqual(await names(`/vms?filter=${named};status==POWERED_ON`), ['1']);
    assert.deepEqual(await names(`/vms?filter=vapp.id==urn:vcloud:vapp:${elsewhere.id}`), ['3']);
    assert.deepEqual(await names(`/vms?filter=vdc.id==urn:vcloud:vdc:${here.id}`), ['1', '2']);
    assert.deepEqual(await names(`/vms?filter=${named};createdAt=gt=2100-01-01T00:00:00.000Z`), []);
    assert.deepEqual(await names(`/vms?filter=${named};status!=powered_on`), ['2', '3']);
    assert.deepEqual(await names(`/vms?filter=${named}&sortDesc=cpus`), ['2', '1', '3']);
    assert.deepEqual(await names(`${inVdc(here)}?filter=cpus=gt=2`), ['2']);
    assert.deepEqual(await names(`/vms?filter=${named};ipAddresses==10.9.8.7&sortAsc=memoryMb`), ['1']);
    const cut = await ask('GET', '/vms?filter=ipAddresses==10.9.8');
    assert.equal(cut.status, 400);
    assert.match(String(cut.body['message']), /^filter: ipAddresses: "10\.9\.8" is not an IP address, such as 192/);
    assert.equal((await ask('GET', '/vms?filter=namespace==secret*')).status, 400);
    for (const comparison of ['==', '!=']) {
      const mistyped = await ask('GET', `/vms?filter=status${comparison}POWERDON`);
      assert.equal(mistyped.status, 400);
      assert.match(
        String(mistyped.body['message']),
        /^filter: status: "POWERDON" is none of POWERED_ON, POWERED_OFF, .*UNRESOLVED\.$/,
      );
    }
    const filtered = await ask('GET', '/vms?filter=namespace==secret*', { token: provider.token });
    assert.ok(Number(filtered.body['resultTotal']) > 0);
    const foreign = await makeVdc(api.db);
    assert.equal((await ask('GET', inVdc(foreign))).status, 403);
  });

  test('a change is written down with a task; what was read may be sent back, and changes nothing', async () => {
    const body = await made();
    const path = `/vms/${idOf(body)}`;
    const read = (await ask('GET', path)).body;
    const same = await ask('PUT', path, { body: read });
    assert.deepEqual([same.status, same.body['task']], [200, undefined], same.text);
    const { status, body: changed } = await ask('PUT', path, { body: { ...read, description: 'new', cpus: 4 } });
    assert.deepEqual([status, changed['cpus'], changed['description'], changed['memoryMb']], [202, 4, 'new', 1024]);
    assert.deepEqual(
      [taskOf(changed)['operationName'], taskOf(changed)['details']],
      ['vmUpdate', { changed: ['description', 'cpus'] }],
    );
    const typed = await ask('PUT', path, { body: { instancetype: 'u1.small' } });
    assert.equal(typed.status, 409, typed.text);
    assert.equal(
      (await ask('PUT', path, { body: { id: 'urn:vcloud:vm:00000000-0000-4000-8000-000000000000' } })).status,
      400,
    );
    assert.equal((await ask('PUT', path, { body: { colour: 'red' } })).status, 400);
  });

  test('one with an instance type changes that, and its data for the guest stays', async () => {
    const body = await made({
      cpus: undefined,
      memoryMb: undefined,
      instancetype: 'u1.small',
      cloudInit: { userData: 'x' },
    });
    const path = `/vms/${idOf(body)}`;
    assert.deepEqual([body['cpus'], body['memoryMb'], body['instancetype']], [1, 2048, 'u1.small']);
    const sized = await ask('PUT', path, { body: { cpus: 8 } });
    assert.match(String(sized.body['message']), /cpus: the instance type "u1\.small"/);
    const unknown = await ask('PUT', path, { body: { instancetype: 'huge' } });
    assert.match(String(unknown.body['message']), /does not offer "huge".*u1\.small, u1\.large/);
    const { body: changed } = await ask('PUT', path, { body: { ...body, task: undefined, instancetype: 'u1.large' } });
    assert.deepEqual([changed['cpus'], changed['memoryMb'], changed['instancetype']], [4, 8192, 'u1.large']);
    assert.deepEqual(taskOf(changed)['details'], { changed: ['instancetype'] });
    assert.deepEqual((await row(idOf(body))).spec['cloudInit'], { userData: 'x' });
  });

  test('one that runs is deleted by force only; asked twice it is the same task', async () => {
    const body = await made();
    const path = `/vms/${idOf(body)}`;
    await seen(body, 'POWERED_ON');
    const refused = await ask('DELETE', path);
    assert.deepEqual([refused.status, refused.body['minorErrorCode']], [409, 'CONFLICT']);
    const power = await ask('POST', `${path}/actions/powerOff`);
    const first = await ask('DELETE', `${path}?force=true`);
    assert.deepEqual([first.status, first.body['status']], [202, 'DELETING'], first.text);
    assert.equal(await statusOf(power.body), 'aborted');
    const second = await ask('DELETE', path);
    assert.equal(taskOf(second.body)['id'], taskOf(first.body)['id']);
    const { desired_state, vapp_id } = await row(idOf(body));
    assert.equal(desired_state, 'absent');
    assert.deepEqual(
      (await requestsOf(vapp_id)).map(({ kind }) => kind),
      ['vapp'],
    );
    const late = await ask('PUT', path, { body: { cpus: 1 } });
    assert.deepEqual([late.status, late.body['minorErrorCode']], [409, 'BUSY_ENTITY']);
    assert.match(String((await ask('POST', `${path}/actions/powerOn`)).body['message']), /it is being deleted/);
  });

  test('one that was discovered shows what the cluster has, is changed, and deleted; its vApp stays', async () => {
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const found = {
      vapp_id: vapp.id,
      name: unique('found'),
      vm_name: unique('found'),
      cluster: 'local',
      namespace: vdc.namespace,
    };
    const { id } = await api.db
      .insertInto('vms')
      .values({ ...found, origin: 'discovered', desired_state: 'none' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const disks = JSON.stringify([
      { name: 'system', bytes: 2 ** 30 },
      { name: 'data', bytes: 2 ** 20 + 1 },
    ]);
    await observe(api.db, { id, ...found }, 'POWERED_OFF', { cpu_count: 2, memory_mb: 2048, disks });
    const path = `/vms/${id}`;
    const { body } = await ask('GET', path);
    assert.deepEqual([body['cpus'], body['memoryMb'], body['observed']], [2, 2048, { cpus: 2, memoryMb: 2048 }]);
    assert.deepEqual(body['disks'], [
      { name: 'system', sizeMb: 1024, boot: true },
      { name: 'data', sizeMb: 2, boot: false },
    ]);
    assert.equal((await ask('PUT', path, { body: { cpus: 3 } })).status, 202);
    assert.equal((await ask('POST', `${path}/disks`, { body: { name: 'more', sizeMb: 10 } })).status, 202);
    assert.deepEqual((await row(id)).spec, {
      disks: [{ name: 'more', sizeMb: 10, added: true }],
      storageMb: 1026 + 10,
    });
    assert.equal((await ask('DELETE', path)).status, 202);
    assert.deepEqual(await requestsOf(vapp.id), []);
    const { desired_state } = await api.db
      .selectFrom('vapps')
      .select('desired_state')
      .where('id', '=', vapp.id)
      .executeTakeFirstOrThrow();
    assert.equal(desired_state, 'present');
  });

  test('is not created from a URL inside of the cluster, and a validation says so too', async () => {
    const { id } = await makeVdc(api.db, { organization_id: author.organizationId });
    const vapp = await ask('POST', `/vdcs/urn:vcloud:vdc:${id}/vapps`, { body: { name: 'imports' } });
    const { image: _image, ...rest } = least('one') as { image?: string };
    const body = { ...rest, url: 'http://[::ffff:169.254.169.254]/latest', diskSizeGb: 1 };
    for (const path of [
      `/vdcs/urn:vcloud:vdc:${id}/vms`,
      `/vdcs/urn:vcloud:vdc:${id}/actions/validateVm`,
      `/vapps/${String(vapp.body['id'])}/vms`,
    ]) {
      const { status, text } = await ask('POST', path, { body });
      assert.equal(status, 400, `${path}: ${text}`);
      assert.match(text, /url: the host .* is a mapped IPv4 address .*\(images\.allowedCidrs\)/);
    }
  });

  test('a validation answers what a creation would answer, with the quotas, and creates nothing', async () => {
    const small = await makeVdc(api.db, { organization_id: author.organizationId, vm_quota: 1 });
    const path = `/vdcs/urn:vcloud:vdc:${small.id}/actions/validateVm`;
    const rows = async (): Promise<readonly number[]> => {
      const count = async (table: 'vms' | 'vapps' | 'tasks' | 'reconciliations'): Promise<number> =>
        (
          await api.db
            .selectFrom(table)
            .select(sql<number>`count(*)::integer`.as('n'))
            .executeTakeFirstOrThrow()
        ).n;
      return [await count('vms'), await count('vapps'), await count('tasks'), await count('reconciliations')];
    };
    const before = await rows();
    const body = least('one');
    const good = await ask('POST', path, { body });
    assert.equal(good.status, 200, good.text);
    const quotas = good.body['quotas'] as Body[];
    assert.deepEqual(quotas.slice(0, 3), [
      { resource: 'vms', limit: 1, usedBefore: 0, usedAfter: 1 },
      { resource: 'cpus', limit: null, usedBefore: 0, usedAfter: 2 },
      { resource: 'memoryMb', limit: null, usedBefore: 0, usedAfter: 1024 },
    ]);
    assert.deepEqual(await rows(), before);
    assert.equal((await ask('POST', inVdc(small), { body })).status, 202);
    const [validated, created] = [await ask('POST', path, { body }), await ask('POST', inVdc(small), { body })];
    assert.equal(validated.body['minorErrorCode'], 'QUOTA_EXCEEDED');
    assert.deepEqual([validated.status, validated.body], [created.status, created.body]);
  });

  test('says which power operations its status permits, and why not the others, alone and in its vApp', async () => {
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const none = (await ask('GET', `/vapps/urn:vcloud:vapp:${vapp.id}`)).body['operations'] as Body;
    assert.deepEqual(none['powerOn'], {
      allowed: false,
      reason: `The vApp "${vapp.name}" has no VMs; add one first.`,
    });
    const vm = await makeVm(api.db, { vapp_id: vapp.id });
    await observe(api.db, vm, 'POWERED_OFF');
    const path = `/vms/urn:vcloud:vm:${vm.id}`;
    const decisions = (await ask('GET', path)).body['operations'] as Record<string, { readonly reason?: string }>;
    assert.deepEqual(decisions['powerOn'], { allowed: true });
    const reason = 'The machine cannot be reset: it is powered off: power it on first.';
    assert.deepEqual(decisions['reset'], { allowed: false, reason });
    assert.equal((await ask('POST', `${path}/actions/reset`)).body['message'], reason);
    const shared = (await ask('GET', `/vapps/urn:vcloud:vapp:${vapp.id}`)).body['operations'] as typeof decisions;
    assert.deepEqual(shared['powerOn'], { allowed: true });
    const refused = await ask('POST', `/vapps/urn:vcloud:vapp:${vapp.id}/actions/reset`);
    assert.deepEqual([refused.status, shared['reset']?.reason], [409, refused.body['message']]);
  });

  test('a machine that was deleted in the cluster can be read, with the reason, and is listed by its status', async () => {
    const name = unique('lost');
    const lost = await made({ name });
    await api.db.deleteFrom('reconciliations').where('entity_id', '=', idOf(lost)).execute();
    await seen(lost, 'DELETED');
    const listed = async (filter: string): Promise<readonly unknown[]> => {
      const { body } = await ask('GET', `/vms?filter=${filter}`);
      return (body['values'] as Body[]).map((one) => one['id']);
    };
    const isShown = async (): Promise<void> => {
      const { body } = await ask('GET', `/vms/${idOf(lost)}`);
      assert.equal(body['status'], 'DELETED');
      const fault = body['fault'] as { readonly reason: string; readonly message: string };
      assert.equal(fault.reason, 'DELETED_IN_CLUSTER');
      assert.match(fault.message, /deleted in its cluster, not by a request to this API; that was seen at \d{4}-/);
      assert.deepEqual(await listed(`name==${name};status==DELETED`), [lost['id']]);
      assert.ok(!(await listed(`name==${name}`)).includes(lost['id']), 'not without the status');
    };
    await isShown();
    assert.equal((await ask('POST', `/vms/${idOf(lost)}/actions/powerOn`)).status, 409);
    await made({ name });
    await isShown();
    const own = await made();
    await api.db.updateTable('vms').set({ desired_state: 'absent' }).where('id', '=', idOf(own)).execute();
    await seen(own, 'DELETED');
    assert.equal((await ask('GET', `/vms/${idOf(own)}`)).status, 403, 'deleted by a request');
  });

  test('the name of a machine that was deleted in the cluster is free again, alone and in a vApp', async () => {
    const name = unique('gone');
    const ends = async (body: Body): Promise<void> => {
      await api.db.deleteFrom('reconciliations').where('entity_id', '=', idOf(body)).execute();
      await seen(body, 'DELETED');
    };
    await ends(await made({ name }));
    const again = await made({ name: name.toUpperCase() });
    await ends(again);
    const refused = await ask('DELETE', `/vms/${idOf(again)}`);
    assert.deepEqual([refused.status, refused.body['minorErrorCode']], [409, 'CONFLICT'], refused.text);
    assert.match(String(refused.body['message']), /was deleted in its cluster; it can only be read\./);
    const other = await made();
    const renamed = await ask('PUT', `/vms/${idOf(other)}`, { body: { name } });
    assert.equal(renamed.status, 202, renamed.text);
    // A VM with pending work, and a VM that exists, keep their names.
    assert.equal((await ask('POST', inVdc(), { body: least(name) })).body['minorErrorCode'], 'DUPLICATE_NAME');
    await seen(other, 'DELETED');
    assert.equal((await ask('POST', inVdc(), { body: least(name) })).body['minorErrorCode'], 'DUPLICATE_NAME');

    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const [one, two] = await Promise.all(
      ['one', 'two'].map((called) => ask('POST', `/vapps/${vapp.id}/vms`, { body: least(called) })),
    );
    const rename = (): Promise<Answer> => ask('PUT', `/vms/${idOf(two?.body ?? {})}`, { body: { name: 'One' } });
    assert.equal((await rename()).status, 409);
    await ends(one?.body ?? {});
    assert.equal((await rename()).status, 202);
  });

  test('what runs with more than is asked for now counts with that, and may have it back', async () => {
    const small = await makeVdc(api.db, {
      organization_id: author.organizationId,
      cpu_limit_mhz: 8000,
      vcpu_mhz: 1000,
      memory_limit_mb: 8192,
    });
    const body = await made({ cpus: 8, memoryMb: 8192 }, small);
    await seen(body, 'POWERED_ON', { cpu_count: 8, memory_mb: 8192, restart_required: true });
    const resized = (cpus: number, memoryMb: number): Promise<Answer> =>
      ask('PUT', `/vms/${idOf(body)}`, { body: { cpus, memoryMb } });
    assert.equal((await resized(1, 1024)).status, 202);
    const { body: refused } = await ask('POST', inVdc(small), { body: least() });
    assert.equal(refused['minorErrorCode'], 'QUOTA_EXCEEDED');
    assert.match(String(refused['message']), /8 of 8 are used, 2 more .*8192 of 8192 are used, 1024 more/);
    assert.equal((await resized(8, 8192)).status, 202);
    assert.equal((await resized(9, 8192)).body['minorErrorCode'], 'QUOTA_EXCEEDED');
    assert.equal((await resized(1, 1024)).status, 202);
    await seen(body, 'POWERED_ON', { cpu_count: 1, memory_mb: 1024, restart_required: false });
    await made({}, small);
  });

  test('tenants learn why it does not run, without the names of the cluster, the namespace and the node', async () => {
    const body = await made();
    const fault =
      'secret-namespace/disk is not in the namespace "secret-namespace" of the cluster "local", says node-7.';
    await seen(body, 'FAILED', { fault_reason: 'REFUSED', fault, node: 'node-7' });
    const told = async (token: string): Promise<unknown> =>
      ((await ask('GET', `/vms/${idOf(body)}`, { token })).body['fault'] as Body)['message'];
    assert.equal(await told(author.token), '…/disk is not in the virtual data center of the cluster, says ….');
    assert.equal(await told(provider.token), fault);
  });

  test('one that is smaller than what can be asked for is sent back as it was read, and stays so', async () => {
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const { id } = await makeVm(api.db, { vapp_id: vapp.id });
    await observe(api.db, await row(id), 'POWERED_OFF', { cpu_count: 1, memory_mb: 32 });
    const { body: read } = await ask('GET', `/vms/${id}`);
    const sent = await ask('PUT', `/vms/${id}`, { body: { ...read, description: 'tiny' } });
    assert.deepEqual([sent.status, taskOf(sent.body)['details']], [202, { changed: ['description'] }], sent.text);
    for (const [field, size] of [
      ['memoryMb', 33],
      ['cpus', 513],
    ] as const) {
      const { status, body } = await ask('PUT', `/vms/${id}`, { body: { ...read, [field]: size } });
      assert.equal(status, 400);
      assert.match(String(body['message']), new RegExp(`^${field} is ${size}; it must be `));
    }
  });

  test('a disk that is asked to go again goes once, and gives back its size once', async () => {
    const body = await made({ disks: ['a', 'b'].map((name) => ({ name, sizeGb: 1 })) });
    const path = `/vms/${idOf(body)}/disks`;
    const disks = ['a', 'b'].map((name) => ({ name, bytes: 2 ** 30 }));
    await seen(body, 'POWERED_OFF', { disks: JSON.stringify([{ name: 'rootdisk' }, ...disks]) });
    const storage = async (): Promise<unknown> => (await row(idOf(body))).spec['storageMb'];
    const first = await ask('DELETE', `${path}/a`);
    const again = await ask('DELETE', `${path}/a`);
    assert.deepEqual([first.status, again.status], [202, 202]);
    assert.equal(taskIdOf(again.body), taskIdOf(first.body));
    assert.equal(await storage(), 1024);
    // The task is done, but the result is not observed yet.
    await ended(first.body);
    const late = await ask('DELETE', `${path}/a`);
    assert.deepEqual([late.status, taskIdOf(late.body), await storage()], [200, taskIdOf(first.body), 1024]);
    // Another client has since added a disk of that name to the VM, which was never counted.
    await seen(body, 'POWERED_OFF', { observed_at: new Date(Date.now() + 60_000) });
    const foreign = await ask('DELETE', `${path}/a`);
    assert.equal(foreign.status, 202, foreign.text);
    assert.notEqual(taskIdOf(foreign.body), taskIdOf(first.body));
    assert.equal(await storage(), 1024);
  });

  test('disks are added and removed; not the first, and not what cannot be taken out of one that runs', async () => {
    const body = await made({ disks: [{ name: 'data', sizeGb: 1 }] });
    const path = `/vms/${idOf(body)}/disks`;
    await seen(body, 'POWERED_ON', { disks: JSON.stringify([{ name: 'rootdisk' }, { name: 'data', bytes: 2 ** 30 }]) });
    const added = await ask('POST', path, { body: { name: 'log', sizeMb: 100 } });
    assert.deepEqual(
      [added.status, taskOf(added.body)['operationName'], taskOf(added.body)['details']],
      [202, 'vmDiskAdd', { disk: 'log', sizeMb: 100 }],
    );
    assert.equal((await row(idOf(body))).spec['storageMb'], 1124);
    const unknown = await ask('POST', path, { body: { name: 'more', sizeMb: 100, storageClass: 'gold' } });
    assert.equal(unknown.status, 400, unknown.text);
    assert.match(String(unknown.body['message']), /^storageClass: "gold" is not a storage class .*"fast", "standard"/);
    const again = await ask('POST', path, { body: { name: 'log', sizeMb: 100 } });
    assert.match(String(again.body['message']), /^name: the machine has a disk "log" already/);
    const listed = await ask('GET', path);
    assert.deepEqual(listed.body['values'], [
      { name: 'rootdisk', sizeMb: null, boot: true },
      { name: 'data', sizeMb: 1024, boot: false },
      { name: 'log', sizeMb: 100, boot: false },
    ]);
    const answers = await Promise.all(['rootdisk', 'data', 'none'].map((name) => ask('DELETE', `${path}/${name}`)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [409, 409, 400],
    );
    assert.match(answers[1]?.text ?? '', /cannot be removed while it runs/);
    const removed = await ask('DELETE', `${path}/log`);
    assert.deepEqual([removed.status, taskOf(removed.body)['details']], [202, { disk: 'log' }]);
    await seen(body, 'POWERED_OFF');
    assert.equal((await ask('DELETE', `${path}/data`)).status, 202);
    assert.equal((await row(idOf(body))).spec['storageMb'], 0);
  });

  test('a disk that keeps the machine from starting can be removed, whatever is wrong with it', async () => {
    for (const [reason, status] of [
      ['DISK_PENDING', 202],
      ['DISK_MISSING', 202],
      ['DISK_REFUSED', 202],
      ['IMPORT_FAILED', 202],
      ['SOURCE_MISSING', 202],
      ['SOURCE_FORBIDDEN', 202],
      ['QUOTA_EXCEEDED', 202],
      ['NO_ROOM', 409],
      ['IMAGE_UNAVAILABLE', 409],
    ] as const) {
      const body = await made({ disks: [{ name: 'data', sizeGb: 1 }] });
      await seen(body, 'POWERING_ON', { fault_reason: reason, fault: 'it waits' });
      const answer = await ask('DELETE', `/vms/${idOf(body)}/disks/data`);
      assert.equal(answer.status, status, `${reason}: ${answer.text}`);
    }
  });

  test('power: the table decides, what is shown proves nothing, and the newest wish counts', async () => {
    const body = await made();
    const path = `/vms/${idOf(body)}/actions`;
    await ended(body);
    await seen(body, 'POWERED_OFF');
    const refused = await ask('POST', `${path}/reset`);
    assert.deepEqual(
      [refused.status, refused.body['message']],
      [409, 'The machine cannot be reset: it is powered off: power it on first.'],
    );
    // The row may be older than a start by another user.
    const already = await ask('POST', `${path}/powerOff`);
    assert.deepEqual([already.status, already.body['statusCode']], [202, 8], already.text);
    assert.equal(await statusOf(already.body), 'queued');
    await ended(already.body);
    const on = await ask('POST', `${path}/powerOn`);
    assert.deepEqual([on.status, taskOf(on.body)['operationName']], [202, 'vmPowerOn'], on.text);
    assert.equal((await row(idOf(body))).desired_power, 'on');
    const same = await ask('POST', `${path}/powerOn`);
    assert.equal(taskOf(same.body)['id'], taskOf(on.body)['id']);
    // It is still off, but will not stay so.
    const off = await ask('POST', `${path}/powerOff`);
    assert.deepEqual([off.status, await statusOf(on.body)], [202, 'aborted']);
    const told = await ask('GET', `/tasks/${String(taskOf(on.body)['id'])}`);
    assert.match(String((told.body['error'] as Body)['message']), /superseded by powerOff/);
    assert.equal((await row(idOf(body))).desired_power, 'off');
    await ended(off.body);
    await seen(body, 'POWERED_ON');
    const [one, two] = [await ask('POST', `${path}/reset`), await ask('POST', `${path}/reset`)];
    assert.deepEqual([one.status, two.status, await statusOf(one.body)], [202, 202, 'aborted']);
  });

  test('of one that is not followed just now nothing is concluded: each word for power is a task', async () => {
    const stale = await makeVdc(api.db, { organization_id: author.organizationId, cluster: 'stale' });
    await setCluster(api.db, { name: 'stale', state: 'synced' });
    const body = await made({}, stale);
    await seen(body, 'POWERED_OFF');
    await ended(body);
    const path = `/vms/${idOf(body)}`;
    const read = async (): Promise<Body> => (await ask('GET', path)).body;
    assert.deepEqual([(await read())['stale'], (await read())['staleReason']], [false, null]);
    // No row changed: only time has passed.
    await setCluster(api.db, { name: 'stale', state: 'synced' }, { contactedMsAgo: 60_000, currentForMs: 15_000 });
    const shown = await read();
    assert.deepEqual([shown['status'], shown['stale']], ['POWERED_OFF', true]);
    const { reason, message } = shown['staleReason'] as { reason: string; message: string };
    assert.deepEqual([reason, message], ['ControllerSilent', 'The vm-controller has never reported.']);
    for (const operation of ['powerOff', 'reset', 'powerOn', 'powerOff']) {
      const { status, text, body: answer } = await ask('POST', `${path}/actions/${operation}`);
      assert.equal(status, 202, `${operation}: ${text}`);
      assert.equal(await statusOf(answer), 'queued');
    }
    const lists = await Promise.all(
      ['', '&filter=status==POWERED_OFF', '&filter=name==*&sortDesc=name'].map((more) =>
        ask('GET', `/vdcs/urn:vcloud:vdc:${stale.id}/vms?pageSize=10${more}`),
      ),
    );
    for (const { body: page } of lists)
      assert.deepEqual(
        (page['values'] as Body[]).map((one) => [
          one['id'],
          one['stale'],
          (one['staleReason'] as Body | null)?.['reason'],
        ]),
        [[body['id'], true, 'ControllerSilent']],
      );
    const epoch = await raiseLeader(60);
    assert.match(
      String(((await read())['staleReason'] as Body)['message']),
      /^The vm-controller has not reported for 6\d s; the cluster was last reached at \d{4}-.*Z \(6\d s ago\)\.$/,
    );
    await createLeaderStore(api.test.database.pool).beat({ name: vmControllerName, epoch }, 'a', {});
    const silent = (await read())['staleReason'] as Body;
    assert.equal(silent['reason'], 'ClusterSilent');
    assert.match(String(silent['message']), /^The cluster was last reached at \d{4}-.*Z \(6\d s ago\)\.$/);
    await setCluster(api.db, { name: 'stale', state: 'synced' });
    assert.deepEqual([(await read())['stale'], (await read())['staleReason']], [false, null]);
  });

  test('one whose status is not current may run: it is deleted by force only, unless it was never created', async () => {
    const quiet = await makeVdc(api.db, { organization_id: author.organizationId, cluster: 'quiet' });
    await setCluster(api.db, { name: 'quiet', state: 'synced' });
    const [off, failed, created, asked] = [
      await made({ disks: [{ name: 'data', sizeGb: 1 }] }, quiet),
      await made({}, quiet),
      await made({}, quiet),
      await made({}, quiet),
    ];
    await seen(off, 'POWERED_OFF', { disks: JSON.stringify([{ name: 'rootdisk' }, { name: 'data', bytes: 2 ** 30 }]) });
    await seen(failed, 'FAILED');
    await sql`INSERT INTO vm_applied (vm_id, uid) VALUES (${idOf(created)}, gen_random_uuid())`.execute(api.db);
    await setCluster(api.db, { name: 'quiet', state: 'synced' }, { contactedMsAgo: 60_000, currentForMs: 15_000 });
    for (const [body, status] of [
      [off, 'POWERED_OFF'],
      [failed, 'FAILED'],
      [created, 'UNRESOLVED'],
    ] as const) {
      const refused = await ask('DELETE', `/vms/${idOf(body)}`);
      assert.deepEqual([refused.status, refused.body['minorErrorCode']], [409, 'CONFLICT'], status);
      assert.match(
        String(refused.body['message']),
        new RegExp(`may run: its status ${status} is not current\\. Wait .*, or delete it with force=true`),
      );
      assert.equal((await row(idOf(body))).desired_state, 'present');
    }
    const disk = await ask('DELETE', `/vms/${idOf(off)}/disks/data`);
    assert.deepEqual([disk.status, /POWERED_OFF is not current\. Wait/.test(disk.text)], [409, true], disk.text);
    assert.equal((await ask('DELETE', `/vms/${idOf(asked)}`)).status, 202, 'no cluster has it');
    assert.equal((await ask('DELETE', `/vms/${idOf(off)}?force=true`)).status, 202);
    assert.equal((await ask('DELETE', `/vms/${idOf(off)}`)).status, 202, 'it is being deleted');
    await setCluster(api.db, { name: 'quiet', state: 'synced' });
    assert.equal((await ask('DELETE', `/vms/${idOf(failed)}`)).status, 202, 'its status is current again');
  });

  /** Creates a leading vm-controller that started this long ago and has not reported since. */
  async function raiseLeader(secondsAgo: number): Promise<number> {
    const leaders = createLeaderStore(api.test.database.pool);
    const leader = { name: vmControllerName, leaseEpoch: 1, holder: 'a', staleAfterMs: 30_000 };
    const epoch = await leaders.raise(leader);
    await sql`UPDATE leaders SET won_at = now() - make_interval(secs => ${secondsAgo}) WHERE name = ${vmControllerName}`.execute(
      api.db,
    );
    return epoch ?? 0;
  }

  test('who prefers to wait is answered when it is done, or with what has gone wrong, without names of the cluster', async () => {
    const wait = { prefer: 'wait=20' };
    const name = unique('waited');
    const waiting = ask('POST', inVdc(), { body: least(name), headers: wait });
    const task = await openTask(name);
    await advanceTask(api.db, task, { status: 'running' });
    await advanceTask(api.db, task, { status: 'success' });
    const created = await waiting;
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers['location'], created.body['href']);
    const failing = ask('DELETE', `/vms/${idOf(created.body)}`, { headers: wait });
    const message =
      'virtualmachines "x" is forbidden: no rights in the namespace "secret-namespace" of cluster "local"';
    const removal = await openTask(name);
    await advanceTask(api.db, removal, { status: 'error', error: { minorErrorCode: 'CONFLICT', message } });
    const failed = await failing;
    assert.equal(failed.status, 409);
    assert.equal(
      failed.body['message'],
      'virtualmachines "x" is forbidden: no rights in the virtual data center of the cluster',
    );
    assert.doesNotMatch((await ask('GET', `/tasks/${removal}`)).text, /secret-namespace/);
  });

  test('many who ask for one machine at once are answered one after the other, and one wish for power is left', async () => {
    const body = await made();
    await ended(body);
    await seen(body, 'POWERED_ON');
    const path = `/vms/${idOf(body)}`;
    const asked = [1, 2, 3].flatMap((n) => [
      ask('POST', `${path}/actions/powerOff`),
      ask('POST', `${path}/actions/powerOn`),
      ask('PUT', path, { body: { name: unique('renamed'), cpus: n } }),
      ask('POST', `${path}/disks`, { body: { name: `disk-${n}`, sizeMb: n } }),
    ]);
    const answers = await Promise.all([...asked, ask('GET', path), ask('DELETE', path)]);
    for (const { status, text } of answers) assert.ok([200, 202, 409].includes(status), text);
    const open = await api.db
      .selectFrom('tasks')
      .select(['operation', 'status'])
      .where('owner_id', '=', idOf(body))
      .where('ended_at', 'is', null)
      .execute();
    assert.ok(open.filter(({ operation }) => operation.startsWith('vmPower')).length <= 1, JSON.stringify(open));
    const { spec } = await row(idOf(body));
    assert.deepEqual([spec['storageMb'], (spec['disks'] as unknown[]).length], [6, 3]);
  });

  async function openTask(machine: string): Promise<TaskId> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const found = await api.db
        .selectFrom('tasks')
        .innerJoin('vms', 'vms.id', 'tasks.owner_id')
        .select('tasks.id')
        .where('vms.name', '=', machine)
        .where('tasks.ended_at', 'is', null)
        .executeTakeFirst();
      if (found !== undefined) return found.id;
      await pause(5);
    }
    throw new Error(`no task of ${machine} is open after 10 s`);
  }
});
