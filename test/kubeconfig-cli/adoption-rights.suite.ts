/**
 * `ssvirt machine adopt --dry-run` in namespaces whose Secrets are closed: it predicts what the operator, which runs
 * afterwards, reports.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { machines } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { namespaces, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { roleBindings } from '../../packages/ssvirt/src/fleet/identity/account.ts';
import { wantedRoleBinding } from '../../packages/ssvirt/src/kubevirt/machine/role-binding.ts';
import { findCondition, type Condition } from '../../packages/kube/src/reconcile/conditions.ts';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../cluster/cluster.ts';
import type { MemberCluster } from '../fleet/sandboxes.ts';
import { OperatorHarness, patient } from '../machine-operator/harness.ts';
import { until } from '../runtime/until.ts';
import { CommandLine, type Outcome } from './command.ts';

const namespace = 'closed';
const adopting = { 'vitistack.io/adopt': 'true' };

for (const cluster of ['local', 'east'])
  describe(`an adoption in cluster "${cluster}" without rights on Secrets`, { timeout: 300_000 }, () => {
    let harness: OperatorHarness;
    let folder: ThrowAwayFolder;
    let cli: CommandLine;
    let there: MemberCluster;

    before(async () => {
      [harness, folder] = await Promise.all([
        OperatorHarness.start(cluster === 'local' ? {} : { clusters: [cluster] }),
        throwAwayFolder('adoption-rights-'),
      ]);
      there = cluster === 'local' ? harness.supervisor : harness.member(cluster);
      cli = new CommandLine({ KUBECONFIG: await writeKubeconfig(join(folder.path, 'kubeconfig'), harness.supervisor) });
      const allowed = { name: namespace, labels: { 'vitistack.io/allow-machines': 'true' } };
      for (const { client } of new Set([there, harness.supervisor]))
        await client.create(namespaces, { metadata: allowed });
      there.faults.add({ kind: '403', path: `/api/v1/namespaces/${namespace}/secrets` });
      const words = { name: 'words', cloudInitNoCloud: { secretRef: { name: 'words' } } };
      for (const [name, ...volumes] of [['plain'], ['worded', words]] as const) {
        const template = { spec: { domain: { memory: { guest: '1Gi' }, devices: {} }, volumes } };
        await there.client.create(virtualMachines, {
          metadata: { namespace, name: `vm-${name}` },
          spec: { runStrategy: 'Halted', template },
        } as object as never);
        const where = cluster === 'local' ? {} : { kubevirtConfigRef: cluster };
        const spec = { template: 'small', running: false, ...where };
        await harness.supervisor.client.create(machines, { metadata: { namespace, name }, spec });
      }
    });
    after(async () => {
      cli?.stop();
      await harness?.stop();
      await folder?.remove();
    });

    const dryRun = (name: string, ...more: readonly string[]): Promise<Outcome> =>
      cli.run('machine', 'adopt', name, '-n', namespace, '--dry-run', ...more);
    const becomes = async (name: string, isThere: (ready: Condition) => boolean): Promise<string> => {
      let message = '';
      await until(
        `${name} is adopted or refused`,
        async () => {
          const { status } = await harness.supervisor.client.get(machines, { namespace, name });
          const ready = findCondition(status?.conditions, 'Ready');
          message = ready?.message ?? '';
          if (ready !== undefined && isThere(ready)) return true;
          throw new Error(JSON.stringify(status));
        },
        patient,
      );
      return message;
    };

    test('is predicted as the operator decides it', async () => {
      const before = await dryRun('worded');
      if (cluster === 'local') assert.match(before.out, /^SecretsForbidden: /);
      else {
        assert.equal(before.code, 0, before.out);
        assert.match(before.out, /The operator first creates RoleBinding "closed\/ssvirt-machine-operator-secrets"/);
        assert.match(before.out, /checks who owns Secret "closed\/words", and refuses the adoption if/);
      }
      const plain = await dryRun('plain');
      assert.equal(plain.code, 0, plain.out);
      assert.match(
        plain.out,
        /can be adopted\.\n[\s\S]*uses no Secret: it is adopted also without rights on Secrets\./,
      );
      assert.match(plain.out, /Not read\n {2}secrets +you have no permission/);
      await harness.operate();
      for (const name of ['plain', 'worded'])
        await harness.supervisor.client.patch(
          machines,
          { namespace, name },
          { type: 'merge', body: { metadata: { annotations: adopting } } },
        );
      await becomes('plain', ({ status }) => status === 'True');
      const message = await becomes('worded', ({ reason }) => reason === 'SecretsForbidden');
      const refused = await dryRun('worded', '-o', 'json');
      assert.equal(refused.code, 1, refused.out);
      const facts = JSON.parse(refused.out) as Readonly<Record<string, unknown>>;
      assert.deepEqual(facts, { verdict: 'refused', cluster, reason: 'SecretsForbidden', message });
    });

    // In a member both have the same rights.
    if (cluster !== 'local') return;
    test('is not refused if only the user, and not the operator, has no rights', async () => {
      const subject = { kind: 'ServiceAccount', namespace: 'ssvirt-system', name: 'ssvirt-machine-operator' };
      await there.client.create(roleBindings, wantedRoleBinding({ namespace }, subject));
      const allowed = await dryRun('worded');
      assert.equal(allowed.code, 0, allowed.out);
      assert.match(allowed.out, /The operator checks who owns Secret "closed\/words", and refuses the adoption if/);
    });
  });
