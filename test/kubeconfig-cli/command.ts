/** `ssvirt …` as a user types it: a separate process, seen only by its output and exit code. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../runtime/until.ts';

const main = join(import.meta.dirname, '../../packages/ssvirt/src/main.ts');

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export class CommandLine {
  readonly #env: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];
  readonly #live = new Set<ChildProcess>();

  /** The secrets must never be printed unless requested. */
  constructor(env: Readonly<Record<string, string>>, secrets: readonly string[] = []) {
    this.#env = env;
    this.#secrets = secrets;
  }

  run(...args: readonly string[]): Promise<Outcome> {
    return this.start(...args).ended;
  }

  start(...args: readonly string[]): RunningCommand {
    const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...this.#env };
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#live.add(child);
    child.once('exit', () => this.#live.delete(child));
    return new RunningCommand(child, (outcome) => this.#check(args, outcome));
  }

  #check(args: readonly string[], { out, err }: Outcome): void {
    assert.doesNotMatch(err, /\n\s+at .*\.ts:\d+/, 'a stack trace');
    assert.doesNotMatch(err, /unexpected error/);
    if (args.includes('--show-secrets')) return;
    for (const secret of this.#secrets)
      assert.ok(!`${out}${err}`.includes(secret), `${args.join(' ')} shows ${secret}: ${out}${err}`);
  }

  stop(): void {
    for (const child of this.#live) child.kill('SIGKILL');
  }
}

export class RunningCommand {
  readonly ended: Promise<Outcome>;
  readonly #child: ChildProcess;
  #out = '';
  #err = '';

  constructor(child: ChildProcess, check: (outcome: Outcome) => void) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#err += text));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        const outcome = { code: code ?? -1, out: this.#out, err: this.#err };
        try {
          check(outcome);
          resolve(outcome);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  prints(what: RegExp, where: 'out' | 'err' = 'out'): Promise<void> {
    const text = (): string => (where === 'out' ? this.#out : this.#err);
    return until(
      `it prints ${String(what)}`,
      () => {
        if (what.test(text())) return true;
        throw new Error(`it has printed ${this.#out}${this.#err}`);
      },
      { deadlineMs: 60_000 },
    );
  }

  async stop(): Promise<Outcome> {
    this.#child.kill('SIGINT');
    return this.ended;
  }
}
