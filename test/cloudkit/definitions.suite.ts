/** The same tests on a real kube-apiserver, which limits the cost of CEL rules, and with kubectl. */
// needs: etcd, kube-apiserver, kube-controller-manager, kubectl
import assert from 'node:assert/strict';
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
import { definitionOf, plurals, samples, samplesFolder } from './definitions.ts';

describe('orders on a real kube-apiserver', () => {
  let cluster: Cluster;
  let client: Client;
  let folder: ThrowAwayFolder;
  before(async () => {
    folder = await throwAwayFolder('ssvirt-order-definitions-');
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

      test('every sample applies with strict validation, and applying it again changes nothing', async () => {
        const count = samples().reduce((sum, { objects }) => sum + objects.length, 0);
        const apply = async (): Promise<readonly string[]> =>
          (await run(`apply --validate=strict -f ${samplesFolder}`)).trim().split('\n');
        assert.equal((await apply()).length, count);
        assert.deepEqual(
          (await apply()).filter((line) => !line.endsWith(' unchanged')),
          [],
        );
      });
      test('an order is explained to its depth, and one field in words', async () => {
        const explained = await run('explain virtualmachines.cloudkit.openshift.io --recursive');
        const fields = [...explained.matchAll(/^ +(\w+)\t/gm)].map(([, name]) => name);
        const wanted =
          'templateID templateParameters tenantNamespace desiredConfigVersion provisionedBy webhook attempts';
        assert.deepEqual(
          wanted.split(' ').filter((name) => !fields.includes(name)),
          [],
        );
        assert.match(explained, /phase\t<string>\n +enum: Progressing, Failed, Ready, Deleting/);
        const field = await run('explain virtualmachines.cloudkit.openshift.io.spec.tenantNamespace');
        assert.match(field, /Defaults\s+to\s+the\s+namespace\s+of\s+the\s+order/);
        const objects = await run('explain ordertemplates.cloudkit.openshift.io.spec.objects');
        assert.match(objects, /\$\{ORDER_NAME\} by the\s+name of\s+the\s+order/);
      });
      test('the short name and the category are served, and "vm" is left to KubeVirt', async () => {
        const listed = await run('api-resources --api-group cloudkit.openshift.io');
        assert.match(listed, /^virtualmachines +vmorder +/m);
        assert.match(await run('get vmorder -n orders'), /^web +osac\.templates\.ocp_virt_vm /m);
        assert.match(await run('get cloudkit -A'), /virtualmachine\.cloudkit\.openshift\.io\/web/);
      });
    });
});
