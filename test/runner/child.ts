/**
 * A child process that always comes to an end, and all that it started in its process group with it. Node's own 'close' waits until nobody holds the pipes
 * any more: a process that a test leaves behind would be waited for without an end. Here the exit counts, and after it the pipes get a moment.
 */
import { defined } from '@ssvirt/base/values/defined';
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

export interface ChildOptions extends Pick<SpawnOptions, 'cwd' | 'env'> {
  /** After this it is killed. */
  readonly limitMs: number;
  /** What it writes to its standard output, line by line; without this nobody listens. */
  readonly onLine?: (line: string) => void;
  /** What it writes to its standard error, as it comes; without this nobody listens. */
  readonly onError?: (text: string) => void;
}

export interface ChildEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
}

export interface Child {
  readonly ended: Promise<ChildEnd>;
  /** Kills it and its group. */
  stop(): void;
}

/** What was written before the exit is in the pipe by then, and read in a moment, also on a busy machine. */
const drainMs = 2000;
/** By the ids of their leaders. None outlives this process. */
const groups = new Set<number>();
process.on('exit', () => groups.forEach(signalGroup));

export function startChild(command: string, args: readonly string[], options: ChildOptions): Child {
  const { cwd, env, limitMs, onLine, onError } = options;
  const listening = (listener: unknown): 'pipe' | 'ignore' => (listener === undefined ? 'ignore' : 'pipe');
  const child = spawn(command, args, {
    ...defined({ cwd, env }),
    stdio: ['ignore', listening(onLine), listening(onError)],
    detached: true,
  });
  if (child.pid !== undefined) groups.add(child.pid);
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => onLine?.(line));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => onError?.(text));
  return { ended: end(child, limitMs), stop: () => killGroup(child) };
}

async function end(child: ChildProcess, limitMs: number): Promise<ChildEnd> {
  let timedOut = false;
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child);
  }, limitMs);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    // Who is still there was left behind.
    killGroup(child);
    await Promise.race([closed, pause(drainMs, undefined, { ref: false })]);
    return { code, signal, timedOut };
  } finally {
    clearTimeout(timer);
    child.stdout?.destroy();
    child.stderr?.destroy();
    if (child.pid !== undefined) groups.delete(child.pid);
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) signalGroup(pid);
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Nobody is left in it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
