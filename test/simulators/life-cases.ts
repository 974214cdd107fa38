/** The life of a VM with everything simulated, on the sandbox and on a real kube-apiserver. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import {
  virtualMachineInstances,
  virtualMachines,
  type VirtualMachine,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { watchField } from './watch-field.ts';

const core = { group: '', version: 'v1', namespaced: true };
const pods: ResourceType = { ...core, kind: 'Pod', plural: 'pods' };
const events: ResourceType = { ...core, kind: 'Event', plural: 'events' };
const namespaces: ResourceType = { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false };

const namespace = 'life';
const key = { namespace, name: 'vm1' };

const claims: ResourceType = { ...core, kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' };
const dataVolumes: ResourceType = {
  group: 'cdi.kubevirt.io',
  version: 'v1beta1',
  kind: 'DataVolume',
  plural: 'datavolumes',
  namespaced: true,
};

const machine: VirtualMachine = {
  metadata: { ...key },
  spec: {
    runStrategy: 'Always',
    dataVolumeTemplates: [
      {
        metadata: { name: 'vm1-root' },
        spec: {
          source: { http: { url: 'https://images.example.com/fedora.qcow2' } },
          storage: { resources: { requests: { storage: '1Gi' } } },
        },
      },
    ],
    template: {
      spec: {
        domain: { devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] }, memory: { guest: '1Gi' } },
        volumes: [{ name: 'root', dataVolume: { name: 'vm1-root' } }],
      },
    },
  },
};

export function lifeCases(start: () => Promise<Cluster>): void {
  let cluster: Cluster;
  let simulators: Simulators;
  let client: Client;

  before(async () => {
    cluster = await start();
    const source = fixedSource(cluster);
    client = createClient({ cluster: 'life', source, userAgent: 'life-test' });
    const log = createLogger({ level: 'error', format: 'text' });
    simulators = await startSimulators({ source, name: 'life', dials: { speed: 20 }, log });
    await client.create(namespaces, { metadata: { name: namespace } });
  });
  after(async () => {
    await simulators?.stop();
    await client?.close();
    await cluster?.stop();
  });

  test('virt-api refuses a client that does not accept any type, in front of its handlers and without a Status', async () => {
    const asked = async (accept: string | undefined, path = 'virtualmachines/nobody/start'): Promise<unknown> => {
      const call = {
        method: 'PUT',
        path: `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/${path}`,
      } as const;
      const error: unknown = await client
        .request({ ...call, body: {}, contentType: 'text/plain', ...defined({ accept }) })
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof KubeError);
      return [error.code, error.status?.reason ?? error.words];
    };
    const refused = [406, 'HTTP 406: Not Acceptable Available representations:'];
    assert.deepEqual(await asked('application/json'), refused);
    assert.deepEqual(await asked('application/json', 'virtualmachineinstances/nobody/pause'), refused);
    assert.deepEqual(await asked('application/json, */*'), [404, 'NotFound']);
    assert.deepEqual(await asked(undefined), [404, 'NotFound']);
    assert.deepEqual(await asked(undefined, 'expand-vm-spec'), [415, 'HTTP 415: Unsupported Media Type']);
  });

  const status = async (): Promise<string | undefined> =>
    (await client.get(virtualMachines, key)).status?.printableStatus;
  const power = (verb: string): Promise<unknown> => {
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachines/vm1/${verb}`;
    return client.request({ method: 'PUT', path, body: {} });
  };
  const left = async (type: ResourceType<KubeObject>): Promise<readonly KubeObject[]> =>
    (await client.list(type, { namespace })).items;

  test('a machine that is created runs: its disk, its instance, its pod, and what is said about them', async () => {
    const seen = await watchField(client, virtualMachines, namespace, ({ status: told }) => told?.printableStatus);
    await client.create(virtualMachines, machine);
    await until('it runs', async () => (await status()) === 'Running', { deadlineMs: 30_000 });
    const instance = await client.get(virtualMachineInstances, key);
    assert.equal(instance.status?.phase, 'Running');
    const [pod] = (await left(pods)) as readonly Unstructured[];
    assert.match(pod?.metadata.name ?? '', /^virt-launcher-vm1-/);
    // Events come after the changes that they report.
    const isTold = async (reason: string): Promise<boolean> =>
      (await left(events)).some((event) => (event as Unstructured)['reason'] === reason);
    for (const reason of ['SuccessfulCreate', 'Scheduled', 'Started'])
      await until(`${reason} is told`, () => isTold(reason), { deadlineMs: 30_000 });
    const [claim] = (await left(claims)) as readonly (Unstructured & { status?: { phase?: string } })[];
    assert.deepEqual([claim?.metadata.name, claim?.status?.phase], ['vm1-root', 'Bound']);
    const disk = (await client.get(dataVolumes, { namespace, name: 'vm1-root' })) as { status?: { phase?: string } };
    assert.equal(disk.status?.phase, 'Succeeded');
    // Between the disk and the start it may show Stopped for a moment, like a real one.
    const statuses = withoutRepeats((await seen.upTo('Running')).filter((value) => value !== 'Stopped'));
    assert.deepEqual(statuses, ['Provisioning', 'Starting', 'Running']);
  });

  test('it is stopped and started by subresource, and a wrong word is refused in the words of KubeVirt', async () => {
    await power('stop');
    await until('it is stopped', async () => (await status()) === 'Stopped' && (await left(pods)).length === 0, {
      deadlineMs: 30_000,
    });
    const again = await refusal(() => power('stop'));
    assert.equal(again?.code, 409);
    await power('start');
    await until('it runs again', async () => (await status()) === 'Running', { deadlineMs: 30_000 });
    const bad = await refusal(() =>
      client.patch(virtualMachines, key, { type: 'merge', body: { spec: { runStrategy: null, running: null } } }),
    );
    assert.equal(bad?.code, 422);
    assert.match(bad.status?.message ?? '', /denied the request: RunStrategy must be specified$/);
  });

  test('when it is deleted, everything of it goes', async () => {
    await client.delete(virtualMachines, key);
    const kinds = [virtualMachines, virtualMachineInstances, pods, dataVolumes, claims];
    const all = async (): Promise<readonly KubeObject[]> => (await Promise.all(kinds.map(left))).flat();
    // A real garbage collector learns of new kinds only every half minute.
    await until('all is gone', async () => (await all()).length === 0, { deadlineMs: 90_000 });
  });
}

function withoutRepeats(values: readonly string[]): readonly string[] {
  return values.filter((value, i) => value !== values[i - 1]);
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
