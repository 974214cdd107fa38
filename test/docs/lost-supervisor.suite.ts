/**
 * The commands of "Export the Machines" and "Replace a lost supervisor", typed as printed: two supervisors, one after
 * the other, over one cluster.
 */
// needs: kubectl, jq
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  claims,
  dataVolumes,
  instances,
  networkAttachments,
  secrets,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import { networkConfigurations } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { fields, list, type Fields } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import { finalizer, type MachineSpec } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { putConfig } from '../fleet/harness.ts';
import { OperatorHarness, team } from '../machine-operator/harness.ts';
import { ownEnvironment, writeContexts } from './contexts.ts';
import { typedBySuites, typeSection } from './typed.ts';

const {
  page,
  sections: [exporting, replacing],
} = typedBySuites['lost-supervisor.suite.ts'];

const specs: Readonly<Record<string, MachineSpec>> = {
  plain: { template: 'small', kubevirtConfigRef: 'east' },
  full: {
    template: 'medium',
    kubevirtConfigRef: 'east',
    disks: [
      { name: 'data', size: '1Gi' },
      { name: 'image', size: '2Gi', source: { containerDisk: { image: 'registry.example/fedora:42' } } },
    ],
    cloudInit: { userData: `#cloud-config\n# ${'x'.repeat(3000)}\n` },
  },
  stopped: { template: 'small', kubevirtConfigRef: 'east', running: false },
  networked: {
    template: 'small',
    kubevirtConfigRef: 'east',
    running: false,
    networks: [{ name: 'eth0', networkName: 'prod' }],
  },
};

describe('a supervisor that is lost and rebuilt from manifests', { timeout: 600_000 }, () => {
  let old: OperatorHarness;
  let rebuilt: OperatorHarness;
  let folder: ThrowAwayFolder;
  const state = async (): Promise<readonly string[]> => {
    const { client } = old.member('east');
    const all = await Promise.all(
      [virtualMachines, instances, claims, dataVolumes, secrets, networkAttachments].map(async (type) => {
        const { items } = await client.list(type, { namespace: team });
        return items.map(({ metadata, ...rest }) => {
          const { template } = fields(fields(rest)['spec']);
          return `${type.kind} ${metadata.name} ${metadata.uid} ${type === virtualMachines ? JSON.stringify(fields(template)['spec']) : ''}`;
        });
      }),
    );
    return all.flat().toSorted();
  };

  const machinesIn = async (file: string): Promise<readonly Fields[]> => {
    const { items } = fields(JSON.parse(await readFile(join(folder.path, file), 'utf8')));
    const found = list(items).map(fields);
    assert.equal(found.length, Object.keys(specs).length);
    return found;
  };

  before(async () => {
    [old, rebuilt, folder] = await Promise.all([
      OperatorHarness.start({ clusters: ['east'] }),
      OperatorHarness.start(),
      throwAwayFolder('lost-supervisor-'),
    ]);
  });
  after(async () => {
    await rebuilt?.stop();
    await old?.stop();
    await folder?.remove();
  });

  test('every virtual machine keeps its uid, disks and addresses', async () => {
    for (const { supervisor } of [old, rebuilt])
      await supervisor.client.create(networkConfigurations, { metadata: { namespace: team, name: 'prod' }, spec: {} });
    const lost = await old.operate();
    for (const [name, spec] of Object.entries(specs)) await old.declare(name, spec);
    for (const name of Object.keys(specs)) await old.condition(name, 'Ready', 'True');
    const before = await state();
    const named = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: team, name: 'owner' } };
    const path = `/api/v1/namespaces/${team}/configmaps`;
    const { body } = await old.supervisor.client.request({ method: 'POST', path, body: named });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: fields(fields(body)['metadata'])['uid'] };
    for (const name of Object.keys(specs)) await old.change(name, { metadata: { ownerReferences: [owner] } });
    await lost.stop();
    const env = async (clusters: Parameters<typeof writeContexts>[1]): Promise<NodeJS.ProcessEnv> => {
      const KUBECONFIG = await writeContexts(join(folder.path, 'clusters.kubeconfig'), clusters);
      return ownEnvironment(folder.path, { KUBECONFIG });
    };
    const cwd = folder.path;
    await typeSection(page, exporting, { cwd, env: await env({ supervisor: old.supervisor }) });
    for (const { metadata, status } of await machinesIn('exported.json')) {
      const { finalizers, ownerReferences, uid, resourceVersion } = fields(metadata);
      assert.deepEqual([finalizers, ownerReferences], [[finalizer], [owner]]);
      for (const one of [uid, resourceVersion, status]) assert.notEqual(one, undefined, 'the export has no state');
    }
    await putConfig(rebuilt.supervisor, 'east', old.member('east'));
    await rebuilt.operate();
    const clusters = { supervisor: rebuilt.supervisor, east: old.member('east') };
    await typeSection(page, replacing, { cwd, env: await env(clusters) });
    for (const { metadata, status } of await machinesIn('machines.yaml')) {
      const { finalizers, ownerReferences, uid, resourceVersion } = fields(metadata);
      const left = [finalizers, ownerReferences, uid, resourceVersion, status];
      assert.deepEqual(
        left,
        left.map(() => undefined),
        'state of the old supervisor is left',
      );
    }
    for (const name of Object.keys(specs)) await rebuilt.condition(name, 'Ready', 'True');
    assert.deepEqual(await state(), before);
  });
});
