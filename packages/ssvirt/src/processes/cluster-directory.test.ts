/** The clusters as the API shows them, from a real fleet. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  installKubeVirt,
  putConfig,
  startFleetHarness,
  testTimes,
  type FleetHarness,
} from '../../../../test/fleet/harness.ts';
import { startMemberCluster, type MemberCluster } from '../../../../test/fleet/sandboxes.ts';
import { until } from '../../../../test/runtime/until.ts';
import { FleetDirectory } from './cluster-directory.ts';

suite('the directory of clusters', () => {
  let harness: FleetHarness;
  let east: MemberCluster;
  let directory: FleetDirectory;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  before(async () => {
    [harness, east] = await Promise.all([startFleetHarness(), startMemberCluster('east')]);
    const { fleet } = harness.fleet({ times: testTimes });
    directory = new FleetDirectory(fleet, harness.log, { intervalMs: 100, retryMs: 20 });
  });
  after(async () => {
    stopping.abort();
    await running;
    await harness.stop();
    await east.stop();
  });

  const messages = (): Readonly<Record<string, string>> =>
    Object.fromEntries(directory.list().map(({ name, message }) => [name, message]));
  const becomes = (what: string, wanted: Readonly<Record<string, string>>): Promise<void> =>
    until(what, () => {
      assert.deepEqual(messages(), wanted);
      return true;
    });

  test('knows the own cluster before it has answered', () => {
    assert.deepEqual(directory.list(), [{ name: 'local', available: false, message: 'it has not answered yet' }]);
    assert.equal(directory.get('nowhere'), undefined);
  });

  test('says that the own cluster serves no KubeVirt, while it is all that there is', async () => {
    running = directory.run({ signal: stopping.signal });
    await becomes('it is asked', { local: 'it has no KubeVirt' });
  });

  test('leaves it out when a KubevirtConfig names another one', async () => {
    await putConfig(harness.supervisor, 'east', east);
    await becomes('east is reached', { east: '' });
    assert.deepEqual(directory.get('east'), { name: 'east', available: true, message: '' });
  });

  test('says of a cluster that it does not answer, and no more, and that it does again', async () => {
    const fault = east.faults.add({ kind: 'reset' });
    await becomes('east is missed', { east: 'it does not answer' });
    east.faults.remove(fault.id);
    await becomes('east is back', { east: '' });
  });

  test('shows the own cluster when it serves KubeVirt, and misses it when it does not answer', async () => {
    await installKubeVirt(harness.supervisor);
    await becomes('it is a member', { east: '', local: '' });
    const fault = harness.supervisor.faults.add({ kind: 'reset' });
    await until('it is missed', () => messages()['local'] === 'it does not answer');
    harness.supervisor.faults.remove(fault.id);
    await until('it is back', () => messages()['local'] === '');
  });
});
