/** An operator that restarts does nothing to Machines that are as they should be. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { look, OperatorHarness, patient, team } from '../../../../../test/machine-operator/harness.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { machines } from './machine-types.ts';
import { virtualMachines } from '../../fleet/kinds.ts';

describe('an operator that restarts', () => {
  let harness: OperatorHarness;

  before(async () => {
    harness = await OperatorHarness.start({ clusters: ['east', 'west'] });
  });

  after(async () => {
    await harness.stop();
  });

  test('says nothing of clusters that it has not asked yet, and gives up nothing there', async () => {
    const first = await harness.operate();
    const on = { template: 'small', running: false, kubevirtConfigRef: 'east' };
    await harness.declare('kept', on);
    await harness.declare('doomed', on);
    await harness.condition('doomed', 'Ready', 'True');
    const { metadata } = await harness.reaches(
      'kept',
      'is ready',
      ({ status }) =>
        status?.observedGeneration === 1 && status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
    );
    await first.stop();
    await harness.change('doomed', { metadata: { annotations: { 'vitistack.io/force-delete': 'true' } } });
    await harness.supervisor.client.delete(machines, { namespace: team, name: 'doomed' });
    harness.lines.length = 0;
    await harness.operate();
    await harness.gone('doomed');
    await until(
      'its virtual machine is gone',
      async () =>
        (await look(harness.member('east').client, virtualMachines, { namespace: team, name: 'vm-doomed' })) ===
        undefined,
      patient,
    );
    assert.equal((await harness.machine('kept')).metadata.resourceVersion, metadata.resourceVersion);
    assert.ok(!harness.lines.some(({ msg }) => msg === 'deleting Machine by force'));
  });
});
