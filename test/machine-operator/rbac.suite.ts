/**
 * The operator with only the rights of deploy/rbac, on a kube-apiserver that enforces them and keeps an audit log, with
 * KubeVirt's and CDI's own definitions if these are available; With them an apply is refused if it has
 * a field that the definition does not know.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: rbac/machine-operator.suite.ts grants each right when it is missed, on a real server
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { schema } from '../../packages/base/src/config/keys.ts';
import { loadConfig } from '../../packages/base/src/config/load.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { claims, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { machines, type Machine } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { runMachineOperator } from '../../packages/ssvirt/src/processes/machine-operator/process.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { install, kubevirtConfigDefinition } from '../fleet/definition.ts';
import { configsNamespace, installKubeVirt, putConfig } from '../fleet/harness.ts';
import { fixedSource, startMemberCluster } from '../fleet/sandboxes.ts';
import { notRun } from '../not-run.ts';
import { boundIn } from '../rbac/right.ts';
import { installManifests } from '../vm-status/manifests.ts';
import { GuardedCluster } from '../rbac/guarded-cluster.ts';
import { until } from '../runtime/until.ts';
import { definitionOf } from './definitions.ts';
import { checkSample, statusOf } from './sample-checks.ts';
import { documentsOf, filesOf, prerequisites, samples } from './samples.ts';

const patient = { deadlineMs: 90_000, everyMs: 100 };
const crds = resolve(
  process.env['SSVIRT_TEST_UPSTREAM_CRDS'] ?? join(import.meta.dirname, '../../../shared/upstream-crds'),
);

describe('the rights of the machine-operator', () => {
  let guarded: GuardedCluster;
  let client: Client;
  let simulators: Simulators;
  const here = samples.filter((sample) => sample.cluster === undefined);

  before(async () => {
    guarded = await GuardedCluster.start({
      process: 'machine-operator',
      controllers: ['persistentvolume-binder-controller'],
    });
    ({ client } = guarded);
    if (!existsSync(crds))
      notRun('test/machine-operator/rbac.suite.ts with the CRDs of KubeVirt and CDI', `needs ${crds}`);
    simulators = await startSimulators({
      source: fixedSource(guarded.cluster),
      name: 'real',
      parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
      dials: { speed: 20 },
      log: createLogger({ level: 'error', format: 'text' }),
      ...(existsSync(crds) ? { crds } : {}),
    });
    await install(client, kubevirtConfigDefinition(), definitionOf('machines'), definitionOf('networkconfigurations'));
    await create(prerequisites);
    // An administrator has bound the namespace of the Machines.
    await installManifests(client, boundIn('ssvirt-machine-operator', 'default'));
    await guarded.run((operator, signal) => {
      writeFileSync(guarded.file('config.yaml'), JSON.stringify({ operator, images: { allowedHosts: ['*'] } }), {
        mode: 0o600,
      });
      const { config } = loadConfig(schema, { process: 'machine-operator', file: guarded.file('config.yaml') });
      return runMachineOperator(config, pino({ level: process.env['SSVIRT_TEST_LOG'] ?? 'silent' }), signal);
    });
  });
  after(async () => {
    await guarded?.endProcess();
    await simulators?.stop();
    await guarded?.stop();
  });

  /** With the server's strictest validation. */
  const create = async (objects: readonly Unstructured[]): Promise<void> => {
    for (const object of objects) {
      const type = await client.typeOf(object.apiVersion ?? '', object.kind ?? '');
      await client.apply(type, object, { force: true, fieldValidation: 'Strict' });
    }
  };

  const machine = (name: string): Promise<Machine> => client.get(machines, { namespace: 'default', name });
  const ready = (name: string): Promise<void> =>
    until(
      `${name} is ready`,
      async () => {
        const found = await machine(name);
        if (findCondition(found.status?.conditions, 'Ready')?.status === 'True') return true;
        throw new Error(statusOf(found));
      },
      patient,
    );

  test('they are enough for every example: it runs with the processors, memory, disks, interfaces and user data that it asks for', async () => {
    const files = filesOf((sample) => here.includes(sample));
    for (const one of files) await create(documentsOf(one));
    for (const sample of here) {
      await ready(sample.machine);
      await checkSample(client, sample);
    }
    assert.equal((await machine('basic-vm')).status?.kubevirtConfigRef, 'local');
  });

  test('machines are changed, their disks grow, and foreign changes are reverted', async () => {
    const key = { namespace: 'default', name: 'basic-vm' };
    const disks = [{ name: 'root', size: '50Gi' }];
    await client.patch(machines, key, { type: 'merge', body: { spec: { resources: { cpu: { cores: 3 } }, disks } } });
    const vm = { namespace: 'default', name: 'vm-basic-vm' };
    await until('the disk grows', async () => (await size('basic-vm-root')) === '50Gi', patient);
    await until('the processors change', async () => (await cores()) === 3, patient);
    const body = { spec: { template: { spec: { domain: { cpu: { cores: 7 } } } } } };
    await client.patch(virtualMachines, vm, { type: 'merge', body });
    await until('the processors come back', async () => (await cores()) === 3, patient);
  });

  const cores = async (): Promise<unknown> => {
    const vm = await client.get(virtualMachines, { namespace: 'default', name: 'vm-basic-vm' });
    return (vm['spec'] as { template: { spec: { domain: { cpu: { cores: number } } } } }).template.spec.domain.cpu
      .cores;
  };
  const size = async (name: string): Promise<unknown> => {
    const claim = await client.get(claims, { namespace: 'default', name });
    return (claim['spec'] as { resources: { requests: { storage: string } } }).resources.requests.storage;
  };

  test('they are enough for clusters elsewhere, and metrics are guarded', async (t) => {
    const member = await startMemberCluster('elsewhere');
    t.after(() => member.stop());
    await installKubeVirt(member);
    await putConfig({ ...member, client }, 'elsewhere', member);
    const path = `/apis/vitistack.io/v1alpha1/namespaces/${configsNamespace}/kubevirtconfigs/elsewhere`;
    await until(
      'its status is written',
      async () => {
        const { body } = await client.request({ method: 'GET', path });
        return (body as { status?: { phase?: string } }).status?.phase === 'Ready';
      },
      patient,
    );
    assert.equal(await guarded.scrapedByNobody(), 401);
    await client.request({ method: 'DELETE', path });
  });

  test('they are enough to take everything away again', async () => {
    for (const { machine: name } of here) await client.delete(machines, { namespace: 'default', name });
    await until(
      'all Machines are gone',
      async () => {
        const { items } = await client.list(machines, { namespace: 'default' });
        if (items.length === 0) return true;
        throw new Error(items.map(statusOf).join('\n'));
      },
      patient,
    );
    assert.deepEqual((await client.list(virtualMachines, { namespace: 'default' })).items, []);
    const left = (await client.list(claims, { namespace: 'default' })).items.map(({ metadata }) => metadata.name);
    assert.deepEqual(left, ['golden-data']);
  });

  test('nothing that it asked for was refused', () => {
    assert.deepEqual(guarded.refused, []);
  });

  const refusals: readonly (readonly [method: 'POST' | 'DELETE' | 'PATCH', path: string])[] = [
    ['POST', '/apis/vitistack.io/v1alpha1/namespaces/default/machines'],
    ['DELETE', '/apis/vitistack.io/v1alpha1/namespaces/default/machines/basic-vm'],
    ['DELETE', '/api/v1/namespaces/default'],
    ['PATCH', '/api/v1/namespaces/default'],
    ['POST', '/api/v1/namespaces/default/pods'],
    ['POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'],
    ['DELETE', '/apis/vitistack.io/v1alpha1/namespaces/default/networkconfigurations/prod-network'],
    ['POST', `/api/v1/namespaces/${configsNamespace}/serviceaccounts/default/token`],
  ];
  for (const [method, path] of refusals)
    test(`${method} ${path} is refused to it`, async () => {
      assert.equal(await guarded.codeOf(method, path), 403);
    });
});
