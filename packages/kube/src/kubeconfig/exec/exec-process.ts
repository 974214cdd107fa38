/** Runs a credential plugin once as a child process, with limits on time and output. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../../clock.ts';

const MOST_OUTPUT = 1 << 20;
const MOST_COMPLAINT = 4096;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 2_000;

export interface PluginCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The plugin may prompt at the terminal. */
  readonly interactive: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

export type PluginEnd =
  | { readonly kind: 'done'; readonly output: string }
  | { readonly kind: 'not found' }
  | { readonly kind: 'not started'; readonly code: string }
  | { readonly kind: 'failed'; readonly how: string; readonly complaint: string };

export function runPlugin(plugin: PluginCommand): Promise<PluginEnd> {
  return new Promise((resolve) => {
    const child = start(plugin);
    let output = Buffer.alloc(0);
    let complaint = Buffer.alloc(0);
    let stopped: string | undefined;
    let killing = plugin.clock.after(plugin.timeoutMs, () => stop(`it took longer than ${plugin.timeoutMs / 1000} s`));

    const end = (result: PluginEnd): void => {
      killing.cancel();
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(result);
    };
    const failed = (how: string): PluginEnd => ({ kind: 'failed', how, complaint: complaint.toString('utf8') });
    const stop = (why: string): void => {
      if (stopped !== undefined) return;
      stopped = why;
      killing.cancel();
      kill(child, 'SIGTERM', !plugin.interactive);
      killing = plugin.clock.after(GRACE_MS, () => {
        kill(child, 'SIGKILL', !plugin.interactive);
        end(failed(why));
      });
    };

    child.stdout?.on('data', (chunk: Buffer) => {
      output = Buffer.concat([output, chunk]);
      if (output.length > MOST_OUTPUT) stop('it printed more than 1 MiB');
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = Buffer.concat([complaint, chunk]).subarray(-MOST_COMPLAINT);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      end(error.code === 'ENOENT' ? { kind: 'not found' } : { kind: 'not started', code: error.code ?? error.name });
    });
    const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (stopped !== undefined) end(failed(stopped));
      else if (code === 0) end({ kind: 'done', output: output.toString('utf8') });
      else end(failed(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`));
    };
    child.once('close', finish);
    child.once('exit', (code, signal) => {
      // A process that it left behind may keep its output open; by then its own output is complete.
      killing.cancel();
      killing = plugin.clock.after(GRACE_MS, () => finish(code, signal));
    });
  });
}

function start({ command, args, env, interactive }: PluginCommand): ChildProcess {
  return spawn(command, args, {
    env,
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    // A process group of its own, so that its children are stopped with it; a plugin that prompts must stay in the
    // terminal's group.
    detached: !interactive,
  });
}

function kill(child: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  if (child.pid === undefined) return;
  try {
    process.kill(group ? -child.pid : child.pid, signal);
  } catch {
    // It has ended meanwhile, or runs as another user: for us the run is over either way.
  }
}
