/** Disks with everything simulated, on the sandbox and on a real kube-apiserver. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { dataImportCrons, volumeImportSources } from '../../packages/sandbox/src/simulators/cdi/kinds.ts';
import * as kinds from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { watchField } from './watch-field.ts';

const namespace = 'disks';
const quotas: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};
const http = { http: { url: 'http://images.example/fedora.qcow2' } };
const storage = (size?: string, more: JsonObject = {}): JsonObject => ({
  ...more,
  ...(size === undefined ? {} : { resources: { requests: { storage: size } } }),
});
const disk = (name: string, spec: JsonObject, annotations: Record<string, string> = {}): kinds.DataVolume => ({
  metadata: { namespace, name, annotations },
  spec,
});

function machine(
  name: string,
  template: kinds.DataVolume,
  more: { readonly runStrategy?: kinds.RunStrategy; readonly annotations?: Record<string, string> } = {},
): kinds.VirtualMachine {
  const { runStrategy = 'Always', annotations = {} } = more;
  const called = template.metadata.name ?? '';
  return {
    metadata: { namespace, name, annotations },
    spec: {
      runStrategy,
      dataVolumeTemplates: [{ metadata: { name: called }, spec: template.spec }],
      template: {
        spec: {
          domain: { devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] }, memory: { guest: '64Mi' } },
          volumes: [{ name: 'root', dataVolume: { name: called } }],
        },
      },
    },
  };
}

export function cdiCases(start: () => Promise<Cluster>): void {
  let cluster: Cluster;
  let simulators: Simulators;
  let client: Client;

  before(async () => {
    cluster = await start();
    client = createClient({ cluster: 'disks', source: fixedSource(cluster), userAgent: 'cdi-test' });
    simulators = await simulate(20);
    await client.create(kinds.namespaces, { metadata: { name: namespace } });
  });
  after(async () => {
    await simulators?.stop();
    await client?.close();
    await cluster?.stop();
  });

  const simulate = (speed: number, importMs = 10_000): Promise<Simulators> => {
    const log = createLogger({ level: 'error', format: 'text' });
    return startSimulators({ source: fixedSource(cluster), name: 'disks', dials: { speed, importMs }, log });
  };
  const get = <T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T> =>
    client.get(type, { namespace, name });
  const phase = async (name: string): Promise<string> => (await get(kinds.dataVolumes, name)).status?.phase ?? '';
  const comesTo = (name: string, wanted: string): Promise<void> =>
    until(`${name} is ${wanted}`, async () => (await phase(name)) === wanted, { deadlineMs: 30_000 });
  const statusOf = async (name: string): Promise<string | undefined> =>
    (await get(kinds.virtualMachines, name)).status?.printableStatus;
  const shows = (name: string, wanted: string): Promise<void> =>
    until(`${name} shows ${wanted}`, async () => (await statusOf(name)) === wanted, { deadlineMs: 30_000 });
  const condition = async (name: string, type: string): Promise<kinds.Condition | undefined> =>
    (await get(kinds.dataVolumes, name)).status?.conditions?.find((one) => one.type === type);

  test('a disk is imported into a prime, whose volume the claim gets, and its machine runs', async () => {
    const phases = await watchField(client, kinds.dataVolumes, namespace, ({ status }) => status?.phase);
    await client.create(
      kinds.virtualMachines,
      machine('vm1', disk('disk1', { source: http, storage: storage('1Gi') })),
    );
    await until('there is a prime', async () => {
      const { items } = await client.list(kinds.persistentVolumeClaims, { namespace });
      return items.some(({ metadata }) => metadata.name?.startsWith('prime-') === true);
    });
    await get(volumeImportSources, `volume-import-source-${(await get(kinds.dataVolumes, 'disk1')).metadata.uid}`);
    await shows('vm1', 'Running');
    assert.deepEqual(await phases.upTo('Succeeded'), ['ImportScheduled', 'ImportInProgress', 'Succeeded']);
    const { status, metadata } = await get(kinds.dataVolumes, 'disk1');
    assert.deepEqual(
      [status?.progress, status?.claimName, status?.restartCount, metadata.ownerReferences?.[0]?.kind],
      ['100.0%', 'disk1', 0, 'VirtualMachine'],
    );
    const said = status?.conditions?.map(({ type, status: value, reason, message }) => [type, value, reason, message]);
    assert.deepEqual(said, [
      ['Bound', 'True', 'Bound', 'PVC disk1 Bound'],
      ['Ready', 'True', undefined, undefined],
      ['Running', 'False', 'Completed', 'Import Complete'],
    ]);
    const claim = await get(kinds.persistentVolumeClaims, 'disk1');
    assert.equal(claim.status?.phase, 'Bound');
    assert.equal(claim.metadata.labels?.['app'], 'containerized-data-importer');
    assert.equal(claim.metadata.annotations?.['cdi.kubevirt.io/storage.pod.phase'], 'Succeeded');
    const volume = await client.get(kinds.persistentVolumes, { name: String(claim.spec['volumeName']) });
    assert.equal((volume['spec'] as { claimRef: { uid: string } }).claimRef.uid, claim.metadata.uid);
    await until('nothing else is left', async () => {
      const { items } = await client.list(kinds.persistentVolumeClaims, { namespace });
      const sources = await client.list(volumeImportSources, { namespace });
      return items.length === 1 && sources.items.length === 0;
    });
  });

  test('blank disks, clones and disks from a DataSource are filled', async () => {
    await client.create(kinds.dataVolumes, disk('blank1', { source: { blank: {} }, storage: storage('1Gi') }));
    await client.create(kinds.dataSources, {
      metadata: { namespace, name: 'golden' },
      spec: { source: { pvc: { namespace, name: 'disk1' } } },
    });
    const clone = { source: { pvc: { namespace, name: 'disk1' } }, storage: storage() };
    const seen = await watchField(client, kinds.dataVolumes, namespace, ({ metadata, status }) =>
      metadata.name === 'clone1' ? status?.phase : undefined,
    );
    await client.create(kinds.dataVolumes, disk('clone1', clone));
    const bySourceRef = { sourceRef: { kind: 'DataSource', name: 'golden' }, storage: storage('2Gi') };
    await client.create(kinds.virtualMachines, machine('vm2', disk('disk2', bySourceRef)));
    await Promise.all(['blank1', 'clone1', 'disk2'].map((name) => comesTo(name, 'Succeeded')));
    assert.deepEqual(await seen.upTo('Succeeded'), ['CloneScheduled', 'CloneInProgress', 'Succeeded']);
    const claim = await get(kinds.persistentVolumeClaims, 'clone1');
    assert.deepEqual(claim.spec['resources'], { requests: { storage: '1073741824' } });
    await shows('vm2', 'Running');
    const golden = await get(kinds.dataSources, 'golden');
    const { conditions } = golden['status'] as { conditions: kinds.Condition[] };
    assert.deepEqual(
      conditions.map(({ type, status, reason, message }) => [type, status, reason, message]),
      [['Ready', 'True', 'Ready', 'DataSource is ready to be consumed']],
    );
  });

  test('a clone waits for what it is to be cloned from', async () => {
    const later = { source: { pvc: { namespace, name: 'later' } }, storage: storage('1Gi') };
    await client.create(kinds.dataVolumes, disk('clone2', later));
    await until('it says so', async () => (await condition('clone2', 'Bound'))?.reason === 'CloneWithoutSource');
    assert.equal((await condition('clone2', 'Bound'))?.message, "The source pvc later doesn't exist");
    assert.equal(await phase('clone2'), '');
    await client.create(kinds.dataVolumes, disk('later', { source: http, storage: storage('1Gi') }));
    await comesTo('clone2', 'Succeeded');
    assert.equal(await phase('later'), 'Succeeded');
  });

  test('where the class waits for a consumer, a disk is filled when its machine is started', async () => {
    const local = { source: http, storage: storage('1Gi', { storageClassName: 'local' }) };
    await client.create(kinds.virtualMachines, machine('vm3', disk('disk3', local), { runStrategy: 'Halted' }));
    await comesTo('disk3', 'PendingPopulation');
    const at = disk('soon', local, { 'cdi.kubevirt.io/storage.bind.immediate.requested': '' });
    await client.create(kinds.dataVolumes, at);
    await comesTo('soon', 'Succeeded');
    assert.equal(await phase('disk3'), 'PendingPopulation');
    const seen = await watchField(client, kinds.virtualMachines, namespace, ({ metadata, status }) =>
      metadata.name === 'vm3' ? status?.printableStatus : undefined,
    );
    await client.patch(
      kinds.virtualMachines,
      { namespace, name: 'vm3' },
      { type: 'merge', body: { spec: { runStrategy: 'Always' } } },
    );
    await shows('vm3', 'Running');
    assert.equal(await phase('disk3'), 'Succeeded');
    const statuses = (await seen.upTo('Running')).filter((status) => status !== 'Stopped');
    assert.deepEqual(statuses, ['WaitingForVolumeBinding', 'Provisioning', 'Starting', 'Running']);
  });

  test('an import that fails is tried again and again, and succeeds when nothing is wrong any more', async () => {
    const annotations = { 'sandbox.ssvirt.io/fault': 'import-fails' };
    const failing = machine('vm4', disk('disk4', { source: http, storage: storage('1Gi') }), { annotations });
    const seen = await watchField(client, kinds.virtualMachines, namespace, ({ metadata, status }) =>
      metadata.name === 'vm4' ? status?.printableStatus : undefined,
    );
    await client.create(kinds.virtualMachines, failing);
    await until(
      'it was tried again',
      async () => ((await get(kinds.dataVolumes, 'disk4')).status?.restartCount ?? 0) > 0,
    );
    await until('it has failed', async () => (await condition('disk4', 'Running'))?.reason === 'Error');
    const { status } = await get(kinds.dataVolumes, 'disk4');
    assert.equal(status?.phase, 'ImportInProgress');
    await until('it says why', async () =>
      /expected status code 200, got 404/.test((await condition('disk4', 'Running'))?.message ?? ''),
    );
    // A slow watcher may miss a state that comes and goes, but it recurs.
    const isError = (status: string): boolean => status === 'DataVolumeError';
    await until('its machine has shown it twice', () => seen.values.filter(isError).length > 1, { deadlineMs: 60_000 });
    const healed = { metadata: { annotations: { 'sandbox.ssvirt.io/fault': null } } };
    await client.patch(kinds.virtualMachines, { namespace, name: 'vm4' }, { type: 'merge', body: healed });
    await shows('vm4', 'Running');
    const statuses = (await seen.upTo('Running')).filter((status) => status !== 'Stopped');
    assert.deepEqual(statuses.slice(0, 4), ['Provisioning', 'DataVolumeError', 'Provisioning', 'DataVolumeError']);
    assert.deepEqual(statuses.slice(-3), ['Provisioning', 'Starting', 'Running']);
  });

  test('without a CSI driver the claim is bound first, and then filled', async () => {
    const seen = await watchField(client, kinds.dataVolumes, namespace, ({ metadata, status }) =>
      metadata.name === 'legacy' ? status?.phase : undefined,
    );
    const annotations = { 'cdi.kubevirt.io/storage.usePopulator': 'false' };
    await client.create(kinds.dataVolumes, disk('legacy', { source: http, storage: storage('1Gi') }, annotations));
    await comesTo('legacy', 'Succeeded');
    const phases = await seen.upTo('Succeeded');
    assert.deepEqual(phases, ['Pending', 'PVCBound', 'ImportScheduled', 'ImportInProgress', 'Succeeded']);
  });

  test('a claim that is there is taken over by whoever may', async () => {
    const claim: kinds.PersistentVolumeClaim = {
      metadata: { namespace, name: 'mine' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const { metadata } = await client.create(kinds.persistentVolumeClaims, claim);
    const wanted = { source: http, storage: storage('1Gi') };
    const refused = await refusal(() => client.create(kinds.dataVolumes, disk('mine', wanted)));
    assert.equal(refused?.code, 422);
    assert.equal(refused.status?.message?.includes(`Destination PVC ${namespace}/mine already exists`), true);
    await client.create(kinds.dataVolumes, disk('mine', wanted, { 'cdi.kubevirt.io/allowClaimAdoption': 'true' }));
    await comesTo('mine', 'Succeeded');
    const adopted = await get(kinds.persistentVolumeClaims, 'mine');
    assert.equal(adopted.metadata.uid, metadata.uid);
    assert.equal(adopted.metadata.ownerReferences?.[0]?.kind, 'DataVolume');
  });

  test('what is wrong with a disk is refused, and its spec stays as it was', async () => {
    const bad = { source: { registry: { url: 'https://images.example/fedora' } }, storage: storage('1Gi') };
    const refused = await refusal(() => client.create(kinds.dataVolumes, disk('bad', bad)));
    assert.match(
      refused?.status?.message ?? '',
      /Illegal registry source URL scheme https:\/\/images.example\/fedora$/,
    );
    const body = { spec: { storage: { resources: { requests: { storage: '5Gi' } } } } };
    const changed = await refusal(() =>
      client.patch(kinds.dataVolumes, { namespace, name: 'disk1' }, { type: 'merge', body }),
    );
    assert.match(changed?.status?.message ?? '', /Cannot update DataVolume Spec$/);
  });

  test('a quota that is reached is reported, and waited for', async () => {
    const spec = { hard: { 'requests.storage': '1Mi' } };
    await client.create(kinds.namespaces, { metadata: { name: 'small' } });
    await client.create(quotas, { metadata: { namespace: 'small', name: 'q' }, spec });
    const key = { namespace: 'small', name: 'big' };
    await until('the quota holds', async () => {
      const quota = (await client.get(quotas, { namespace: 'small', name: 'q' })) as { status?: { hard?: object } };
      return quota.status?.hard !== undefined;
    });
    await client.create(kinds.dataVolumes, { metadata: key, spec: { source: http, storage: storage('1Gi') } });
    const bound = async (): Promise<kinds.Condition | undefined> =>
      (await client.get(kinds.dataVolumes, key)).status?.conditions?.find(({ type }) => type === 'Bound');
    await until('it says so', async () => (await bound())?.reason === 'ErrExceededQuota');
    assert.match((await bound())?.message ?? '', /exceeded quota: q, requested: requests\.storage=1073741824/);
    assert.equal((await client.get(kinds.dataVolumes, key)).status?.phase, 'Pending');
    await client.delete(quotas, { namespace: 'small', name: 'q' });
    const done = async (): Promise<boolean> => (await client.get(kinds.dataVolumes, key)).status?.phase === 'Succeeded';
    await until('it is filled', done, { deadlineMs: 30_000 });
  });

  test('an upload is ready, and is done when its annotation says so', async () => {
    await client.create(kinds.dataVolumes, disk('upload1', { source: { upload: {} }, storage: storage('1Gi') }));
    await comesTo('upload1', 'UploadReady');
    const body = { metadata: { annotations: { 'sandbox.ssvirt.io/uploaded': 'yes' } } };
    await client.patch(kinds.dataVolumes, { namespace, name: 'upload1' }, { type: 'merge', body });
    await comesTo('upload1', 'Succeeded');
  });

  test('a DataImportCron imports, and its DataSource can be used then', async () => {
    const template = {
      spec: { source: { registry: { url: 'docker://images.example/fedora:42' } }, storage: storage('1Gi') },
    };
    await client.create(dataImportCrons, {
      metadata: { namespace, name: 'fedora-cron' },
      spec: { managedDataSource: 'fedora', schedule: '0 0 * * *', template },
    });
    const isReady = async (): Promise<boolean> => {
      const { status } = (await get(kinds.dataSources, 'fedora')) as Unstructured & {
        status?: { conditions?: kinds.Condition[] };
      };
      return status?.conditions?.[0]?.status === 'True';
    };
    await until('the DataSource is ready', isReady, { deadlineMs: 30_000 });
    const cron = (await get(dataImportCrons, 'fedora-cron')) as Unstructured & {
      status: { lastImportedPVC: { name: string }; conditions: kinds.Condition[] };
    };
    assert.match(cron.status.lastImportedPVC.name, /^fedora-[0-9a-f]{12}$/);
    assert.deepEqual(
      cron.status.conditions.map(({ type, status, reason }) => [type, status, reason]),
      [
        ['Progressing', 'False', 'NoImport'],
        ['UpToDate', 'True', 'UpToDate'],
      ],
    );
  });

  test('classes have profiles, and the configuration knows them', async () => {
    const { status } = (await client.get(kinds.storageProfiles, { name: 'standard' })) as Unstructured & {
      status: { cloneStrategy: string; claimPropertySets: readonly object[] };
    };
    assert.equal(status.cloneStrategy, 'copy');
    assert.deepEqual(status.claimPropertySets[0], { accessModes: ['ReadWriteMany'], volumeMode: 'Block' });
    const { body } = await client.request({ method: 'GET', path: '/apis/cdi.kubevirt.io/v1beta1/cdiconfigs/config' });
    const config = body as { status: { filesystemOverhead: object } };
    assert.deepEqual(config.status.filesystemOverhead, {
      global: '0.06',
      storageClass: { local: '0.06', standard: '0.06' },
    });
  });

  test('an import shows its pod, and goes on after a pause of the simulators', async () => {
    await simulators.stop();
    // Slow enough that the import does not finish before the pause, however late that comes.
    simulators = await simulate(6, 36_000_000);
    await client.create(kinds.dataVolumes, disk('slow', { source: http, storage: storage('1Gi') }));
    const importers = async (): Promise<readonly kinds.Pod[]> =>
      (await client.list(kinds.pods, { namespace, labelSelector: 'cdi.kubevirt.io=importer' })).items;
    await until('there is a pod', async () => (await importers())[0]?.status?.phase === 'Running');
    await comesTo('slow', 'ImportInProgress');
    await simulators.stop();
    assert.equal(await phase('slow'), 'ImportInProgress');
    simulators = await simulate(6);
    await comesTo('slow', 'Succeeded');
    assert.equal((await get(kinds.dataVolumes, 'slow')).status?.restartCount, 0);
    await until('the pod is gone', async () => (await importers()).length === 0);
  });
}

async function refusal(act: () => Promise<unknown>): Promise<KubeError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof KubeError) return error;
    throw error;
  }
}
