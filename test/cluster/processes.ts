/**
 * Child processes that never outlive us. Each has its own process group, and a small shell watches a pipe from us: when
 * this process ends in any way, the pipe closes and the shell kills the remaining processes and removes the data.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';

const guardScript = `
pids=
while read -r line; do
  case "$line" in forget) pids=; gone=1 ;; *) pids="$pids $line" ;; esac
done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
[ -n "$gone" ] || rm -rf "$1"
`;

export interface Started {
  readonly name: string;
  readonly child: ChildProcess;
  /** Settles when the process has ended. Awaiting it keeps this process running. */
  readonly ended: Promise<void>;
  /** The last lines that it printed, for an error message. */
  tail(): string;
}

export interface ProcessGroup {
  start(name: string, command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Started;
  /** Ends all in the reverse order of their start, each with SIGTERM and, after a grace period, with SIGKILL. */
  stop(): Promise<void>;
}

/** Ends one process at once and waits until it is gone. */
export async function kill({ child, ended }: Started): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await ended;
}

export function processGroup(folder: string): ProcessGroup {
  const guard = spawn('/bin/sh', ['-c', guardScript, 'guard', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  guard.stdin.on('error', () => undefined); // a guard that was killed from outside guards nothing; the stop still works
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  const started: Started[] = [];

  const start: ProcessGroup['start'] = (name, command, args, env = process.env) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env });
    guard.stdin.write(`${child.pid}\n`);
    const log = createWriteStream(`${folder}/${name}.log`);
    let tail = '';
    const keep = (chunk: Buffer): void => {
      log.write(chunk);
      tail = (tail + chunk.toString()).slice(-4000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const ended = new Promise<void>((done) => {
      child.once('exit', () => done());
      child.once('error', (error) => {
        tail += String(error);
        done();
      });
    });
    // Its last output may arrive after its end.
    child.once('close', () => log.end());
    release(child);
    const entry: Started = {
      name,
      child,
      get ended() {
        child.ref();
        return ended;
      },
      tail: () => tail,
    };
    started.push(entry);
    return entry;
  };

  const stop = async (): Promise<void> => {
    for (const entry of started.reverse()) await end(entry);
    guard.stdin.end('forget\n');
  };
  return { start, stop };
}

/**
 * A test that fails before it could stop this process must not wait for it forever: the process ends, and then the
 * guard ends this one.
 */
function release(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdout, child.stderr] as (Readable & { unref?: () => void })[]) stream.unref?.();
}

async function end({ child, ended }: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return ended;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await ended;
  clearTimeout(timer);
}
