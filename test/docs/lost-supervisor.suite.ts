/**
 * The commands of "Replace a lost supervisor", typed as printed: two supervisors, one after the other, over one
 * cluster.
 */
// needs: kubectl
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
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
import { fields } from '../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import type { MachineSpec } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { putConfig } from '../fleet/harness.ts';
import { OperatorHarness, team } from '../machine-operator/harness.ts';
import { ownEnvironment, writeContexts } from './contexts.ts';
import { typedBySuites, typeSection } from './typed.ts';

const { page, sections } = typedBySuites['lost-supervisor.suite.ts'];

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
    await lost.stop();
    await putConfig(rebuilt.supervisor, 'east', old.member('east'));
    await rebuilt.operate();
    const manifests = Object.entries(specs).map(([name, spec]) => ({
      apiVersion: 'vitistack.io/v1alpha1',
      kind: 'Machine',
      metadata: { namespace: team, name },
      spec,
    }));
    await writeFile(
      join(folder.path, 'machines.yaml'),
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }),
    );
    const clusters = { supervisor: rebuilt.supervisor, east: old.member('east') };
    const KUBECONFIG = await writeContexts(join(folder.path, 'clusters.kubeconfig'), clusters);
    const env = ownEnvironment(folder.path, { KUBECONFIG });
    for (const section of sections) await typeSection(page, section, { cwd: folder.path, env });
    for (const name of Object.keys(specs)) await rebuilt.condition(name, 'Ready', 'True');
    assert.deepEqual(await state(), before);
  });
});
