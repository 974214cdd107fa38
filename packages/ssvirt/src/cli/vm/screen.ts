/** The screen of a VM on a local port: each viewer that connects gets its own ticket and websocket. */
import type { Schemas } from '@ssvirt/api-client/client';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { createWebSocketStream } from 'ws';
import type { ApiClient } from '../api/client.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { data } from '../output/print.ts';
import { note, say } from '../output/streams.ts';
import { endOf, openStream, ticketFor } from './ticket.ts';

export interface ScreenOptions {
  readonly port: number;
  readonly once: boolean;
  readonly asJson: boolean;
}

export async function serveScreen(client: ApiClient, vm: Schemas['Vm'], options: ScreenOptions): Promise<ExitCode> {
  // Requested before listening starts, so that the error for a powered-off VM comes at once. The ticket is also for the
  // web page, for users without a viewer.
  const { url } = await ticketFor(client, vm, 'vnc');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const viewers = new Set<Socket>();
  const server = createServer((viewer) => {
    viewers.add(viewer);
    viewer.once('close', () => {
      viewers.delete(viewer);
      if (options.once) stop.abort('seen');
    });
    void show(client, vm, viewer);
  });
  const address = await listening(server, options.port);
  say(options.asJson ? data('json', { address, url }) : `${address}\n`);
  note(`connect a VNC viewer on this machine to ${address}; Ctrl-C ends.`);
  note(`or open ${url} in a browser, once, within half a minute.`);
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  server.close();
  for (const viewer of viewers) viewer.destroy();
  return stop.signal.reason === 'seen' ? exitCodes.done : exitCodes.interrupted;
}

async function listening(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new CliFailure(
      `cannot listen on port ${port} of this machine (${(error as NodeJS.ErrnoException).code ?? ''}): give another port, or none.`,
    );
  }
  const { address, port: taken } = server.address() as AddressInfo;
  return `${address}:${taken}`;
}

async function show(client: ApiClient, vm: Schemas['Vm'], viewer: Socket): Promise<void> {
  viewer.on('error', () => viewer.destroy());
  try {
    const socket = await openStream(client, await ticketFor(client, vm, 'vnc'));
    socket.once('close', (code, reason) => {
      const failure = endOf(code, reason.toString());
      if (failure !== undefined) note(`ssvirt: ${failure.message}`);
      viewer.destroy();
    });
    const screen = createWebSocketStream(socket);
    screen.on('error', () => viewer.destroy());
    viewer.once('close', () => screen.destroy());
    viewer.pipe(screen).pipe(viewer);
  } catch (error) {
    note(`ssvirt: ${error instanceof Error ? error.message : String(error)}`);
    viewer.destroy();
  }
}
