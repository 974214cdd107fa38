/** Catalog items become vApps by real requests: which rows are written, and what is refused before any write. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  directoryOf,
  startApi,
  type Answer,
  type ApiHarness,
  type Person,
} from '../../../../../../test/api/harness.ts';
import { entryOf, offerOf, parameterOf, sourceOf, type Offering } from '../../../../../../test/api/offers.ts';
import { makeVapp, makeVdc, makeVm, observe, unique } from '../../../../../../test/database/rows.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import type { CatalogEntry } from '../../../kubevirt/catalog/entry.ts';
import type { ClusterEntry } from '../../clusters/directory.ts';
import { urnOf } from '../../urn.ts';

const base = '/cloudapi/1.0.0';
const GIB = 2 ** 30;

const pair = entryOf('pair', {
  guestOs: 'Fedora',
  parameters: [
    parameterOf('NAME', { generatedFrom: 'shop-[a-z0-9]{5}' }),
    parameterOf('CORES', { default: '2' }),
    parameterOf('PASSWORD', { required: true }),
    parameterOf('TOKEN', { generatedFrom: '[a-z]{20}' }),
  ],
  machines: [
    {
      name: '${NAME}-web',
      cpuCount: 2,
      memoryBytes: 2 * GIB,
      storageBytes: 10 * GIB,
      open: {
        spec: {
          template: { spec: { domain: { cpu: { cores: '${{CORES}}' }, memory: { guest: '2Gi' } } } },
          dataVolumeTemplates: [
            { metadata: { name: '0' }, spec: { storage: { resources: { requests: { storage: '10Gi' } } } } },
          ],
        },
      },
    },
    { name: '${NAME}-db', instancetype: 'u1.medium', nics: 2 },
  ],
});
const machineTemplate = entryOf('vmt', {
  kind: 'VirtualMachineTemplate',
  parameters: [
    parameterOf('SIZE', { default: 'small' }),
    parameterOf('PASSWORD', { generatedFrom: '[a-zA-Z0-9]{16}' }),
  ],
  machines: [{ name: '${NAME}', cpuCount: 1, memoryBytes: GIB }],
});
const debian = entryOf('debian', {
  kind: 'DataSource',
  namespace: 'images',
  instancetype: 'u1.medium',
  preference: 'debian',
  storageBytes: 5 * GIB,
});
const sized = entryOf('sized', { machines: [{ name: 'sized', instancetype: 'u9.none', storageBytes: 0 }] });
const fixed = entryOf('fixed', { machines: [{ name: 'only-one', cpuCount: 1, memoryBytes: GIB, storageBytes: 0 }] });
const stored = entryOf('stored', {
  parameters: [parameterOf('STORAGE_CLASS', { default: 'fast' })],
  machines: [
    { name: 'stored', cpuCount: 1, memoryBytes: GIB, storageBytes: GIB, storageClasses: ['${STORAGE_CLASS}'] },
  ],
});
const usual = entryOf('usual', { machines: [{ name: 'usual', cpuCount: 1, storageClasses: [null] }] });
const gold = entryOf('gold', { machines: [{ name: 'gold', cpuCount: 1, storageClasses: ['gold'] }] });
const odd = entryOf('odd', { machines: [{ name: 'Not A Label', cpuCount: 1 }] });
const twins = entryOf('twins', { machines: [{ name: 'same' }, { name: 'same' }] });
const huge = entryOf('huge', { machines: [{ name: 'x' }], vmCount: 150 });
const elsewhere = entryOf('elsewhere', { machines: [{ name: 'x' }] });
const broken = entryOf('broken', { machines: [{ name: 'x' }] });

const imported: CatalogEntry = {
  ...entryOf('imported', {
    parameters: [parameterOf('HOST', { default: '10.0.0.2' })],
    machines: [{ name: 'imported', cpuCount: 1, memoryBytes: GIB }],
  }),
  body: JSON.stringify({
    objects: [
      {
        apiVersion: 'cdi.kubevirt.io/v1beta1',
        kind: 'DataVolume',
        metadata: { name: 'imported' },
        spec: {
          source: { http: { url: 'https://${HOST}/x' } },
          storage: { resources: { requests: { storage: '1Gi' } } },
        },
      },
    ],
    parameters: [{ name: 'HOST', value: '10.0.0.2' }],
  }),
};

/** Like the templates that OpenShift ships. */
const common: CatalogEntry = {
  ...entryOf('common', {
    parameters: [
      parameterOf('NAME', { generatedFrom: 'fedora-[a-z0-9]{16}' }),
      parameterOf('DATA_SOURCE_NAME', { default: 'debian' }),
      parameterOf('DATA_SOURCE_NAMESPACE', { default: 'images' }),
    ],
    machines: [{ name: '${NAME}', cpuCount: 1, memoryBytes: GIB }],
  }),
  body: JSON.stringify({
    objects: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        metadata: { name: '${NAME}' },
        spec: {
          dataVolumeTemplates: [
            {
              metadata: { name: '${NAME}' },
              spec: {
                sourceRef: { kind: 'DataSource', name: '${DATA_SOURCE_NAME}', namespace: '${DATA_SOURCE_NAMESPACE}' },
                storage: { resources: { requests: { storage: '30Gi' } } },
              },
            },
          ],
          template: { spec: { domain: {}, volumes: [{ name: 'rootdisk', dataVolume: { name: '${NAME}' } }] } },
        },
      },
    ],
  }),
};
/** Older than DataSources: the disk is cloned from a claim, or a snapshot, by its name. */
const claimed: CatalogEntry = {
  ...entryOf('claimed', {
    parameters: [
      parameterOf('NAME', { generatedFrom: 'fedora-[a-z0-9]{16}' }),
      parameterOf('SRC_PVC_NAME', { default: 'fedora-1' }),
      parameterOf('SRC_PVC_NAMESPACE', { default: 'images' }),
    ],
    machines: [{ name: '${NAME}', cpuCount: 1, memoryBytes: GIB }],
  }),
  body: JSON.stringify({
    objects: ['pvc', 'snapshot'].map((type) => ({
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: { name: `\${NAME}-${type}` },
      spec: { source: { [type]: { name: '${SRC_PVC_NAME}', namespace: '${SRC_PVC_NAMESPACE}' } } },
    })),
  }),
};
const commonMachine: CatalogEntry = { ...common, kind: 'VirtualMachineTemplate', name: 'common-vmt' };
const privileged: CatalogEntry = {
  ...entryOf('privileged', { machines: [{ name: 'x' }] }),
  body: JSON.stringify({ objects: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' }] }),
};
const { body: _, ...unchecked } = entryOf('unchecked', { machines: [{ name: 'x' }] });

const offering: Offering = {
  entries: [
    ...[common, commonMachine, imported, claimed, privileged, unchecked].map((entry) => offerOf(entry)),
    ...[pair, machineTemplate, debian, fixed, odd, twins, huge, sized, stored, usual, gold].map((entry) =>
      offerOf(entry),
    ),
    offerOf(elsewhere, { cluster: 'west' }),
    offerOf(broken, { available: false, message: 'it is being deleted' }),
  ],
  instancetypes: [{ name: 'u1.medium', cpus: 1, memoryMb: 4096 }],
  preferences: ['debian'],
};

interface Row {
  readonly name: string;
  readonly vm_name: string;
  readonly cpu_count: number | null;
  readonly memory_mb: number | null;
  readonly desired_power: string;
  readonly guest_os: string | null;
  readonly owner_id: string | null;
  readonly spec: Record<string, unknown>;
}

suite('instantiation', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let author: Person;
  let catalog: string;
  let vdc: { readonly id: string; readonly urn: string; readonly namespace: string };
  let local: ClusterEntry = { name: 'local', available: true, message: '' };
  let offered = offering;
  const items = new Map<string, string>();

  before(async () => {
    api = await startApi({
      catalogSource: sourceOf(() => offered),
      clusters: { list: () => [local], get: (name) => directoryOf(local).get(name) },
    });
    author = await api.person('vApp Author');
    catalog = String((await ask('POST', 'catalogs', { name: unique('c') })).body['id']);
    const { body } = await ask('GET', `catalogs/${catalog}/catalogItems?pageSize=100`);
    for (const { id, name } of body['values'] as { id: string; name: string }[]) items.set(name, id);
    vdc = await newVdc();
  });
  after(() => api.stop());

  const ask = (method: string, path: string, body?: unknown, who: Person = author): Promise<Answer> =>
    api.ask(method, `${base}/${path}`, { token: who.token, ...defined({ body }) });

  async function newVdc(more: object = {}): Promise<{ id: string; urn: string; namespace: string }> {
    const { id, namespace } = await makeVdc(api.db, { organization_id: author.organizationId, ...more });
    return { id, urn: urnOf('vdc', id), namespace };
  }

  const instantiate = (
    item: string,
    body: object = {},
    into: { readonly urn: string } = vdc,
    who?: Person,
  ): Promise<Answer> =>
    ask(
      'POST',
      `vdcs/${into.urn}/actions/instantiateTemplate`,
      { name: unique('vapp'), catalogItem: { id: items.get(item) ?? item }, ...body },
      who,
    );

  async function machinesOf(vapp: unknown): Promise<readonly Row[]> {
    const { rows } = await sql<Row>`
      SELECT name, vm_name, cpu_count, memory_mb, desired_power, guest_os, spec, owner_id FROM vms WHERE vapp_id = ${String(vapp).slice(-36)} ORDER BY vm_name
    `.execute(api.db);
    return rows;
  }

  async function vappRow(vapp: unknown): Promise<{ spec: Record<string, unknown>; creation: string }> {
    return api.db
      .selectFrom('vapps')
      .select(['spec', 'creation'])
      .where('id', '=', String(vapp).slice(-36) as never)
      .executeTakeFirstOrThrow();
  }

  async function written(): Promise<readonly unknown[]> {
    const { rows } = await sql`
      SELECT (SELECT count(*) FROM vapps) a, (SELECT count(*) FROM vms) b, (SELECT count(*) FROM tasks) c, (SELECT count(*) FROM reconciliations) d
    `.execute(api.db);
    return rows;
  }

  const statusesOf = (answers: readonly Answer[]): readonly number[] =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);

  async function item(definition: object): Promise<string> {
    const answer = await ask('POST', `catalogs/${catalog}/catalogItems`, { name: unique('item'), definition });
    assert.equal(answer.status, 201, answer.text);
    return String(answer.body['id']);
  }

  test('of a template writes the vApp, its machines by the names that it will give them, a task and a reconcile request', async () => {
    const answer = await instantiate('pair', { parameters: { PASSWORD: 'hunter2', CORES: '8' }, powerOn: false });
    assert.equal(answer.status, 202, answer.text);
    const { id, status, numberOfVMs, task } = answer.body;
    const { status: open, operationName, details } = task as Record<string, unknown>;
    assert.deepEqual([status, numberOfVMs, open, operationName], ['UNRESOLVED', 2, 'queued', 'vappInstantiate']);
    assert.deepEqual(details, {
      catalogItem: 'pair',
      powerOn: false,
      unknownSizes: [`${(await machinesOf(id))[0]?.vm_name}: storageMb`],
    });
    assert.match(String(answer.headers['location']), /\/tasks\/urn:vcloud:task:/);
    const [db, web] = await machinesOf(id);
    assert.match(String(web?.vm_name), /^shop-[a-z0-9]{5}-web$/);
    const name = String(web?.vm_name).slice(0, -'-web'.length);
    assert.equal(db?.vm_name, `${name}-db`);
    assert.deepEqual([web?.cpu_count, web?.memory_mb, web?.desired_power, web?.guest_os], [8, 2048, 'off', 'Fedora']);
    assert.deepEqual(web?.spec, { source: { kind: 'template' }, disks: [], networks: [], nics: 1, storageMb: 10_240 });
    assert.deepEqual([db?.cpu_count, db?.memory_mb], [1, 4096]);
    assert.deepEqual(db?.spec, {
      source: { kind: 'template' },
      instancetype: { name: 'u1.medium' },
      disks: [],
      networks: [],
      nics: 2,
    });
    const { spec, creation } = await vappRow(id);
    assert.equal(creation, 'running');
    const { instance, machines, ...rest } = spec as { instance: string; machines: { vmName: string }[] };
    assert.match(instance, new RegExp(`-${String(id).slice(-36).slice(0, 8)}$`));
    assert.deepEqual(
      machines.map(({ vmName }) => vmName),
      [`${name}-web`, `${name}-db`],
      'in the order of the template',
    );
    const generated = (answer.body['generatedParameters'] ?? {}) as Record<string, string>;
    assert.match(String(generated['TOKEN']), /^[a-z]{20}$/);
    assert.deepEqual(generated, { NAME: name, TOKEN: generated['TOKEN'] });
    assert.deepEqual(rest, {
      template: { namespace: 'openshift', name: 'pair' },
      parameters: { PASSWORD: 'hunter2', CORES: '8', ...generated },
      powerOn: false,
    });
    const requests = await sql<{ kind: string }>`
      SELECT kind FROM reconciliations WHERE entity_id = ${String(id).slice(-36)} OR entity_id IN (SELECT id FROM vms WHERE vapp_id = ${String(id).slice(-36)})
    `.execute(api.db);
    assert.deepEqual(requests.rows, [{ kind: 'vapp' }], 'its machines are the template’s to make');
  });

  test('shows the values of parameters nowhere, and those that it generates in its own answer only', async () => {
    const secret = 'correct horse battery staple';
    const asked = { name: unique('vapp'), parameters: { PASSWORD: secret } };
    const { body, text } = await instantiate('pair', asked);
    const id = String(body['id']);
    const { TOKEN = '' } = (body['generatedParameters'] ?? {}) as Record<string, string>;
    assert.equal(TOKEN.length, 20);
    const admin = await api.person('System Administrator');
    const again = await instantiate('pair', asked);
    assert.deepEqual([again.status, again.body['minorErrorCode']], [409, 'DUPLICATE_NAME']);
    const tasks = await sql`SELECT * FROM tasks`.execute(api.db);
    const changes = await sql`SELECT * FROM change_log`.execute(api.db);
    const seen = [
      text.replaceAll(TOKEN, ''),
      again.text,
      JSON.stringify([tasks.rows, changes.rows]),
      (await ask('GET', `vapps/${id}`, undefined, admin)).text,
      (await ask('GET', `vapps/${id}/vms`, undefined, admin)).text,
      (await ask('GET', 'auditTrail?pageSize=100', undefined, admin)).text,
      JSON.stringify(api.log),
    ];
    assert.ok(seen.every((one) => one.length > 10 && !one.includes(secret) && !one.includes(TOKEN)));
  });

  test('of a VirtualMachineTemplate is one machine, which waits for the cluster to fill it in', async () => {
    const { status, body } = await instantiate('vmt', { name: 'My Machine', parameters: { SIZE: 'large' } });
    assert.equal(status, 202);
    const generated = (body['generatedParameters'] ?? {}) as Record<string, string>;
    assert.match(String(generated['PASSWORD']), /^[a-zA-Z0-9]{16}$/);
    const [machine] = await machinesOf(body['id']);
    assert.match(String(machine?.vm_name), /^my-machine-[0-9a-f]{8}$/);
    assert.deepEqual(
      [machine?.name, machine?.cpu_count, machine?.memory_mb, machine?.desired_power],
      ['My Machine', 1, 1024, 'on'],
    );
    assert.deepEqual(machine?.spec['source'], {
      kind: 'machineTemplate',
      namespace: 'openshift',
      name: 'vmt',
      parameters: { SIZE: 'large', ...generated },
    });
    assert.deepEqual((body['task'] as { details: unknown }).details, {
      catalogItem: 'vmt',
      powerOn: true,
      unknownSizes: ['My Machine: storageMb'],
    });
    const { rows } = await sql<{ operation: string; parent: string }>`
      SELECT operation, details ->> 'parent' AS parent FROM tasks WHERE owner_id = (SELECT id FROM vms WHERE vapp_id = ${String(body['id']).slice(-36)})
    `.execute(api.db);
    const { id: task } = body['task'] as { id: string };
    assert.deepEqual(rows, [{ operation: 'vmCreate', parent: task.slice(-36) }]);
  });

  test('of a boot image is a machine as its publisher suggests it, or as it is asked for', async () => {
    const { body: usual } = await instantiate('debian');
    const [machine] = await machinesOf(usual['id']);
    assert.deepEqual([machine?.cpu_count, machine?.memory_mb], [1, 4096]);
    assert.deepEqual(machine?.spec, {
      source: { kind: 'direct', boot: { kind: 'dataSource', namespace: 'images', name: 'debian' } },
      instancetype: { name: 'u1.medium' },
      preference: { name: 'debian' },
      rootDisk: { sizeMb: 5120 },
      disks: [],
      networks: [{ name: 'default', kind: 'pod' }],
      storageMb: 5120,
    });
    const { body: other } = await instantiate('debian', { cpus: 4, memoryMb: 512, diskSizeGb: 20 });
    const [large] = await machinesOf(other['id']);
    assert.deepEqual([large?.cpu_count, large?.memory_mb, large?.spec['storageMb']], [4, 512, 20_480]);
    assert.equal(large?.spec['instancetype'], undefined);
  });

  test('of an item of the catalog fills the values of its parameters into the data for the guest', async () => {
    const id = await item({
      image: 'containerdisks/fedora:42',
      cpus: 1,
      memoryMb: 1024,
      guestOs: 'Fedora',
      parameters: [
        { name: 'USER', default: 'fedora' },
        { name: 'PASSWORD', required: true },
        { name: 'HOST', generatedFrom: 'web-[a-z]{4}' },
      ],
      cloudInit: { userData: '#cloud-config\nuser: ${USER}\npassword: ${PASSWORD}\nhostname: ${HOST}\n# ${HOME}' },
    });
    const { status, body, text } = await instantiate(id, { parameters: { PASSWORD: 'a$&b' }, memoryMb: 2048 });
    assert.equal(status, 202, text);
    const [machine] = await machinesOf(body['id']);
    const { userData = '' } = (machine?.spec['cloudInit'] ?? {}) as { userData?: string };
    assert.match(userData, /^#cloud-config\nuser: fedora\npassword: a\$&b\nhostname: web-[a-z]{4}\n# \$\{HOME\}$/);
    const [, host] = /hostname: (\S+)/.exec(userData) ?? [];
    assert.deepEqual(body['generatedParameters'], { HOST: host });
    assert.deepEqual([machine?.cpu_count, machine?.memory_mb, machine?.guest_os], [1, 2048, 'Fedora']);
    const own = await instantiate(id, { parameters: { PASSWORD: 'x' }, cloudInit: { userData: 'own ${PASSWORD}' } });
    assert.deepEqual((await machinesOf(own.body['id']))[0]?.spec['cloudInit'], { userData: 'own x' });
    const missing = await instantiate(id);
    assert.deepEqual([missing.status, /parameters\.PASSWORD: it is required/.test(missing.text)], [400, true]);
  });

  test('answers with what it generated also where the caller waits, and not where nothing was generated', async () => {
    const path = `${base}/vdcs/${vdc.urn}/actions/instantiateTemplate`;
    const waiting = (seconds: number): Promise<Answer> =>
      api.ask('POST', path, {
        token: author.token,
        headers: { prefer: `wait=${seconds}` },
        body: { name: unique('vapp'), catalogItemId: items.get('vmt') },
      });
    const tooLong = await waiting(1);
    assert.equal(tooLong.status, 202, tooLong.text);
    assert.deepEqual(Object.keys(tooLong.body['generatedParameters'] ?? {}), ['PASSWORD']);
    const made = waiting(60);
    await until('its task is ended', async () => {
      await sql`
        UPDATE tasks SET status = 'success', progress = 100, ended_at = now() WHERE operation = 'vappInstantiate' AND ended_at IS NULL
      `.execute(api.db);
      return Promise.race([made.then(() => true), pause(20, false)]);
    });
    const { status, text, body } = await made;
    assert.equal(status, 201, text);
    const { PASSWORD = '' } = (body['generatedParameters'] ?? {}) as Record<string, string>;
    assert.match(PASSWORD, /^[a-zA-Z0-9]{16}$/);
    assert.equal((await instantiate('debian')).body['generatedParameters'], undefined);
  });

  test('answers with what it generated also where it cannot see what has become of it', async () => {
    const { db } = api;
    const waiting = (): Promise<Answer> =>
      api.ask('POST', `${base}/vdcs/${vdc.urn}/actions/instantiateTemplate`, {
        token: author.token,
        headers: { prefer: 'wait=20' },
        body: { name: unique('vapp'), catalogItemId: items.get('vmt') },
      });
    const keeps = ({ status, text, body, headers }: Answer): void => {
      assert.equal(status, 202, text);
      assert.match(String((body['generatedParameters'] as Record<string, string>)['PASSWORD']), /^[a-zA-Z0-9]{16}$/);
      assert.match(String(headers['location']), /\/tasks\/urn:vcloud:task:/);
    };
    // From the commit of the request on, tasks cannot be read: their users are away.
    await sql`
      CREATE FUNCTION hide_users() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN ALTER TABLE IF EXISTS users RENAME TO away; RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER hide_users AFTER INSERT ON tasks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hide_users();
    `.execute(db);
    try {
      keeps(await waiting());
    } finally {
      await sql`ALTER TABLE IF EXISTS away RENAME TO users; DROP FUNCTION hide_users CASCADE`.execute(db);
    }
    const open = sql`operation = 'vappInstantiate' AND ended_at IS NULL`;
    await sql`UPDATE tasks SET status = 'success', ended_at = now() WHERE ${open}`.execute(db);
    const made = waiting();
    await until('its task exists', async () => {
      const { rows } = await sql`SELECT FROM tasks WHERE ${open}`.execute(db);
      return rows.length > 0;
    });
    // The task ends at the moment from which the vApp cannot be read.
    await sql`
      BEGIN;
      ALTER TABLE vapp_observed RENAME TO away;
      UPDATE tasks SET status = 'success', progress = 100, ended_at = now() WHERE operation = 'vappInstantiate' AND ended_at IS NULL;
      COMMIT;
    `.execute(db);
    try {
      keeps(await made);
    } finally {
      await sql`ALTER TABLE away RENAME TO vapp_observed`.execute(db);
    }
  });

  test('imports nothing from inside of the cluster: not by an older item, and not by a template', async () => {
    const older = await item({ url: 'http://images.example/x', diskSizeGb: 1, cpus: 1, memoryMb: 64 });
    // As 0.1.0 stored it.
    await sql`
      UPDATE catalog_items SET definition = jsonb_set(definition, '{url}', '"http://10.0.0.1/x"') WHERE id = ${older.slice(-36)}
    `.execute(api.db);
    for (const [id, body, host] of [
      [older, {}, '10.0.0.1'],
      ['imported', {}, '10.0.0.2'],
      ['imported', { parameters: { HOST: '10.0.0.3' } }, '10.0.0.3'],
    ] as const) {
      const { status, body: answer } = await instantiate(id, body);
      assert.equal(status, 400);
      const says = `cannot be imported: the host "${host}" is private (10.0.0.0/8); `;
      assert.ok(String(answer['message']).includes(says), String(answer['message']));
    }
  });

  test('puts parameters of an item of the catalog into the data for the guest, and nowhere else', async () => {
    const parameters = [{ name: 'X', required: true }];
    const size = { cpus: 1, memoryMb: 64 };
    for (const definition of [
      { ...size, image: 'containerdisks/${X}', parameters },
      { ...size, dataSource: { namespace: '${X}', name: 'debian' }, parameters },
      { ...size, url: 'https://${X}/a', diskSizeGb: 1, parameters },
    ]) {
      const answer = await ask('POST', `catalogs/${catalog}/catalogItems`, { name: unique('item'), definition });
      assert.equal(answer.status, 400, answer.text);
    }
  });

  test('keeps secrets out of the items of a catalog', async () => {
    const definition = { image: 'containerdisks/fedora:42', cpus: 1, memoryMb: 64 };
    const asked = { name: unique('item'), definition: { ...definition, cloudInit: { userData: 'password: hunter2' } } };
    const answer = await ask('POST', `catalogs/${catalog}/catalogItems`, asked);
    assert.deepEqual([answer.status, /cloudInit\.userData/.test(answer.text)], [400, true]);
  });

  const refusals: readonly (readonly [string, string, object, number, RegExp])[] = [
    [
      'a parameter that there is not',
      'pair',
      { parameters: { PASSWORD: 'x', PASWORD: 'y' } },
      400,
      /parameters\.PASWORD: there is no such/,
    ],
    ['a required one that is missing', 'pair', {}, 400, /parameters\.PASSWORD: it is required/],
    [
      'a value that is no text',
      'pair',
      { parameters: { PASSWORD: 1 } },
      400,
      /parameters\.PASSWORD: it is not a string/,
    ],
    [
      'a value that makes no name',
      'pair',
      { parameters: { PASSWORD: 'x', NAME: 'My Shop' } },
      400,
      /parameters\.NAME: the name of a VM would be \\"My Shop-web\\"/,
    ],
    [
      'a value that makes too long a name',
      'pair',
      { parameters: { PASSWORD: 'x', NAME: 'a'.repeat(60) } },
      400,
      /parameters\.NAME: .*at most 63/,
    ],
    [
      'a size for a template',
      'pair',
      { parameters: { PASSWORD: 'x' }, cpus: 2 },
      400,
      /^.*cpus: the template .* sets this itself/,
    ],
    ['parameters for an image', 'debian', { parameters: { X: 'y' } }, 400, /parameters\.X: .*this item has none/],
    [
      'an instance type that there is not',
      'debian',
      { instancetype: 'u9.huge' },
      400,
      /instancetype: this virtual data center does not offer/,
    ],
    ['a disk that is too small', 'debian', { diskSizeGb: 1 }, 400, /diskSizeGb: 1 GB is less/],
    ['a template that names machines badly', 'odd', {}, 409, /cannot be used here/],
    ['a template that names two machines alike', 'twins', {}, 400, /would have the name \\"same\\"/],
    ['a template that makes very many', 'huge', {}, 409, /creates 150 VMs/],
    [
      'what is not offered where the data center is',
      'elsewhere',
      {},
      409,
      /is not available in the virtual data center/,
    ],
    ['what cannot be used now', 'broken', {}, 409, /cannot be used now: it is being deleted/],
    ...['common', 'common-vmt'].flatMap((name): (readonly [string, string, object, number, RegExp])[] => [
      [
        `a disk of another tenant, by a parameter of ${name}`,
        name,
        { parameters: { DATA_SOURCE_NAMESPACE: 'tenant-b' } },
        400,
        /parameters\.DATA_SOURCE_NAMESPACE: objects\[0\].*sourceRef\.namespace is \\"tenant-b\\"; disks are cloned from boot images, which are in images\./,
      ],
      [
        `a boot image that is not offered, by a parameter of ${name}`,
        name,
        { parameters: { DATA_SOURCE_NAME: 'ubuntu' } },
        400,
        /parameters\.DATA_SOURCE_NAME: .*there is no boot image of that name in images/,
      ],
    ]),
    [
      'a disk that is no boot image where the images are, by a parameter',
      'claimed',
      { parameters: { SRC_PVC_NAME: 'internal' } },
      400,
      /parameters\.SRC_PVC_NAME: objects\[0\].*source\.pvc\.name is \\"internal\\"; only the template itself may choose a claim or snapshot in images; .*objects\[1\].*source\.snapshot\.name is \\"internal\\"/,
    ],
    ['a template with what none may make', 'privileged', {}, 409, /is of the kind \\"RoleBinding\\".*Choose another/],
    ['a template that is too large to be checked', 'unchecked', {}, 409, /too large to be checked/],
    ['an item that is not there', 'urn:vcloud:catalogitem:11111111-2222-5333-8444-555555555555', {}, 403, /no access/],
    ['a row that is not there', 'urn:vcloud:catalogitem:11111111-2222-4333-8444-555555555555', {}, 403, /no access/],
    [
      'two items',
      'pair',
      { catalogItemId: 'urn:vcloud:catalogitem:11111111-2222-4333-8444-555555555555' },
      400,
      /exactly one/,
    ],
    ['no name', 'fixed', { name: '' }, 400, /name/],
    ['what is no field', 'fixed', { powerOff: true }, 400, /powerOff/],
  ];
  for (const [what, name, body, status, message] of refusals)
    test(`refuses ${what}, and writes nothing`, async () => {
      const before = await written();
      const answer = await instantiate(name, body);
      assert.deepEqual([answer.status, message.test(answer.text) || answer.text], [status, true]);
      assert.deepEqual(await written(), before);
    });

  test('refuses a storage class that the cluster does not have, by the parameter that names it', async () => {
    const here = await newVdc();
    const asked = (STORAGE_CLASS: string): Promise<Answer> =>
      instantiate('stored', { parameters: { STORAGE_CLASS } }, here);
    try {
      offered = { ...offering, storageClasses: [{ name: 'fast' }] };
      const unknown = await asked('slow');
      assert.deepEqual([unknown.status, unknown.body['minorErrorCode']], [400, 'BAD_REQUEST']);
      assert.match(unknown.text, /parameters\.STORAGE_CLASS: \\"slow\\" is not a storage class .*it has \\"fast\\"/);
      const none = await instantiate('usual', {}, here);
      assert.match(`${none.status} ${none.text}`, /^409 .*template \\"usual\\" needs the default storage class/);
      const root = await instantiate('debian', {}, here);
      assert.match(`${root.status} ${root.text}`, /^409 .*boot disk of the VM needs the default storage class/);
      const own = await instantiate('gold', {}, here);
      assert.match(`${own.status} ${own.text}`, /^409 .*it needs the storage class \\"gold\\"/);
      assert.equal((await asked('fast')).status, 202);
    } finally {
      offered = offering;
    }
    assert.equal((await instantiate('gold', {}, here)).status, 202, 'not known: the cluster decides');
  });

  test('refuses a name that a machine in the namespace has, be it ours or not, and takes it when that is gone', async () => {
    const here = await newVdc();
    const first = await instantiate('fixed', {}, here);
    assert.equal(first.status, 202, first.text);
    const again = await instantiate('fixed', {}, here);
    assert.deepEqual([again.status, again.body['minorErrorCode']], [409, 'DUPLICATE_NAME']);
    assert.match(again.text, /would create a VM \\"only-one\\"/);
    const there = await newVdc();
    const vapp = await makeVapp(api.db, { vdc_id: there.id as never });
    const found = await makeVm(api.db, { vapp_id: vapp.id, vm_name: 'only-one' });
    await sql`UPDATE vms SET origin = 'discovered', desired_state = 'none' WHERE id = ${found.id}`.execute(api.db);
    assert.equal((await instantiate('fixed', {}, there)).status, 409);
    await observe(api.db, found, 'DELETED');
    assert.equal((await instantiate('fixed', {}, there)).status, 202);
  });

  test('clones the boot images that the templates of OpenShift name, and those that the caller names among the offered', async () => {
    for (const [name, parameters] of [
      ['common', {}],
      ['common', { DATA_SOURCE_NAME: 'debian', DATA_SOURCE_NAMESPACE: 'images' }],
      ['common-vmt', {}],
      ['claimed', {}],
      ['claimed', { SRC_PVC_NAME: 'fedora-1', SRC_PVC_NAMESPACE: 'images' }],
    ] as const) {
      const answer = await instantiate(name, { parameters });
      assert.equal(answer.status, 202, answer.text);
    }
  });

  test('gives one name to one of several who ask at once', async () => {
    const here = await newVdc();
    const answers = await Promise.all([1, 2, 3].map(() => instantiate('fixed', {}, here)));
    assert.deepEqual(statusesOf(answers), [202, 409, 409]);
    const name = unique('same');
    const same = await Promise.all([1, 2, 3].map(() => instantiate('vmt', { name }, here)));
    assert.deepEqual(statusesOf(same), [202, 409, 409]);
  });

  test('counts what the values make of the machines against the limits', async () => {
    const limited = await newVdc({ cpu_limit_mhz: 4000, vcpu_mhz: 1000 });
    const asked = (CORES: string): Promise<Answer> =>
      instantiate('pair', { parameters: { PASSWORD: 'x', CORES } }, limited);
    const tooMany = await asked('4');
    assert.deepEqual([tooMany.status, tooMany.body['minorErrorCode']], [409, 'QUOTA_EXCEEDED']);
    assert.match(tooMany.text, /vCPUs: 0 of 4 are used, 5 more are requested/);
    assert.equal((await asked('3')).status, 202);
    assert.equal((await asked('1')).status, 409);
  });

  test('counts the network cards that the template gives to its machines', async () => {
    const limited = await newVdc({ nic_quota: 5 });
    const asked = (): Promise<Answer> => instantiate('pair', { parameters: { PASSWORD: 'x' } }, limited);
    assert.equal((await asked()).status, 202);
    const tooMany = await asked();
    assert.deepEqual([tooMany.status, tooMany.body['minorErrorCode']], [409, 'QUOTA_EXCEEDED']);
    assert.match(tooMany.text, /network cards: 3 of 5 are used, 3 more are requested/);
  });

  test('counts all machines of the template against the quotas of the user, to whom they and the vApp belong', async () => {
    const person = await api.person('vApp Author', author.organizationId);
    const asked = (powerOn: boolean): Promise<Answer> =>
      instantiate('pair', { parameters: { PASSWORD: 'x' }, powerOn }, vdc, person);
    await api.db
      .updateTable('users')
      .set({ deployed_vm_quota: 1, stored_vm_quota: 3 })
      .where('id', '=', person.userId)
      .execute();
    const running = await asked(true);
    assert.deepEqual([running.status, running.body['minorErrorCode']], [409, 'QUOTA_EXCEEDED']);
    assert.match(running.text, /\(deployedVmQuota\): 0 of 1 are used, 2 more are requested/);
    const off = await asked(false);
    assert.equal(off.status, 202, off.text);
    const { owner } = off.body as { owner: { id: string } };
    assert.equal(owner.id, `urn:vcloud:user:${person.userId}`);
    assert.deepEqual(
      (await machinesOf(off.body['id'])).map(({ owner_id }) => owner_id),
      [person.userId, person.userId],
    );
    assert.match((await asked(false)).text, /\(storedVmQuota\): 2 of 3 are used, 2 more are requested/);
  });

  test('does not know what an instance type comes to where these cannot be read, and refuses one that there is not', async () => {
    const refused = await instantiate('sized');
    assert.deepEqual([refused.status, /u9\.none.*does not offer/.test(refused.text)], [409, true]);
    offered = { ...offering, known: false };
    try {
      const { status, body } = await instantiate('sized');
      assert.equal(status, 202);
      assert.deepEqual((body['task'] as { details: unknown }).details, {
        catalogItem: 'sized',
        powerOn: true,
        unknownSizes: ['sized: cpus, memoryMb'],
      });
      const [machine] = await machinesOf(body['id']);
      assert.deepEqual([machine?.cpu_count, machine?.memory_mb], [null, null]);
    } finally {
      offered = offering;
    }
  });

  test('is for who may, where nothing forbids it', async () => {
    const disabled = await newVdc({ enabled: false });
    assert.equal((await instantiate('fixed', {}, disabled)).status, 409);
    local = { ...local, available: false, message: 'connect ECONNREFUSED 192.0.2.7' };
    try {
      const away = await instantiate('vmt');
      assert.deepEqual([away.status, away.headers['retry-after'] !== undefined], [503, true]);
      assert.doesNotMatch(away.text, /192\.0\.2|local/);
    } finally {
      local = { ...local, available: true, message: '' };
    }
    offered = {
      ...offering,
      entries: [offerOf(machineTemplate, { available: false })],
      unavailable: [{ cluster: 'local', message: 'x' }],
    };
    try {
      assert.equal((await instantiate('vmt')).status, 503);
    } finally {
      offered = offering;
    }
  });

  test('has the items of published catalogs, and of no others', async () => {
    const stranger = await api.person('Organization Administrator');
    const theirs = await makeVdc(api.db, { organization_id: stranger.organizationId });
    const use = (item: string, vdcId: string): Promise<Answer> =>
      ask('POST', `vdcs/${vdcId}/actions/instantiateTemplate`, { name: unique('v'), catalogItemId: item }, stranger);
    const own = await item({ image: 'containerdisks/fedora:42', cpus: 1, memoryMb: 64 });
    for (const id of [own, items.get('vmt') ?? '']) {
      assert.equal((await use(id, urnOf('vdc', theirs.id))).status, 403, 'unpublished');
      assert.equal((await use(id, vdc.urn)).status, 403, 'nor in a foreign data center');
    }
    await sql`UPDATE catalogs SET published = true WHERE id = ${catalog.slice(-36)}`.execute(api.db);
    try {
      for (const id of [own, items.get('vmt') ?? '']) {
        assert.equal((await use(id, urnOf('vdc', theirs.id))).status, 202, 'published');
        assert.equal((await use(id, vdc.urn)).status, 403, 'the data center is foreign still');
      }
    } finally {
      await sql`UPDATE catalogs SET published = false WHERE id = ${catalog.slice(-36)}`.execute(api.db);
    }
  });
});
