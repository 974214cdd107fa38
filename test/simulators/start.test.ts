/** Simulators from their start to their end, on a sandbox: what exists then, and how dials are turned meanwhile. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { DIALS } from '../../packages/sandbox/src/simulators/dial-keeper.ts';
import type { Dials } from '../../packages/sandbox/src/simulators/dials.ts';
import { configMaps } from '../../packages/sandbox/src/simulators/serving/front-proxy.ts';
import { apiServices } from '../../packages/sandbox/src/simulators/serving/registered-objects.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';

const events: ResourceType = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };
const folder = mkdtempSync(join(tmpdir(), 'ssvirt-start-'));
const thing = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.start.ssvirt.io }
spec:
  group: start.ssvirt.io
  names: { plural: things, kind: Thing }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

let cluster: MemberCluster;
before(async () => {
  cluster = await startMemberCluster('start');
  writeFileSync(join(folder, 'thing.yaml'), thing);
});
after(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

const start = (dials: Partial<Dials> = {}): Promise<Simulators> =>
  startSimulators({
    source: fixedSource(cluster),
    name: 'start',
    parts: [],
    crds: folder,
    dials,
    log: pino({ level: 'silent' }),
  });

const turn = (data: Record<string, string | null>): Promise<unknown> =>
  cluster.client.patch(configMaps, DIALS, { type: 'merge', body: { data } });

test('a cluster that has a KubeVirt is refused before anything of it is overwritten', async () => {
  const name = 'v1.subresources.kubevirt.io';
  const spec = {
    group: 'subresources.kubevirt.io',
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 15,
    service: { namespace: 'kubevirt', name: 'virt-api' },
    insecureSkipTLSVerify: true,
  };
  await cluster.client.create<KubeObject>(apiServices, { metadata: { name }, spec } as Unstructured);
  await assert.rejects(start(), {
    name: 'TakenError',
    message:
      'cannot simulate here: the service kubevirt/virt-api serves subresources.kubevirt.io/v1. Choose a cluster without ' +
      `it, or delete the APIService "${name}" if it is not needed`,
  });
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { body } = await cluster.client.request({ method: 'GET', path });
  assert.deepEqual((body as { items: unknown[] }).items, []);
  await cluster.client.delete(apiServices, { name });
});

test('definitions are served when it has started, and a later start finds the dials as they were left', async () => {
  const first = await start({ speed: 4 });
  assert.ok(first.installed.definitions.includes('things.start.ssvirt.io'));
  await cluster.client.request({ method: 'GET', path: '/apis/start.ssvirt.io/v1/things' });
  assert.equal(first.world.scaled(1000), 250);
  const { data } = await cluster.client.get(configMaps, DIALS);
  assert.equal(data?.['speed'], '4');
  assert.equal(data['boot-time'], '3s');
  await turn({ 'boot-time': '9s' });
  await first.stop();
  await first.ended;

  const second = await start();
  assert.equal(second.world.dials.speed, 4);
  assert.equal(second.world.dials.bootMs, 9000);
  await second.stop();

  const third = await start({ speed: 2 });
  assert.equal(third.world.dials.speed, 2);
  assert.equal(third.world.dials.bootMs, 9000);
  assert.equal((await cluster.client.get(configMaps, DIALS)).data?.['speed'], '2');
  await third.stop();
});

test('a dial that is turned in the ConfigMap holds at once; a bad value is reported by an event, and changes nothing', async () => {
  const simulators = await start({ speed: 1 });
  const { world } = simulators;
  const { dials } = world;
  let changes = 0;
  world.onDialsChanged(() => changes++);
  await turn({ speed: '10', faults: '- node-lost,node01' });
  await until('the dials are turned', () => dials.speed === 10 && dials.faults.length === 1);
  assert.equal(world.scaled(1000), 100);
  assert.ok(changes > 0);
  await turn({ speed: 'fast', 'import-time': '1s' });
  await until('the good one of two is turned', () => dials.importMs === 1000);
  assert.equal(dials.speed, 10);
  const told = async (): Promise<readonly Unstructured[]> =>
    (await cluster.client.list(events, { namespace: DIALS.namespace })).items.filter(
      (event) => event['reason'] === 'BadDial',
    );
  await until('it is reported', async () => (await told()).length > 0);
  assert.deepEqual(
    (await told()).map(({ message, type }) => [type, message]),
    [['Warning', 'speed: "fast" is not a number above 0: write a number such as 10 or 0.5']],
  );
  await cluster.client.delete(configMaps, DIALS);
  await until('the dials are back where they were at the start', () => dials.speed === 1 && dials.importMs === 10_000);
  await simulators.stop();
});

test('a start that fails says why, and leaves nothing running', async () => {
  const missing = join(folder, 'missing');
  await assert.rejects(
    startSimulators({ source: fixedSource(cluster), name: 'start', crds: missing, log: pino({ level: 'silent' }) }),
    { name: 'DefinitionsError', message: `cannot read "${missing}": no such file or directory` },
  );
});
