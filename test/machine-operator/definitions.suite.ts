/** The same tests on a real kube-apiserver, which limits the cost of CEL rules, and with kubectl. */
// needs: etcd, kube-apiserver, kube-controller-manager, kubectl
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { throwAwayFolder, type Cluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { install } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { printOutcome, startKubectl, words } from '../kubectl/command.ts';
import { kubectls, versionOf } from '../kubectl/kubectls.ts';
import { describeDefinitions } from './definition-tests.ts';
import { definitionOf, deploy, plurals, samples } from './definitions.ts';

describe('Machine and NetworkConfiguration on a real kube-apiserver', () => {
  let cluster: Cluster;
  let client: Client;
  let folder: ThrowAwayFolder;
  before(async () => {
    folder = await throwAwayFolder('ssvirt-definitions-');
    cluster = await startRealCluster();
    client = createClient({ cluster: 'real', source: fixedSource(cluster), userAgent: 'definitions-test' });
    await install(client, ...plurals.map(definitionOf));
  });
  after(async () => {
    await client?.close();
    await cluster?.stop();
    await folder?.remove();
  });

  describeDefinitions(() => client);

  for (const kubectl of kubectls())
    describe(`with kubectl ${versionOf(kubectl)}`, () => {
      async function run(line: string): Promise<string> {
        const target = { kubectl, kubeconfig: cluster.adminKubeconfig, folder: folder.path };
        const outcome = await startKubectl({ args: words(line) }, target).done;
        assert.equal(outcome.code, 0, `kubectl ${line}\n${printOutcome(outcome)}`);
        return outcome.out;
      }

      test('the definitions are small enough for apply, and applying them again changes nothing', async () => {
        const first = await run(`apply -f ${join(deploy, 'crds')}`);
        assert.equal(first.trim().split('\n').length, readdirSync(join(deploy, 'crds')).length);
        const again = await run(`apply -f ${join(deploy, 'crds')}`);
        for (const plural of plurals) assert.match(again, new RegExp(`/${plural}\\.vitistack\\.io unchanged`));
      });
      test('every sample applies with strict validation', async () => {
        const count = samples().reduce((sum, { objects }) => sum + objects.length, 0);
        const said = await run(`apply --validate=strict -f ${join(deploy, 'samples')}`);
        assert.equal(said.trim().split('\n').length, count);
        const again = await run(
          `apply --server-side --force-conflicts --validate=strict -f ${join(deploy, 'samples')}`,
        );
        assert.equal(again.trim().split('\n').length, count);
      });
      test('a Machine is explained to its depth', async () => {
        const explained = await run('explain machines.vitistack.io --recursive');
        const fields = [...explained.matchAll(/^ +(\w+)\t/gm)].map(([, name]) => name);
        const wanted =
          'template instanceType kubevirtConfigRef running resources cpu cores threads sockets memory size disks storageClass accessMode volumeMode source containerDisk image http url pvc dataSource networks networkName model macAddress bootOrder cloudInit userData networkData secretRef key domain machine type features acpi apic hyperv firmware bootloader efi secureBoot phase conditions vmName vmiName ipAddresses addresses nodeName lastUpdated observedGeneration';
        assert.deepEqual(
          wanted.split(' ').filter((name) => !fields.includes(name)),
          [],
        );
        assert.match(explained, /phase\t<string>\n +enum: Pending, Creating, Running, Stopped, /);
      });
      test('one field is explained in words', async () => {
        assert.match(await run('explain machines.vitistack.io.spec.running'), /Whether the machine is to run\./);
        assert.match(await run('explain networkconfigurations.vitistack.io.spec.vlan'), /0 is untagged/);
      });
      test('the short names are served', async () => {
        const listed = await run('api-resources --api-group vitistack.io');
        for (const name of ['vmach', 'vnetcfg', 'kvc']) assert.match(listed, new RegExp(`\\b${name}\\b`));
        await run('get vmach,vnetcfg,kvc -A');
      });
    });
});
