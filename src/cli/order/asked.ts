/** How the commands on orders end: what they found out is their exit code, and whatever goes wrong is one sentence on stderr. */
import { ConfigError } from '../../config/setting.ts';
import { ApiError } from '../../kube/errors.ts';
import { KubeconfigError } from '../../kube/kubeconfig/load.ts';
import type { ClusterChoice } from '../cluster/choice.ts';
import { connected } from '../cluster/connect.ts';
import type { Asking } from '../cluster/look.ts';
import { InputError } from './input.ts';

/** 0: as it should be; 1: not so; 2: it could not be found out. */
export type ExitCode = 0 | 1 | 2;

const deadlineMs = 60_000;

export async function ending(action: () => Promise<ExitCode>): Promise<void> {
  // Who reads may have read enough: `| head`.
  process.stdout.once('error', () => process.exit(0));
  try {
    process.exitCode = await action();
  } catch (error) {
    process.exitCode = 2;
    note(`ssvirt: ${told(error)}`);
  }
}

/** A defect of ours says so, and no more: what is in its stack nobody asked for. */
function told(error: unknown): string {
  if (error instanceof InputError || error instanceof ConfigError || error instanceof KubeconfigError)
    return error.message;
  if (error instanceof ApiError) return `cannot ask the cluster: ${error.message}`;
  return `it ended unexpectedly, which is a defect: ${error instanceof Error ? error.message : String(error)}`;
}

/** Everything but what was asked for. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function say(text: string): void {
  process.stdout.write(text);
}

export function withCluster<T>(choice: ClusterChoice, doing: (asking: Asking) => Promise<T>): Promise<T> {
  return connected(choice, 'order', ({ client }) => doing({ client, signal: AbortSignal.timeout(deadlineMs) }));
}
