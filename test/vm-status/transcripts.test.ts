/** The status mapping, applied to the recordings of the real KubeVirt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingRecordings, readScenario, scenarioIds } from '../kubevirt/transcripts.ts';
import { notRun } from '../not-run.ts';
import { expectedRows } from './expected-rows.ts';
import { RecordedMachines } from './recorded-machines.ts';

const missing = missingRecordings();
const skip = missing === undefined ? false : notRun('the rows of recorded machines', missing);

test('each recorded scenario gives the expected row after each step', { skip }, () => {
  const given = Object.fromEntries(scenarioIds().map((id) => [id, rowsOf(id)]));
  assert.deepEqual(given, expectedRows);
});

test(
  'between the steps, too, a young trouble is a failure only where KubeVirt itself gave up for a while',
  { skip },
  () => {
    const failing = /^vm\/(crashloop-.*|image-pull-error|startfail-once|delete-vmi-scheduling-once)$/;
    const failed = scenarioIds().filter((id) => everyStatus(id).has('FAILED'));
    assert.deepEqual(
      failed.filter((id) => !failing.test(id)),
      [],
    );
    assert.equal(failed.length, 6);
  },
);

test('no recorded state of a machine is unknown', { skip }, () => {
  for (const id of scenarioIds()) assert.ok(!everyStatus(id).has('UNKNOWN'), id);
});

test('a machine that was asked to stop never looks as if it were starting', { skip }, () => {
  const stops = ['vm/stop-always-subresource', 'vm/stop-force', 'vm/stop-paused', 'vm/stop-guest-ignores-acpi'];
  for (const id of stops) {
    const machines = new RecordedMachines();
    for (const { events, action } of readScenario(id).steps)
      for (const event of events) {
        machines.see(event);
        if (action.includes('/stop')) assert.doesNotMatch(machines.text(), /POWERING_ON|FAILED/, id);
      }
  }
});

function rowsOf(id: string): string {
  const machines = new RecordedMachines();
  const entries: string[] = [];
  let last = '';
  for (const { step, events } of readScenario(id).steps) {
    for (const event of events) machines.see(event);
    const row = machines.text();
    if (row !== last) entries.push(`${step} ${row}`);
    last = row;
  }
  return entries.join(' | ');
}

function everyStatus(id: string): ReadonlySet<string> {
  const machines = new RecordedMachines();
  const seen = new Set<string>();
  for (const { events } of readScenario(id).steps)
    for (const event of events) {
      machines.see(event);
      for (const { status } of machines.observed(0).values()) seen.add(status);
    }
  return seen;
}
