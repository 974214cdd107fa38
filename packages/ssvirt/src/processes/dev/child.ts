/**
 * One process of `ssvirt dev`: it is restarted when it dies, and it ends with us however we end. It runs behind the
 * guard of the embedded PostgreSQL, a small shell that reads a pipe that we keep open. When the pipe closes, the guard
 * asks the process to stop, and kills it when that takes too long. So one way of stopping is enough.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { guardScript } from '../../db/embedded/guard.ts';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import { guardName } from './left-over.ts';

export interface ChildProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Evaluated at each start, because it may contain what other processes have written by then. */
  readonly env: () => NodeJS.ProcessEnv;
  /** The data folder, which identifies the owner of the child. */
  readonly folder: string;
  /** Called repeatedly with what the process wrote to standard output. */
  readonly isUp: (output: string) => boolean | Promise<boolean>;
  /** Called with each line of its log. */
  readonly onLine: (line: string) => void;
  /** Prints our own messages about the process. */
  readonly say: (line: string) => void;
}

/** The process could not be started. The message is for the person at the terminal. */
export class ChildError extends Error {
  override readonly name = 'ChildError';
}

/** A busy computer needs this long for three clusters; an idle one needs some seconds. */
const upMs = 300_000;
const lookMs = 50;
/** A process that lived this long is restarted at once when it dies. */
const stableMs = 30_000;
/** The time for what a killed guard may have left of its process group. */
const groupMs = 35_000;

export class Child {
  readonly name: string;
  readonly #options: ChildProcessOptions;
  readonly #stopping = new AbortController();
  readonly #backoff = new Backoff({ initialMs: 250, factor: 2, maxMs: 15_000, jitter: 0.2 });
  #process: ChildProcess | undefined;
  #living: Promise<void> | undefined;

  constructor(options: ChildProcessOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Resolves when the process is up for the first time; rejects when it ends before that. */
  async start(): Promise<void> {
    const first = Promise.withResolvers<void>();
    this.#living = this.#live(first).catch((error: unknown) => {
      this.kill();
      first.reject(error);
    });
    await first.promise;
  }

  /** Resolves when the process has ended; to false when it was never started. */
  async stop(): Promise<boolean> {
    this.#stopping.abort();
    if (this.#process !== undefined) letGo(this.#process);
    await this.#living;
    return this.#process !== undefined;
  }

  /** Kills at once, after a second request to stop. */
  kill(): void {
    this.#stopping.abort();
    signalGroup(this.#process?.pid, 'SIGKILL');
  }

  async #live(first: PromiseWithResolvers<void>): Promise<void> {
    const { say } = this.#options;
    let wasUp = false;
    while (!this.#stopping.signal.aborted) {
      const began = systemClock.now();
      const run = this.#spawn();
      const isUp = await this.#up(run);
      if (isUp) {
        if (wasUp) say(`${this.name} is up again`);
        wasUp = true;
        first.resolve();
      }
      await run.ended;
      if (run.wasKilled) await this.#gone(run.child);
      if (this.#stopping.signal.aborted) break;
      if (!wasUp) return first.reject(new ChildError(`cannot start ${this.name}: it ${run.how()}\n${run.tail()}`));
      if (systemClock.now() - began > stableMs) this.#backoff.reset();
      const pause = this.#backoff.take();
      say(`${this.name} ${run.how()}; restarting it`);
      await sleep(systemClock, pause, this.#stopping.signal);
    }
    first.reject(new ChildError(`${this.name} was stopped before it was up`));
  }

  #spawn(): Run {
    const { command, args, env, folder, onLine } = this.#options;
    const guard = [guardName, String(process.pid), 'keep', folder];
    const child = spawn('/bin/sh', ['-c', guardScript, ...guard, command, ...args], {
      env: env(),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // A separate process group: Ctrl-C in a terminal is for us, and we stop all children in order.
      detached: true,
    });
    this.#process = child;
    return new Run(child, onLine);
  }

  /** Resolves to false when the process ends first or takes too long. */
  async #up(run: Run): Promise<boolean> {
    const giveUpAt = systemClock.now() + upMs;
    while (!run.hasEnded && !this.#stopping.signal.aborted) {
      if (await this.#options.isUp(run.output)) return true;
      if (systemClock.now() > giveUpAt) {
        run.note(`it was not up in ${upMs / 1000} s`);
        letGo(run.child);
        return false;
      }
      await sleep(systemClock, lookMs, this.#stopping.signal);
    }
    return false;
  }

  /** A killed guard leaves its process running: the rest of the group is ended before the next start. */
  async #gone(child: ChildProcess): Promise<void> {
    letGo(child);
    const giveUpAt = systemClock.now() + groupMs;
    while (signalGroup(child.pid, 0) && systemClock.now() < giveUpAt) await sleep(systemClock, lookMs);
    signalGroup(child.pid, 'SIGKILL');
  }
}

/** One run of the process. */
class Run {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** Its standard output, which is short. */
  output = '';
  hasEnded = false;
  /** The guard itself was killed and has left its process running. */
  wasKilled = false;
  #tail: string[] = [];
  #how = 'ended';

  constructor(child: ChildProcess, onLine: (line: string) => void) {
    this.child = child;
    (child.stdout as Readable).setEncoding('utf8').on('data', (text: string) => (this.output += text));
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      this.#tail = [...this.#tail.slice(-19), line];
      onLine(line);
    });
    // A guard that has ended does not read any more.
    (child.stdio[3] as Writable).on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      const end = (how: string): void => {
        this.hasEnded = true;
        this.#how = how;
        resolve();
      };
      child.once('error', (error) => end(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) => {
        this.wasKilled = signal !== null;
        // When a signal ended the process, the shell's exit code is 128 plus the signal.
        end(signal === null ? `ended with code ${code}` : `lost its guard by ${signal}`);
      });
    });
  }

  note(line: string): void {
    this.#tail = [...this.#tail, line];
  }

  how(): string {
    return this.#how;
  }

  tail(): string {
    return this.#tail.join('\n');
  }
}

function letGo(child: ChildProcess): void {
  (child.stdio[3] as Writable).end();
}

/** False when no process of the group is left. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
