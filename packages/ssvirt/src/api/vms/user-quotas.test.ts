/** The quotas of users, over two replicas of the API server that share a database. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, type Answer, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import { makeVapp, makeVdc, makeVm, observe, someoneWaits, unique } from '../../../../../test/database/rows.ts';
import { openDatabase, type Database } from '../../db/connection/database.ts';
import type { UserId, VmId } from '../../db/schema/schema.ts';
import { lockVmQuotas } from '../../db/vms/vms-of-users.ts';

const base = '/cloudapi/1.0.0';

suite('the quotas of a user', { timeout: 60_000 }, () => {
  let api: ApiHarness;
  let other: ApiHarness;
  let connections: Database;
  before(async () => {
    api = await startApi();
    connections = openDatabase({ url: api.test.url });
    other = await startApi({ database: connections });
  });
  after(async () => {
    await other.stop();
    await connections.close();
    await api.stop();
  });

  type Quotas = { readonly stored?: number; readonly deployed?: number };

  async function author({ stored = 0, deployed = 0 }: Quotas): Promise<Person> {
    const person = await api.person('vApp Author');
    const quotas = { stored_vm_quota: stored, deployed_vm_quota: deployed };
    await api.db.updateTable('users').set(quotas).where('id', '=', person.userId).execute();
    return person;
  }

  async function newVdc({ organizationId }: Person): Promise<string> {
    return `urn:vcloud:vdc:${(await makeVdc(api.db, { organization_id: organizationId })).id}`;
  }

  function create(who: Person, vdc: string, powerOn = true, at = api): Promise<Answer> {
    const body = { name: unique('vm'), image: 'containerdisks/fedora:42', cpus: 1, memoryMb: 512, powerOn };
    return at.ask('POST', `${base}/vdcs/${vdc}/vms`, { token: who.token, body });
  }

  function power(who: Person, vm: string, operation: string, at = api): Promise<Answer> {
    return at.ask('POST', `${base}/vms/${vm}/actions/${operation}`, { token: who.token });
  }

  async function made(who: Person, vdc: string, powerOn = true): Promise<string> {
    const { status, text, body } = await create(who, vdc, powerOn);
    assert.equal(status, 202, text);
    return String(body['id']);
  }

  const rowOf = (vm: string) =>
    api.db
      .selectFrom('vms')
      .selectAll()
      .where('id', '=', vm.slice(-36) as VmId)
      .executeTakeFirstOrThrow();

  function refused({ status, body, text }: Answer, reason: RegExp): void {
    assert.deepEqual([status, body['minorErrorCode']], [409, 'QUOTA_EXCEEDED'], text);
    assert.match(text, reason);
  }

  const accepted = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 202).length;

  test('limit what the user creates, in all data centers, until something is deleted', async () => {
    const who = await author({ stored: 2 });
    const [one, two] = [await newVdc(who), await newVdc(who)];
    const first = await made(who, one, false);
    await made(who, two, false);
    refused(await create(who, one, false), /virtual machines \(storedVmQuota\): 2 of 2 are used, 1 more are requested/);
    const { id: vapp } = await makeVapp(api.db, { vdc_id: one.slice(-36) as never });
    const path = `${base}/vapps/urn:vcloud:vapp:${vapp}/vms`;
    const body = { name: 'more', image: 'fedora:42', cpus: 1, memoryMb: 512 };
    refused(await api.ask('POST', path, { token: who.token, body }), /storedVmQuota\): 2 of 2/);
    const colleague = await api.person('vApp Author', who.organizationId);
    await made(colleague, one);
    await observe(api.db, await rowOf(first), 'DELETED');
    await made(who, two, false);
  });

  test('limit what runs: by creation, and by power-on of a VM or a vApp, whoever asks', async () => {
    const who = await author({ deployed: 1 });
    const administrator = await api.person('Organization Administrator', who.organizationId);
    const vdc = await newVdc(who);
    const [running, off] = [await made(who, vdc), await made(who, vdc, false)];
    const full = /powered-on virtual machines \(deployedVmQuota\): 1 of 1 are used, 1 more are requested/;
    refused(await create(who, vdc), full);
    refused(await power(who, off, 'powerOn'), full);
    refused(await power(administrator, off, 'powerOn'), full);
    const vapp = `urn:vcloud:vapp:${(await rowOf(off)).vapp_id}`;
    const path = `${base}/vapps/${vapp}/actions/powerOn`;
    refused(await api.ask('POST', path, { token: administrator.token }), full);
    // What runs may be asked to run again.
    await observe(api.db, await rowOf(running), 'POWERED_ON');
    assert.equal((await power(who, running, 'powerOn')).status, 202);
    // It counts until it is off.
    assert.equal((await power(who, running, 'powerOff')).status, 202);
    refused(await power(who, off, 'powerOn'), full);
    await observe(api.db, await rowOf(running), 'POWERED_OFF');
    assert.equal((await api.ask('POST', path, { token: administrator.token })).status, 202);
    refused(await power(who, running, 'powerOn'), full);
  });

  test('do not count what belongs to others or to no user, and 0 is no limit', async () => {
    const who = await author({ deployed: 1 });
    const vdc = await newVdc(who);
    const { id: vapp_id } = await makeVapp(api.db, { vdc_id: vdc.slice(-36) as never });
    const nobodys = [await makeVm(api.db, { vapp_id }), await makeVm(api.db, { vapp_id })];
    for (const { id } of nobodys) assert.equal((await power(who, `urn:vcloud:vm:${id}`, 'powerOn')).status, 202);
    const free = await author({});
    const theirs = await newVdc(free);
    for (let vm = 0; vm < 3; vm += 1) await made(free, theirs);
    await made(who, vdc);
  });

  test('hold when many are created at once through two replicas, in several data centers', async () => {
    const who = await author({ stored: 3 });
    const vdcs = [await newVdc(who), await newVdc(who)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => create(who, String(vdcs[at % 2]), false, at < 4 ? api : other)),
    );
    assert.equal(accepted(answers), 3);
    for (const answer of answers.filter(({ status }) => status !== 202)) refused(answer, /storedVmQuota\): 3 of 3/);
  });

  test('hold when many are powered on at once through two replicas', async () => {
    const who = await author({ deployed: 2 });
    const vdc = await newVdc(who);
    const vms: string[] = [];
    for (let vm = 0; vm < 6; vm += 1) vms.push(await made(who, vdc, false));
    const answers = await Promise.all(vms.map((vm, at) => power(who, vm, 'powerOn', at % 2 === 0 ? api : other)));
    assert.equal(accepted(answers), 2);
    for (const answer of answers.filter(({ status }) => status !== 202)) refused(answer, /deployedVmQuota\): 2 of 2/);
  });

  test('wait for a request that is not committed yet, in a replica that is not the one that answers', async () => {
    const who = await author({ stored: 1 });
    const [one, two] = [await newVdc(who), await newVdc(who)];
    const first = await connections.db.startTransaction().execute();
    await lockVmQuotas(first, [who.userId]);
    const { id: vapp_id } = await makeVapp(first, { vdc_id: one.slice(-36) as never });
    await makeVm(first, { vapp_id, owner_id: who.userId satisfies UserId });
    const second = create(who, two);
    await someoneWaits(api.db);
    await first.commit().execute();
    refused(await second, /storedVmQuota\): 1 of 1/);
  });
});
