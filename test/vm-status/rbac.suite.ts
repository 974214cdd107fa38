/**
 * The controller with the rights of deploy/rbac and no others, on a kube-apiserver that enforces them and keeps an
 * audit log; run by .ci/run.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { schema } from '../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../packages/base/src/config/load.ts';
import { runVmController } from '../../packages/ssvirt/src/processes/vm-controller/process.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import { namespaces } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { throwAwayFolder, writeKubeconfig, type Credentials, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { startRealCluster } from '../cluster/real.ts';
import { fixedSource, startMemberCluster } from '../fleet/sandboxes.ts';
import { putConfig } from '../fleet/harness.ts';
import { scrape } from '../rbac/scrape.ts';
import { untilKnown } from '../rbac/known-rights.ts';
import { until } from '../runtime/until.ts';
import { create, machine, power } from './machines.ts';
import { collectionOf, installManifests, manifests, type Manifest } from './manifests.ts';
import { Scene, type Line } from './scene.ts';

const home = 'ssvirt-system';
const account = 'ssvirt-vm-controller';
const user = `system:serviceaccount:${home}:${account}`;

interface Audited {
  readonly verb: string;
  readonly userAgent?: string;
  readonly objectRef?: { readonly resource: string; readonly subresource?: string; readonly apiGroup?: string };
  readonly responseStatus?: { readonly code: number };
}

const policy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', users: [user] }, { level: 'None' }],
};

/** Every verb that is not a read. */
const writes = new Set([
  'create leases',
  'update leases',
  'create events',
  'patch events',
  'patch kubevirtconfigs',
  'patch kubevirtconfigs/status',
  'create tokenreviews',
  'create subjectaccessreviews',
]);

describe('the rights of the vm-controller', () => {
  let folder: ThrowAwayFolder;
  let scene: Scene;
  let asController: Client;
  let credentials: Credentials;
  const all = manifests('vm-controller.yaml');
  const lines: Line[] = [];
  const file = (name: string): string => join(folder.path, name);
  const audited = (): readonly Audited[] =>
    readFileSync(file('audit.log'), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Audited)
      .filter(({ userAgent }) => userAgent === account);

  before(async () => {
    folder = await throwAwayFolder('ssvirt-rbac-');
    writeFileSync(file('policy.json'), JSON.stringify(policy));
    const serverFlags = [`--audit-policy-file=${file('policy.json')}`, `--audit-log-path=${file('audit.log')}`];
    const start = (): ReturnType<typeof startRealCluster> => startRealCluster({ serverFlags });
    scene = await Scene.start({ start, parts: ['kubevirt', 'nodes', 'cdi', 'templates'] });
    await scene.client.create(namespaces, { metadata: { name: home } });
    await installManifests(scene.client, all);
    await untilKnown(scene.client, user, all);
    const { body } = await scene.client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${home}/serviceaccounts/${account}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
    });
    const { url, ca } = scene.cluster;
    credentials = { url, ca, token: (body as { status: { token: string } }).status.token };
    asController = createClient({ cluster: 'rbac', source: fixedSource(credentials), userAgent: 'rbac-test' });
  });
  after(async () => {
    await asController?.close();
    await scene?.stop();
    await folder?.remove();
  });

  /** The complete process except its signal handlers. */
  const run = async (): Promise<() => Promise<void>> => {
    const [metrics = 0, health = 0] = await freePorts(2);
    const kubeconfig = await writeKubeconfig(file('kubeconfig'), credentials);
    const controller = { kubeconfig, metricsAddr: `0.0.0.0:${metrics}`, healthAddr: `127.0.0.1:${health}` };
    const config = { controller, database: { url: scene.database.url } };
    writeFileSync(file('config.yaml'), JSON.stringify(config), { mode: 0o600 });
    const loaded = loadConfig(schema, { process: 'vm-controller', file: file('config.yaml') });
    const log = pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text) as Line) });
    const stopping = new AbortController();
    const ended = runVmController(loaded.config, log, stopping.signal);
    await until('it is ready', async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).ok, {
      deadlineMs: 60_000,
    });
    scraped = async () => (await scrape(metrics, 'nobody')).status;
    return async () => {
      stopping.abort();
      await ended;
    };
  };
  let scraped: () => Promise<number>;

  test('they are enough: rows follow machines, Events are read, other clusters are followed, metrics are guarded', async (t) => {
    const member = await startMemberCluster('elsewhere');
    t.after(() => member.stop());
    const stop = await run();
    t.after(stop);
    const { namespace, vapp } = await scene.place('granted');
    await create(scene.client, { namespace, vappId: vapp.id });
    await scene.rows.status(namespace, 'POWERED_ON');
    await power(scene.client, namespace, 'stop');
    await scene.rows.status(namespace, 'POWERED_OFF');
    const reasons = async (): Promise<readonly unknown[]> => {
      const { body } = await scene.client.request({ method: 'GET', path: `/api/v1/namespaces/${namespace}/events` });
      return (body as { items: readonly { reason?: string }[] }).items.map(({ reason }) => reason);
    };
    await until('Events are told', async () => (await reasons()).includes('StatusUpdated'));
    await putConfig({ ...member, client: scene.client }, 'elsewhere', member);
    const path = '/apis/vitistack.io/v1alpha1/namespaces/kubevirt-configs/kubevirtconfigs/elsewhere';
    await until('its status is written', async () => {
      const { body } = await scene.client.request({ method: 'GET', path });
      return (body as { status?: { identity?: string } }).status?.identity !== undefined;
    });
    assert.equal(await scraped(), 401);
    const refused = audited().filter(({ responseStatus }) => responseStatus?.code === 403);
    assert.deepEqual(refused, [], 'nothing that it asks for is refused');
  });

  test('nothing was asked for but reads, its Lease, Events, finalizers and statuses of KubevirtConfigs, and reviews', () => {
    const seen = new Set(
      audited()
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .map(({ verb, objectRef }) =>
          [`${verb} ${objectRef?.resource}`, objectRef?.subresource].filter((part) => part !== undefined).join('/'),
        ),
    );
    assert.deepEqual(
      [...seen].filter((one) => !writes.has(one)),
      [],
    );
    for (const one of ['create leases', 'update leases', 'create events', 'patch kubevirtconfigs/status'])
      assert.ok(seen.has(one), `${one} was seen`);
  });

  const refusals: readonly (readonly [method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string])[] = [
    ['POST', ''],
    ['PUT', '/web'],
    ['PATCH', '/web'],
    ['DELETE', '/web'],
    ['DELETE', ''],
    ['PATCH', '/web/status'],
  ];
  for (const [method, path] of refusals)
    for (const plural of ['virtualmachines', 'virtualmachineinstances'])
      test(`${method} ${plural}${path} is refused to it`, async () => {
        const body = method === 'DELETE' ? undefined : machine({ namespace: 'default' });
        const url = `/apis/kubevirt.io/v1/namespaces/default/${plural}${path}`;
        const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
        assert.equal(await codeOf(() => asController.request({ method, path: url, body, contentType })), 403);
      });

  test('the API server itself says that it may not write machines, their subresources, disks, or Secrets', async () => {
    const may = async (verb: string, group: string, resource: string, namespace = 'default'): Promise<unknown> => {
      const [plural, subresource] = resource.split('/');
      const { body } = await asController.request({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: { verb, group, resource: plural, subresource, namespace } },
        },
      });
      return (body as { status: { allowed: boolean } }).status.allowed;
    };
    assert.equal(await may('list', 'kubevirt.io', 'virtualmachines'), true);
    const verbs = ['create', 'update', 'patch', 'delete', 'deletecollection'];
    const kinds = [
      'virtualmachines',
      'virtualmachines/status',
      'virtualmachineinstances',
      'virtualmachineinstancemigrations',
    ];
    const questions = [
      ...verbs.flatMap((verb) => kinds.map((kind) => [verb, 'kubevirt.io', kind] as const)),
      ...verbs.map((verb) => [verb, 'cdi.kubevirt.io', 'datavolumes'] as const),
      ...['start', 'stop', 'restart', 'addvolume'].map(
        (verb) => ['update', 'subresources.kubevirt.io', `virtualmachines/${verb}`] as const,
      ),
      ...['pause', 'softreboot'].map(
        (verb) => ['update', 'subresources.kubevirt.io', `virtualmachineinstances/${verb}`] as const,
      ),
      ['get', '', 'secrets'] as const,
      ['create', '', 'pods'] as const,
    ];
    for (const [verb, group, kind] of questions) assert.equal(await may(verb, group, kind), false, `${verb} ${kind}`);
    assert.equal(await may('create', '', 'secrets', 'kubevirt-configs'), false);
  });

  test('with rights in the namespaces of some VDCs only, these are followed and the others are reported', async (t) => {
    const binding = all.find(({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === account);
    assert.ok(binding !== undefined);
    await scene.client.request({ method: 'DELETE', path: `${collectionOf(binding)}/${account}` });
    const [open, closed] = [await scene.place('open'), await scene.place('closed')];
    const bindIn = (namespace: string): Promise<unknown> => {
      const own: Manifest = { ...binding, kind: 'RoleBinding', metadata: { name: account, namespace } };
      return scene.client.request({ method: 'POST', path: collectionOf(own), body: own });
    };
    await bindIn(open.namespace);
    await until('the whole is closed', async () => {
      return (
        (await codeOf(() => asController.request({ method: 'GET', path: '/apis/kubevirt.io/v1/virtualmachines' }))) ===
        403
      );
    });
    const stop = await run();
    t.after(stop);
    for (const { namespace, vapp } of [open, closed])
      await create(scene.client, { namespace, vappId: vapp.id, on: false });
    await scene.rows.status(open.namespace, 'POWERED_OFF');
    const unreadable = async (): Promise<readonly string[]> =>
      (await scene.rows.cluster('local'))?.unreadable_namespaces ?? [];
    await until('it is reported', async () => (await unreadable()).includes(closed.namespace));
    assert.ok(!(await unreadable()).includes(open.namespace));
    assert.deepEqual(await scene.rows.vms(closed.namespace), []);
    const isSaid = ({ msg = '', namespaces: which }: Line): boolean =>
      msg.startsWith('cannot read VDC namespaces') && Array.isArray(which) && which.includes(closed.namespace);
    await until('the log says so', () => lines.some(isSaid));
    await bindIn(closed.namespace);
    await scene.rows.status(closed.namespace, 'POWERED_OFF');
    await until('it is reported no more', async () => !(await unreadable()).includes(closed.namespace));
  });
});

async function codeOf(act: () => Promise<{ readonly code: number }>): Promise<number> {
  try {
    return (await act()).code;
  } catch (error) {
    if (error instanceof KubeError && error.code !== undefined) return error.code;
    throw error;
  }
}
