/** One step of CI: a command with a limit, whose output is passed on and kept for the summary. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from '../runner/child.ts';

export interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly limitSeconds: number;
  readonly env?: NodeJS.ProcessEnv;
}

export interface StepResult {
  readonly passed: boolean;
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly seconds: number;
  /** What to read first where it failed, one line each. */
  readonly reasons: readonly string[];
  /** The last line of its standard output. */
  readonly lastLine: string;
}

/** Processes that a step starts carry this in their environment and are found by it. */
const MARK = 'SSVIRT_TEST_STEP';

/** The marks of steps that have not ended. */
const open = new Set<string>();

/** `killOpenSteps` ends what runs in the name of any step, for a run that is broken off. */
export function killOpenSteps(): void {
  for (const mark of open) for (const one of marked(mark)) kill(one);
}

export async function runStep(
  { name, command: [program, ...args], limitSeconds, env = {} }: Step,
  print: (line: string) => void,
): Promise<StepResult> {
  const began = performance.now();
  const mark = randomUUID();
  const lines: string[] = [];
  let lastLine = '';
  const keep = (line: string): void => {
    lines.push(line);
    print(line);
  };
  const errors = lineSplitter(keep);
  open.add(mark);
  const child = startChild(program, args, {
    env: { ...process.env, ...env, [MARK]: mark },
    limitMs: limitSeconds * 1000,
    onLine: (line) => keep((lastLine = line)),
    onError: errors.add,
  });
  const { code, timedOut } = await child.ended;
  errors.end();
  await endLeftOver(name, mark, print);
  open.delete(mark);
  const passed = code === 0;
  const late = timedOut ? [`ended after its limit of ${limitSeconds} s`] : [];
  return {
    passed,
    code,
    seconds: (performance.now() - began) / 1000,
    reasons: passed ? [] : [...late, ...reasonsIn(lines)],
    lastLine,
  };
}

/** Lines that name a failure, with the line after each; the last lines where there are none. */
export function reasonsIn(lines: readonly string[]): readonly string[] {
  const names = /^failed: |FAILS WITHOUT|DOES NOT (FIT|END)|^(SURVIVED|NO PROOF)|VIOLATION|do not agree/;
  const found = lines.flatMap((line, i) => (names.test(line) ? [line, lines[i + 1] ?? ''] : []));
  return (found.length > 0 ? found.slice(-25) : lines.slice(-5)).map((line) => line.slice(0, 300));
}

function lineSplitter(onLine: (line: string) => void): { add: (text: string) => void; end: () => void } {
  let open = '';
  return {
    add(text) {
      const lines = `${open}${text}`.split('\n');
      open = lines.pop() ?? '';
      lines.forEach(onLine);
    },
    end() {
      if (open !== '') onLine(open);
      open = '';
    },
  };
}

/** Processes that a step has left running would slow down the next one. Some need a moment to clean up. */
async function endLeftOver(name: string, mark: string, print: (line: string) => void): Promise<void> {
  for (let look = 0; look < 10; look++) {
    if (marked(mark).length === 0) return;
    await pause(500);
  }
  for (const one of marked(mark)) {
    print(`=== ${name}: left running: ${one.pid} ${one.command.slice(0, 150)}`);
    kill(one);
  }
}

interface Marked {
  readonly pid: number;
  readonly command: string;
}

function kill({ pid }: Marked): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function marked(mark: string): readonly Marked[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => fileOf(pid, 'environ').split('\0').includes(`${MARK}=${mark}`))
    .map((pid) => ({ pid: Number(pid), command: fileOf(pid, 'cmdline').replaceAll('\0', ' ') }));
}

/** Empty where the process has ended or belongs to another user. */
function fileOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
