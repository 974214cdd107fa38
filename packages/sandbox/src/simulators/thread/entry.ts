/** Runs the simulators in their own thread: started with data, stopped by a message. */
import { parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '@ssvirt/base/config/log';
import { startSimulators } from '../start.ts';
import type { FromThread, ThreadOptions, ToldError, ToThread } from './messages.ts';

const port = parentPort;
if (port === null) throw new Error('the thread of the simulators is no program of its own');

const tell = (message: FromThread): void => port.postMessage(message);

function told(error: unknown): ToldError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, ...(stack === undefined ? {} : { stack }) };
}

const { connection, log, ...options } = workerData as ThreadOptions;
const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
try {
  const simulators = await startSimulators({ ...options, source, log: createLogger(log) });
  simulators.ended.catch((error: unknown) => tell({ type: 'failed', error: told(error) }));
  const stop = async ({ options: how }: ToThread): Promise<void> => {
    await simulators.stop(how);
    tell({ type: 'stopped' });
    port.close();
  };
  port.on('message', (message: ToThread) => void stop(message));
  tell({ type: 'ready' });
} catch (error) {
  tell({ type: 'failed', error: told(error) });
  port.close();
}
