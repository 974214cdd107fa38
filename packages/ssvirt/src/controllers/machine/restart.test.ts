/** An operator that restarts does nothing to Machines that are as they should be. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { look, OperatorGround, patient, team } from '../../../../../test/machine-operator/ground.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { machines, virtualMachines } from './kinds.ts';

describe('an operator that starts anew', () => {
  let ground: OperatorGround;

  before(async () => {
    ground = await OperatorGround.start({ clusters: ['east', 'west'] });
  });

  after(async () => {
    await ground.stop();
  });

  test('says nothing of clusters that it has not asked yet, and gives up nothing there', async () => {
    const first = await ground.operate();
    const on = { template: 'small', running: false, kubevirtConfigRef: 'east' };
    await ground.declare('kept', on);
    await ground.declare('doomed', on);
    await ground.condition('doomed', 'Ready', 'True');
    const { metadata } = await ground.reaches(
      'kept',
      'is ready',
      ({ status }) =>
        status?.observedGeneration === 1 && status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
    );
    await first.stop();
    await ground.change('doomed', { metadata: { annotations: { 'vitistack.io/force-delete': 'true' } } });
    await ground.supervisor.client.delete(machines, { namespace: team, name: 'doomed' });
    ground.lines.length = 0;
    await ground.operate();
    await ground.gone('doomed');
    await until(
      'its virtual machine is gone',
      async () =>
        (await look(ground.member('east').client, virtualMachines, { namespace: team, name: 'vm-doomed' })) ===
        undefined,
      patient,
    );
    assert.equal((await ground.machine('kept')).metadata.resourceVersion, metadata.resourceVersion);
    assert.ok(!ground.lines.some(({ msg }) => msg === 'deleting Machine by force'));
  });
});
