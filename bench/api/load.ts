/**
 * Generates the load from a process of its own, so that the client's CPU time is separate from the bench's and the
 * server's.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Job, LoadResult, Told } from './load-job.ts';

/** `makeLoad` calls `warm` between the warm-up and the measured time. */
export async function makeLoad(job: Job, warm: () => void = () => undefined): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'load-main.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  try {
    child.send(job);
    await told(child, 'warm');
    warm();
    const done = told(child, 'done');
    child.send({ kind: 'go' });
    return await done;
  } finally {
    child.kill();
  }
}

async function told<K extends Told['kind']>(child: ChildProcess, kind: K): Promise<Extract<Told, { kind: K }>> {
  const ended = once(child, 'exit').then(() => undefined);
  const message = await Promise.race([once(child, 'message') as Promise<[Told]>, ended]);
  if (message === undefined || message[0].kind !== kind)
    throw new Error('the process that makes the load has ended; what it says stands above');
  return message[0] as Extract<Told, { kind: K }>;
}
