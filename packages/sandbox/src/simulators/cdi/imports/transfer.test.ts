import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as name from '../names.ts';
import { nextStep, type TransferFacts, type TransferStep } from './transfer.ts';

const times = { start: 100, failing: 50, transfer: 1000, tick: 200, pause: (tries: number) => 10_000 * 2 ** tries };

/** Simulates a PVC with its own clock, which advances as far as each step asks. */
function play(
  more: Partial<TransferFacts> & { readonly failsUntil?: number } = {},
  steps = 100,
): readonly { readonly at: number; readonly annotations: Readonly<Record<string, string>> }[] {
  const began = new Map<string, number>();
  const { failsUntil = 0, ...facts } = more;
  const marked = [];
  let annotations: Readonly<Record<string, string>> = { [name.POD_RESTARTS]: '0' };
  let at = 0;
  for (let i = 0; i < steps; i += 1) {
    const left = (stage: string, total: number): number => {
      if (!began.has(stage)) began.set(stage, at);
      return Math.max(0, total - (at - (began.get(stage) ?? 0)));
    };
    const failure = at < failsUntil ? 'it broke' : undefined;
    const step: TransferStep = nextStep({ annotations, what: 'Import', bound: true, failure, times, left, ...facts });
    if (step.do === 'finish') break;
    if (step.do === 'mark') {
      annotations = { ...annotations, ...step.annotations };
      marked.push({ at, annotations });
    } else if (step.afterMs === undefined) break;
    else at += step.afterMs;
  }
  return marked;
}

const told = (marked: ReturnType<typeof play>): unknown =>
  marked.map(({ at, annotations: said }) => [
    at,
    said[name.POD_PHASE],
    said[name.RUNNING],
    said[name.RUNNING_REASON],
    said[name.PROGRESS],
    said[name.POD_RESTARTS],
  ]);

test('a pod is scheduled, runs, says now and then how far it is, and succeeds', () => {
  assert.deepEqual(told(play()), [
    [0, 'Pending', 'false', 'ContainerCreating', undefined, '0'],
    [100, 'Running', 'true', 'Pod is running', 'N/A', '0'],
    [300, 'Running', 'true', 'Pod is running', '20.00%', '0'],
    [500, 'Running', 'true', 'Pod is running', '40.00%', '0'],
    [700, 'Running', 'true', 'Pod is running', '60.00%', '0'],
    [900, 'Running', 'true', 'Pod is running', '80.00%', '0'],
    [1100, 'Succeeded', 'false', 'Completed', '100.0%', '0'],
  ]);
});

test('one that is quick says nothing on the way', () => {
  const quick = { ...times, tick: 5000 };
  assert.deepEqual(
    play({ times: quick }).map(({ annotations }) => annotations[name.PROGRESS]),
    [undefined, 'N/A', '100.0%'],
  );
});

test('one that fails is tried again after pauses that double', () => {
  assert.deepEqual(told(play({ failsUntil: 25_000, times: { ...times, tick: 5000 } })), [
    [0, 'Pending', 'false', 'ContainerCreating', undefined, '0'],
    [100, 'Running', 'true', 'Pod is running', 'N/A', '0'],
    [150, 'Running', 'false', 'Error', 'N/A', '0'],
    [10_150, 'Running', 'true', 'Pod is running', 'N/A', '1'],
    [10_200, 'Running', 'false', 'Error', 'N/A', '1'],
    [30_200, 'Running', 'true', 'Pod is running', 'N/A', '2'],
    [31_200, 'Succeeded', 'false', 'Completed', '100.0%', '2'],
  ]);
});

test('one that failed goes on at once when nothing is wrong any more', () => {
  const annotations = { [name.POD_PHASE]: 'Running', [name.RUNNING]: 'false', [name.POD_RESTARTS]: '4' };
  const left = (): number => 1000;
  const step = nextStep({ annotations, what: 'Import', bound: true, failure: undefined, times, left });
  assert.equal(step.do, 'mark');
  assert.partialDeepStrictEqual(step, { annotations: { [name.RUNNING]: 'true', [name.POD_RESTARTS]: '5' } });
});

test('without a volume it waits', () => {
  assert.equal(play({ bound: false }).at(-1)?.annotations[name.POD_PHASE], 'Pending');
});

test('an upload waits for whoever uploads', () => {
  const waiting = play({ what: 'Upload', times: { ...times, transfer: Number.POSITIVE_INFINITY } });
  assert.equal(waiting.at(-1)?.annotations[name.POD_PHASE], 'Running');
  const done = play({ what: 'Upload', times: { ...times, transfer: 0 } });
  assert.equal(done.at(-1)?.annotations[name.RUNNING_MESSAGE], 'Upload Complete');
});

test('a clone says how it is made, and of what is copied in the end', () => {
  const phases = play({ what: 'Clone', clonePhase: 'HostClone', times: { ...times, tick: 5000 } });
  assert.deepEqual(
    phases.map(({ annotations }) => annotations[name.CLONE_PHASE]),
    ['Pending', 'HostClone', 'Succeeded'],
  );
  assert.equal(phases.at(-1)?.annotations[name.CLONE_OF], 'true');
});
