/**
 * What a newcomer finds, in a sandbox and on a real kube-apiserver: VMs in the state that they are named after, disks,
 * and templates to start from.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import {
  dataSources,
  dataVolumes,
  persistentVolumeClaims,
  virtualMachineInstances,
  virtualMachines,
  type Condition,
  type VirtualMachine,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { templates, virtualMachineTemplates } from '../../packages/sandbox/src/simulators/samples/kinds.ts';
import { configMaps } from '../../packages/sandbox/src/simulators/serving/front-proxy.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';

type Server = Credentials & { stop(): Promise<void> };

const BOOT_SOURCES = 'kubevirt-os-images';
const deadline = { deadlineMs: 60_000, everyMs: 50 };

const isReady = (object: Unstructured): boolean => {
  const { conditions = [] } = (object['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
};

/** Each of these states is seen sooner or later: some alternate. */
const states: readonly (readonly [name: string, state: string])[] = [
  ['running', 'Running'],
  ['running-from-boot-source', 'Running'],
  ['stopped', 'Stopped'],
  ['paused', 'Paused'],
  ['restart-required', 'Running'],
  ['provisioning', 'Provisioning'],
  ['unschedulable', 'ErrorUnschedulable'],
  ['crash-loop', 'CrashLoopBackOff'],
  ['import-fails', 'DataVolumeError'],
  ['image-pull-error', 'ImagePullBackOff'],
  ['pvc-not-found', 'ErrorPvcNotFound'],
  ['waiting-for-volume', 'WaitingForVolumeBinding'],
];

export function samplesCases(startServer: () => Promise<Server>): void {
  let cluster: Server;
  let client: Client;
  let simulators: Simulators;
  const start = (): Promise<Simulators> =>
    startSimulators({
      source: fixedSource(cluster),
      name: 'samples',
      dials: { speed: 10 },
      log: pino({ level: 'silent' }),
    });
  const machine = (name: string, namespace = 'demo'): Promise<VirtualMachine> =>
    client.get(virtualMachines, { namespace, name });

  before(async () => {
    cluster = await startServer();
    client = createClient({ cluster: 'samples', source: fixedSource(cluster), userAgent: 'samples-test' });
    simulators = await start();
  });
  after(async () => {
    await simulators?.stop();
    await client?.close();
    await cluster?.stop();
  });

  for (const [name, state] of states) {
    test(`${name} is ${state}`, async () => {
      await until(`${name} is ${state}`, async () => (await machine(name)).status?.printableStatus === state, deadline);
    });
  }

  test('the one that was changed says that it needs a restart', async () => {
    const saysSo = ({ status }: VirtualMachine): boolean =>
      status?.conditions?.some(({ type, status: state }) => type === 'RestartRequired' && state === 'True') === true;
    await until('it does', async () => saysSo(await machine('restart-required')), deadline);
  });

  test('the one over quota says why it does not start', async () => {
    const key = { namespace: 'demo-quota', name: 'over-quota' };
    await until(
      'its instance says so',
      async () => {
        const { status } = await client.get(virtualMachineInstances, key);
        return (
          status?.conditions?.some(
            ({ reason, message }) => reason === 'FailedCreate' && /quota/.test(message ?? ''),
          ) === true
        );
      },
      deadline,
    );
    assert.equal((await machine('over-quota', 'demo-quota')).status?.printableStatus, 'Starting');
  });

  test('every boot source is ready, and was not imported a second time', async () => {
    await until(
      'all are ready',
      async () => {
        const { items } = await client.list(dataSources, { namespace: BOOT_SOURCES });
        return items.length === 6 && items.every(isReady);
      },
      deadline,
    );
    const claims = await client.list(persistentVolumeClaims, { namespace: BOOT_SOURCES });
    const volumes = await client.list(dataVolumes, { namespace: BOOT_SOURCES });
    const namesOf = (objects: readonly KubeObject[]): ReadonlySet<string | undefined> =>
      new Set(objects.map(({ metadata }) => metadata.name));
    assert.deepEqual(namesOf(claims.items), namesOf(volumes.items));
  });

  test('there are templates of OpenShift, and of KubeVirt that are ready', async () => {
    await until(
      'those of OpenShift are there',
      async () => (await client.list(templates, { namespace: 'openshift' })).items.length === 6,
      deadline,
    );
    await until(
      'those of KubeVirt are ready',
      async () => {
        const { items } = await client.list(virtualMachineTemplates, { namespace: 'demo' });
        return items.length === 3 && items.every(isReady);
      },
      deadline,
    );
  });

  test('a sample that was deleted stays deleted after a new start; one that was never placed comes', async () => {
    const deleted = ['stopped', 'pvc-not-found'];
    const { uid } = (await machine('running')).metadata;
    for (const name of deleted) await client.delete(virtualMachines, { namespace: 'demo', name });
    const names = async (): Promise<readonly (string | undefined)[]> =>
      (await client.list(virtualMachines, { namespace: 'demo' })).items.map(({ metadata }) => metadata.name);
    const areGone = async (): Promise<boolean> => (await names()).every((name) => !deleted.includes(name ?? ''));
    await until('they are gone', areGone, deadline);
    await simulators.stop();
    const marker = { namespace: 'kubevirt', name: 'sandbox-samples' };
    const body = { data: { 'virtualmachines.demo.pvc-not-found': null } };
    await client.patch(configMaps, marker, { type: 'merge', body });
    simulators = await start();
    await until(
      'the one that nobody remembers is back',
      async () => (await names()).includes('pvc-not-found'),
      deadline,
    );
    // It would have been created before the other one.
    assert.ok(!(await names()).includes('stopped'));
    assert.equal((await machine('running')).metadata.uid, uid);
    await until(
      'templates are there again, which only the process had',
      async () => (await client.list(templates, { namespace: 'openshift' })).items.length === 6,
      deadline,
    );
  });
}
