/**
 * Many instantiations at once, one of them into a hanging cluster: the others do not wait for it, and it finishes when
 * that cluster recovers.
 */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { urnOf } from '../../packages/ssvirt/src/api/urn.ts';
import { secrets, templateInstances, templates, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { TaskId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import type { Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { Answer, Person } from '../api/harness.ts';
import { installKubeVirt, putConfig } from '../fleet/harness.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { ClusterProxy } from '../tenancy/crash/cluster-proxy.ts';
import { passing, type Fate, type Step } from '../tenancy/crash/step.ts';
import { offers, pair } from '../tenancy/vapp-harness.ts';
import { Installation } from './harness.ts';

const base = '/cloudapi/1.0.0';
/** For a busy host. */
const patient = { deadlineMs: 120_000, everyMs: 100 };
/** The name of the hanging cluster. It occurs in no name that a tenant has given. */
const away = 'farwest';

/** A worker that waits for a request to the hanging cluster would hold up all VMs of the same worker. */
const workers = { workers: { vdc: 2, vapp: 4, vm: 1 } };

interface TaskShape {
  readonly id: string;
  readonly status: string;
  readonly step: string;
  readonly message: string;
  readonly endTime: string | null;
  readonly error: unknown;
}

interface VappShape {
  readonly id: string;
  readonly task: TaskShape;
}

/** A user who requests vApps, with their template and VDC. */
interface Tenant {
  readonly person: Person;
  readonly items: Readonly<Record<'template' | 'image', string>>;
  readonly vdc: Vdc;
}

suite('fifty instantiations at once, one of them into a cluster that hangs', { timeout: 240_000 }, () => {
  let harness: Installation;
  let simulators: Simulators;
  let member: MemberCluster;
  let proxy: ClusterProxy;
  let provider: Person;
  let tenants: readonly Tenant[];
  let awayVdc: Vdc;
  let last: VappShape;
  const others: VappShape[] = [];
  const written: string[] = [];

  before(async () => {
    // Starts one after the other, so that those that started are stopped if a later one fails to start.
    member = await startMemberCluster(away);
    await installKubeVirt(member);
    proxy = await ClusterProxy.start('one', member, { fateOf: noted });
    // The first request to the hanging cluster outlasts everything else; a lease has room for two.
    const settings = { ...workers, leaseMs: 720_000, requestMs: 240_000 };
    harness = await Installation.start({ settings, templateNamespaces: [offers] });
    const own = harness.fleets.supervisor;
    simulators = await startSimulators({
      source: fixedSource(own),
      name: 'own',
      parts: ['kubevirt', 'templates'],
      dials: { speed: 20 },
      log: pino({ level: 'error' }),
    });
    await own.client.create(templates, pair);
    await putConfig(own, away, proxy.credentials);
    await Promise.all([harness.reached('local'), harness.reached(away)]);
    provider = await harness.api.person('System Administrator');
    tenants = await furnish();
  });
  after(async () => {
    await harness?.stop();
    await simulators?.stop({ leaveRegistered: true });
    await proxy?.stop();
    await member?.stop();
  });

  function noted({ text }: Step): Fate {
    written.push(text);
    return passing;
  }

  const ask = <T = Record<string, unknown>>(
    { token }: Person,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer<T>> => harness.api.ask<T>(method, `${base}/${path}`, { token, ...defined({ body }) });

  /** Five users of two organizations, each of which has a catalog with its own item besides the templates. */
  async function furnish(): Promise<readonly Tenant[]> {
    const all = await Promise.all([3, 2].map((size) => organization(size)));
    const [{ person }] = all[0] as readonly [Tenant];
    awayVdc = await harness.tenancy.made({ organization_id: person.organizationId, cluster: away });
    return all.flat();
  }

  async function organization(size: number): Promise<readonly Tenant[]> {
    const first = await harness.api.person('vApp Author');
    const { organizationId } = first;
    const items = await itemsOf(first);
    return Promise.all(
      Array.from({ length: size }, async (_, i) => ({
        person: i === 0 ? first : await harness.api.person('vApp Author', organizationId),
        items,
        vdc: await harness.tenancy.made({ organization_id: organizationId, cluster: 'local' }),
      })),
    );
  }

  async function itemsOf(person: Person): Promise<Tenant['items']> {
    const { body: catalog } = await ask(person, 'POST', 'catalogs', { name: 'offers' });
    const path = `catalogs/${String(catalog['id'])}/catalogItems`;
    const definition = { image: 'containerdisks/fedora:42', cpus: 1, memoryMb: 512 };
    const { body: item } = await ask(person, 'POST', path, { name: 'small', definition });
    let template: { readonly id: string } | undefined;
    await until(
      'the template is listed',
      async () => {
        const { body } = await ask<{ readonly values: readonly { id: string; name: string }[] }>(person, 'GET', path);
        template = body.values.find(({ name }) => name === 'pair');
        return template !== undefined;
      },
      patient,
    );
    return { image: String(item['id']), template: template?.id ?? '' };
  }

  async function instantiate(
    { person, items, vdc }: Tenant,
    kind: 'template' | 'image',
    name: string,
  ): Promise<Answer<VappShape>> {
    const parameters = kind === 'template' ? { parameters: { NAME: name } } : {};
    const body = { name, catalogItem: { id: items[kind] }, powerOn: false, ...parameters };
    const path = `vdcs/${urnOf('vdc', vdc.id)}/actions/instantiateTemplate`;
    for (;;) {
      const answer = await ask<VappShape>(person, 'POST', path, body);
      // On a slow host all database connections may be busy for too long: a caller that gets 503 retries.
      if (answer.status !== 503 || !answer.text.includes('The database does not answer')) return answer;
    }
  }

  const taskOf = async ({ id }: Pick<TaskShape, 'id'>, person: Person): Promise<TaskShape> =>
    (await ask<TaskShape>(person, 'GET', `tasks/${id}`)).body;

  /** The task on the last VM. */
  async function machineTask(): Promise<Pick<TaskShape, 'id'>> {
    const { rows } = await sql<{ id: TaskId }>`
      SELECT t.id FROM tasks t JOIN vms v ON v.id = t.owner_id WHERE v.vapp_id = ${last.id.slice(-36)}
    `.execute(harness.api.db);
    return { id: urnOf('task', rows[0]?.id as TaskId) };
  }
  async function tasksOfVapps(): Promise<readonly TaskShape[]> {
    const filter = encodeURIComponent('operationName==vappInstantiate');
    const { body } = await ask<{ readonly values: readonly TaskShape[] }>(
      provider,
      'GET',
      `tasks?pageSize=128&filter=${filter}`,
    );
    return body.values;
  }
  const tenant = (): Tenant => tenants[0] as Tenant;

  /** The reconcile request of the last VM. */
  async function work(): Promise<{ readonly owner: string | null; readonly failures: number }> {
    const { rows } = await sql<{ owner: string | null; failures: number }>`
      SELECT r.owner, r.failures FROM reconciliations r JOIN vms v ON v.id = r.entity_id WHERE v.vapp_id = ${last.id.slice(-36)}
    `.execute(harness.api.db);
    const [row] = rows;
    if (row === undefined) throw new Error('it has no reconcile request');
    return row;
  }

  test('the others do not wait for it', async () => {
    proxy.silence();
    const first = await instantiate({ ...tenant(), vdc: awayVdc }, 'image', 'patient');
    assert.equal(first.status, 202, first.text);
    last = first.body;
    await until('it is taken up', async () => (await work()).owner !== null, patient);
    await Promise.all(
      Array.from({ length: 49 }, async (_, i) => {
        const kind = i % 3 === 0 ? 'template' : 'image';
        const answer = await instantiate(tenants[i % tenants.length] as Tenant, kind, `shop-${i}`);
        assert.equal(answer.status, 202, answer.text);
        others.push(answer.body);
      }),
    );
    await until(
      'the others have ended',
      async () => (await tasksOfVapps()).filter(({ endTime }) => endTime !== null).length === others.length,
      patient,
    );
    const tasks = await tasksOfVapps();
    assert.deepEqual(
      others.map(({ task }) => tasks.find(({ id }) => id === task.id)).filter((task) => task?.status !== 'success'),
      [],
    );
    const { owner, failures } = await work();
    assert.deepEqual([owner === null, failures], [false, 0], 'the first request to the cluster that hangs has ended');
  });

  test('it says what it waits for, and names the cluster to the provider only', async () => {
    // The next worker cannot reach the cluster either, and gives up sooner.
    await harness.succeed({ ...workers, requestMs: 500 });
    const machine = await machineTask();
    await until('it says so', async () => (await taskOf(machine, provider)).message !== '', patient);
    const { person } = tenant();
    const all = await Promise.all([last.task, machine].map(({ id }) => ask<TaskShape>(person, 'GET', `tasks/${id}`)));
    assert.deepEqual(
      all.map(({ body }) => [body.endTime, body.message]),
      [
        [null, 'waits for its virtual machines: patient'],
        [null, 'It is waiting for its cluster; ask the provider if this takes long.'],
      ],
    );
    for (const { text } of all) assert.doesNotMatch(text, new RegExp(away));
    assert.match((await taskOf(machine, provider)).message, new RegExp(`^waits for cluster "${away}": `));
  });

  test('another one there is refused as soon as the cluster is known to be unreachable, and nothing of it is written', async () => {
    await until('that is known', () => harness.clusters.get(away)?.available === false, patient);
    const { status, body, headers, text } = await instantiate({ ...tenant(), vdc: awayVdc }, 'image', 'hasty');
    assert.deepEqual(
      [status, (body as unknown as { minorErrorCode: string }).minorErrorCode, headers['retry-after']],
      [503, 'SERVICE_UNAVAILABLE', '15'],
    );
    assert.doesNotMatch(text, new RegExp(away));
    assert.equal((await rowsOf('hasty')).length, 0);
  });

  async function rowsOf(vapp: string): Promise<readonly unknown[]> {
    const { rows } = await sql`SELECT FROM vapps WHERE name = ${vapp}`.execute(harness.api.db);
    return rows;
  }

  test('it is done when the cluster is back, and rows and clusters agree', async () => {
    assert.equal((await taskOf(last.task, tenant().person)).endTime, null);
    proxy.heal();
    await until('it has ended', async () => (await taskOf(last.task, tenant().person)).endTime !== null, patient);
    assert.equal((await taskOf(last.task, tenant().person)).status, 'success');
    await until(
      'nothing is left to do',
      async () => {
        const { rows } = await sql`SELECT kind, message FROM reconciliations WHERE kind <> 'vdc'`.execute(
          harness.api.db,
        );
        if (rows.length === 0) return true;
        throw new Error(JSON.stringify(rows.slice(0, 3)));
      },
      patient,
    );
    const { rows } = await sql<{ place: string }>`
      SELECT concat_ws('/', v.cluster, v.namespace, v.vm_name, m.uid) AS place FROM vms v JOIN vm_applied m ON m.vm_id = v.id WHERE v.deleted_at IS NULL
    `.execute(harness.api.db);
    const own = harness.fleets.supervisor;
    const machines = [...(await found(virtualMachines, 'local', own)), ...(await found(virtualMachines, away, member))];
    // 17 of two VMs, 32 of one, and the last.
    assert.equal(rows.length, 2 * 17 + 32 + 1);
    assert.deepEqual(rows.map(({ place }) => place).toSorted(), machines.toSorted());
    assert.equal((await found(templateInstances, 'local', own)).length, 17);
    assert.deepEqual(
      (await found(secrets, 'local', own)).filter((name) => name.includes('parameters')),
      [],
    );
    assert.deepEqual(written.filter((text) => /^POST .*\/virtualmachines$/.test(text)).length, 1);
    const tasks = await sql<{ status: string; n: number }>`
      SELECT status, count(*)::integer AS n FROM tasks WHERE owner_kind = 'vapp' GROUP BY status
    `.execute(harness.api.db);
    assert.deepEqual(tasks.rows, [{ status: 'success', n: 50 }]);
  });

  /** In all namespaces, as `cluster/namespace/name/uid`. */
  async function found(
    type: ResourceType<KubeObject>,
    cluster: string,
    { client }: Pick<MemberCluster, 'client'>,
  ): Promise<readonly string[]> {
    const { items } = await client.list(type);
    return items.map(({ metadata: { namespace, name, uid } }) => [cluster, namespace, name, uid].join('/'));
  }
});
