import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../runtime/until.ts';
import { CiRun } from './run.ts';
import { killOpenSteps, reasonsIn, runStep, type StepResult } from './step.ts';

function runShell(script: string, limitSeconds = 120): Promise<StepResult & { readonly printed: readonly string[] }> {
  const printed: string[] = [];
  return runStep({ name: 'a step', command: ['/bin/sh', '-c', script], limitSeconds }, (line) =>
    printed.push(line),
  ).then((result) => ({ ...result, printed }));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

suite('a step of CI', { concurrency: true }, () => {
  test('passes on its output and knows the last line of standard output', async () => {
    const { passed, code, lastLine, reasons, printed } = await runShell('echo one; echo two; printf three >&2');
    assert.deepEqual({ passed, code, lastLine, reasons }, { passed: true, code: 0, lastLine: 'two', reasons: [] });
    assert.deepEqual(printed.toSorted(), ['one', 'three', 'two']);
  });

  test('that fails gives its last lines as reasons', async () => {
    const { passed, code, reasons } = await runShell('echo first; echo it broke; exit 3');
    assert.deepEqual({ passed, code, reasons }, { passed: false, code: 3, reasons: ['first', 'it broke'] });
  });

  test('is ended after its limit, and says so', async () => {
    const { passed, reasons } = await runShell('echo begun; sleep 300', 1);
    assert.equal(passed, false);
    assert.deepEqual(reasons, ['ended after its limit of 1 s', 'begun']);
  });

  test('can run the product, which takes what the step adds to the environment for no setting', async () => {
    const { passed, reasons } = await runShell('bin/ssvirt config explain');
    assert.ok(passed, reasons.join('\n'));
  });

  test('ends a process that it left running in a session of its own', async () => {
    const leavesIt = `setsid sleep 300 & echo $!; until [ "$(cut -d' ' -f5 /proc/$!/stat)" = $! ]; do sleep 0.05; done`;
    const { passed, lastLine, printed } = await runShell(leavesIt);
    assert.equal(passed, true);
    await until('it has ended', () => !isRunning(Number(lastLine)));
    assert.ok(printed.some((line) => line.startsWith(`=== a step: left running: ${lastLine} sleep 300`)));
  });
});

test('a run that is broken off leaves nothing of its open step, in a session of its own or not', async () => {
  const pids: number[] = [];
  const ended = runStep(
    {
      name: 'a step',
      command: ['/bin/sh', '-c', 'setsid sleep 300 & echo $!; sleep 300 & echo $!; wait'],
      limitSeconds: 120,
    },
    (line) => pids.push(Number(line)),
  );
  await until('both run', () => pids.length === 2 && pids.every(isRunning));
  killOpenSteps();
  assert.equal((await ended).passed, false);
  await until('they have ended', () => !pids.some(isRunning));
});

test('the reasons of a failed step are the lines that name a failure, with the line after each', () => {
  const lines = ['ok', 'failed: a.test.ts: x', '    at y', 'ok', 'SURVIVED (1 s)', '    file: name', 'the end'];
  assert.deepEqual(reasonsIn(lines), ['failed: a.test.ts: x', '    at y', 'SURVIVED (1 s)', '    file: name']);
});

suite('a run of CI', () => {
  const shell = (name: string, script: string) => ({
    name,
    command: ['/bin/sh', '-c', script] as const,
    limitSeconds: 120,
  });

  test('goes on after a step that fails, and its summary says what failed and what did not run', async () => {
    const printed: string[] = [];
    const run = new CiRun(600, (line) => printed.push(line));
    await run.step(shell('one', 'echo it broke; exit 1'));
    await run.step(shell('two', 'echo all is well'));
    run.notRun('three', 'there is no such tool');
    assert.equal(run.end(), false);
    const summary = printed.slice(printed.indexOf('=== summary') + 1);
    assert.match(summary[1] ?? '', /^failed in \d+ s:$/);
    assert.deepEqual(
      [summary[0], ...summary.slice(2)],
      ['not run: three: there is no such tool', 'one', '    it broke'],
    );
    assert.ok(printed.includes('all is well'));
  });

  test('passes when all steps have passed', async () => {
    const run = new CiRun(600, () => undefined);
    await run.step(shell('one', 'true'));
    assert.equal(run.end(), true);
  });

  test('fails where no time is left for a step', async () => {
    const printed: string[] = [];
    const run = new CiRun(0, (line) => printed.push(line));
    assert.equal(await run.step(shell('one', 'true')), undefined);
    assert.equal(run.end(), false);
    assert.ok(printed.includes('one: no time left'));
  });
});
