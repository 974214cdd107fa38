/**
 * Runs the simulators of `ssvirt sandbox` in their own thread beside its server: both work at the same time, and
 * neither blocks the other.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DefinitionsError } from '../definitions-error.ts';
import type { Simulators, StopOptions } from '../start.ts';
import type { FromThread, ThreadOptions, ToldError, ToThread } from './messages.ts';

/** `SimulatorsThread` is the handle of the simulators on this side. */
export type SimulatorsThread = Pick<Simulators, 'ended' | 'stop'>;

/** Longer than every deadline inside the thread; then it is terminated. */
const STOP_MS = 20_000;

export async function startSimulatorsThread(options: ThreadOptions): Promise<SimulatorsThread> {
  // The compiled file has the same name with another extension.
  const entry = new URL(`./entry${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(entry, { name: `simulators of ${options.name}`, workerData: options });
  const ready = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const fail = (error: Error): void => {
    ready.reject(error);
    ended.reject(error);
  };
  // Callers of `ended` get the error; without one it must not be an unhandled rejection.
  ended.promise.catch(() => {});
  worker.on('message', (message: FromThread) => {
    if (message.type === 'ready') ready.resolve();
    else if (message.type === 'failed') fail(errorOf(message.error));
    else {
      stopped.resolve();
      ended.resolve();
    }
  });
  worker.on('error', fail);
  worker.on('exit', (code) => {
    stopped.resolve();
    fail(new Error(`the simulators ended by themselves, with the code ${code}`));
  });
  try {
    await ready.promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return { ended: ended.promise, stop: (how = {}) => (stopping ??= stop(worker, stopped.promise, how)) };
}

async function stop(worker: Worker, stopped: Promise<void>, options: StopOptions): Promise<void> {
  const deadline = setTimeout(() => void worker.terminate(), STOP_MS);
  const message: ToThread = { type: 'stop', options };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(message);
  await stopped;
  clearTimeout(deadline);
  // All messages have arrived; open sockets must not keep the thread alive.
  await worker.terminate();
}

function errorOf({ name, message, stack }: ToldError): Error {
  if (name === 'DefinitionsError') return new DefinitionsError(message);
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
