import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { until } from '../runtime/until.ts';
import { startChild, type ChildEnd } from './child.ts';

interface Outcome extends ChildEnd {
  readonly lines: readonly string[];
  readonly ms: number;
}

async function run(t: TestContext, script: string, limitMs = 120_000): Promise<Outcome> {
  const lines: string[] = [];
  const began = performance.now();
  const child = startChild('/bin/sh', ['-c', script], { limitMs, onLine: (line) => lines.push(line) });
  t.after(() => child.stop());
  const end = await child.ended;
  return { ...end, lines, ms: performance.now() - began };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

suite('a child', { concurrency: true }, () => {
  test('a child that ends by itself has said all, and its exit code', async (t) => {
    const { code, signal, timedOut, lines } = await run(t, 'seq 1 20000; exit 3');
    assert.deepEqual({ code, signal, timedOut }, { code: 3, signal: null, timedOut: false });
    assert.equal(lines.length, 20_000);
  });

  test('a child that does not end is killed with its children', async (t) => {
    const { signal, timedOut, lines } = await run(t, 'sleep 60 & echo $!; trap "" TERM; wait', 300);
    assert.deepEqual({ signal, timedOut }, { signal: 'SIGKILL', timedOut: true });
    await until('its child is gone', () => !isThere(Number(lines[0])));
  });

  test('what a child leaves behind in its group is ended', async (t) => {
    const { code, lines } = await run(t, 'sleep 60 & echo $!');
    assert.equal(code, 0);
    await until('it is gone', () => !isThere(Number(lines[0])));
  });

  test('a process in another group that holds the pipe is not waited for', async (t) => {
    // Until it has left the group it would be ended with it.
    const hasLeft = `until [ "$(cut -d' ' -f5 /proc/$!/stat)" = $! ]; do sleep 0.05; done`;
    const { code, lines, ms } = await run(t, `setsid sleep 300 & echo $!; ${hasLeft}`);
    process.kill(Number(lines[0]), 'SIGKILL');
    assert.equal(code, 0);
    assert.ok(ms < 120_000, `it took ${ms} ms`);
  });

  test('a command that is not there is said', async () => {
    const child = startChild('/no/such/command', [], { limitMs: 1000 });
    await assert.rejects(child.ended, /ENOENT/);
  });
});
