import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { notRun } from '../not-run.ts';
import { played } from './stimuli.ts';
import { missingRecordings, readScenario, scenarioIds } from './transcripts.ts';

const missing = missingRecordings();
const skip = missing === undefined ? false : notRun('test/kubevirt/stimuli.test.ts', missing);

describe('the stimuli of the recordings', { skip }, () => {
  test('are found for every step but those that only show an Event', () => {
    const without = scenarioIds().flatMap((id) =>
      played(readScenario(id))
        .filter(({ stimuli }) => stimuli.length === 0)
        .map(({ step }) => `${id} ${step.step} ${step.action}`),
    );
    assert.deepEqual(without, [
      'vm/cloudinit-secret-missing 4 event FailedMount (secret not found)',
      'vm/virt-api-down 16 domain stopped: VMI phase Succeeded',
    ]);
  });

  test('are what the agent wrote, not what a controller wrote late', () => {
    const step = played(readScenario('vm/image-pull-error')).find((one) => one.step.step === 8);
    const [stimulus] = step?.stimuli ?? [];
    assert.ok(stimulus?.do === 'write');
    assert.match(JSON.stringify(stimulus.event.after), /"LiveMigratable"/);
    assert.doesNotMatch(JSON.stringify(stimulus.event.before), /"LiveMigratable"/);
  });

  test('come with all events of the scenario, each in one step', () => {
    for (const id of scenarioIds()) {
      const scenario = readScenario(id);
      const events = scenario.steps.flatMap((step) => step.events);
      assert.deepEqual(
        played(scenario).flatMap((step) => step.events),
        events,
        id,
      );
    }
  });

  test('of "create PVC for the DataVolume and a PV for it" are both', () => {
    const steps = played(readScenario('storage/dvtemplate-halted'));
    const step = steps.find((one) => /a PV for it/.test(one.step.action));
    assert.deepEqual(
      step?.stimuli.map((one) => one.do),
      ['call', 'provision'],
    );
  });
});
