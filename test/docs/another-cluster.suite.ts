/**
 * The procedures of docs/provider/clusters.md for a cluster that was replaced by another one, and for one that is gone,
 * typed as printed.
 */
// needs: kubectl
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { condition } from '../fleet/harness.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { look, OperatorHarness, patient, team } from '../machine-operator/harness.ts';
import { until } from '../runtime/until.ts';
import { ownEnvironment, writeContexts } from './contexts.ts';
import { typedBySuites, typeSection } from './typed.ts';

const { page, sections } = typedBySuites['another-cluster.suite.ts'];
const [another, gone] = sections;

describe('a rebuilt cluster, by the commands of the page', { timeout: 600_000 }, () => {
  let harness: OperatorHarness;
  let folder: ThrowAwayFolder;
  let anew: Simulators | undefined;
  const type = async (section: string): Promise<string> => {
    const clusters = { supervisor: harness.supervisor, east: harness.member('east') };
    const KUBECONFIG = await writeContexts(join(folder.path, 'kubeconfig'), clusters);
    const env = ownEnvironment(folder.path, { KUBECONFIG });
    return typeSection(page, section, { cwd: folder.path, env });
  };

  before(async () => {
    [harness, folder] = await Promise.all([
      OperatorHarness.start({ clusters: ['east'] }),
      throwAwayFolder('another-cluster-'),
    ]);
    await harness.operate();
  });
  after(async () => {
    await anew?.stop({ leaveRegistered: true });
    await harness?.stop();
    await folder?.remove();
  });

  test('gets no writes until its new identity is accepted', async () => {
    await harness.declare('web', { template: 'small', kubevirtConfigRef: 'east', running: false });
    await harness.condition('web', 'Ready', 'True');
    const east = harness.member('east');
    await east.simulators.stop({ leaveRegistered: true });
    await east.swap();
    anew = await startSimulators({
      source: fixedSource(east),
      name: 'east',
      parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
      dials: { speed: 100 },
      log: pino({ level: 'silent' }),
    });
    await condition(harness.supervisor, 'east', 'IdentityChanged', 'True', 'AnotherCluster');
    const key = { namespace: team, name: 'vm-web' };
    assert.equal(await look(east.client, virtualMachines, key), undefined, 'nothing is written there');
    await type(another);
    await condition(harness.supervisor, 'east', 'IdentityChanged', 'False', 'SameCluster');
    await until('it is made there', async () => (await look(east.client, virtualMachines, key)) !== undefined, patient);
  });

  test('gives its Machines up when it is gone for good', async () => {
    await anew?.stop({ leaveRegistered: true });
    harness.member('east').faults.add({ kind: 'reset' });
    await type(gone);
    await harness.gone('web');
  });
});
