/** Makes a Node process collect its garbage, through the inspector that Node opens on SIGUSR1. */
import { once } from 'node:events';
import type { Started } from '../../test/cluster/processes.ts';
import { poll } from './poll.ts';

/** For the environment of the process: the inspector takes a free port instead of one that a developer may use. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' };

export async function collectGarbage(started: Started): Promise<void> {
  await askInspector(await openInspector(started), 'HeapProfiler.collectGarbage');
}

/** Resolves to its address, which the process prints only once. */
export function openInspector(started: Started): Promise<string> {
  const address = (): string | undefined => /Debugger listening on (ws:\S+)/.exec(started.tail())?.[1];
  if (address() === undefined) started.child.kill('SIGUSR1');
  return poll('the inspector did not open', () => Promise.resolve(address()));
}

export async function askInspector(url: string, method: string, params: object = {}): Promise<unknown> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const answered = once(socket, 'message') as Promise<[{ readonly data: string }]>;
  socket.send(JSON.stringify({ id: 1, method, params }));
  const [{ data }] = await answered;
  socket.close();
  return (JSON.parse(data) as { result?: unknown }).result;
}
