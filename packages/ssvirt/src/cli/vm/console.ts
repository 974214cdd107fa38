/**
 * The serial console in a terminal: every key goes to the VM, except the escape key. The terminal is restored on every
 * exit.
 */
import type { Schemas } from '@ssvirt/api-client/client';
import type { WebSocket } from 'ws';
import type { ApiClient } from '../api/client.ts';
import { note } from '../output/streams.ts';
import { endOf, openStream, ticketFor } from './ticket.ts';

/** Ctrl-], as in telnet and virsh. */
const escape = 0x1d;
/** After the end of piped input, output is read until the VM is silent for this long. */
const silenceMs = 2000;

export async function openConsole(client: ApiClient, vm: Schemas['Vm']): Promise<void> {
  const socket = await openStream(client, await ticketFor(client, vm, 'serial'));
  const { stdin } = process;
  const restore = raw();
  try {
    note(`connected to the serial console of "${vm.name}"; press Enter if nothing is shown, Ctrl-] leaves.`);
    await talk(socket);
  } finally {
    restore();
    stdin.pause();
    socket.terminate();
    note(stdin.isTTY ? '\ndisconnected.' : 'disconnected.');
  }
}

/** Puts the terminal into raw mode. The returned function restores it, and a process exit restores it too. */
function raw(): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => undefined;
  stdin.setRawMode(true);
  const restore = (): void => {
    stdin.setRawMode(false);
  };
  const leave = (): void => {
    restore();
    process.exit(129);
  };
  process.once('exit', restore);
  process.once('SIGTERM', leave);
  process.once('SIGHUP', leave);
  return () => {
    restore();
    process.off('exit', restore);
    process.off('SIGTERM', leave);
    process.off('SIGHUP', leave);
  };
}

async function talk(socket: WebSocket): Promise<void> {
  const { stdin, stdout } = process;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isPiped = false;
  let silence: NodeJS.Timeout | undefined;
  const listen = (): void => {
    clearTimeout(silence);
    if (isPiped) silence = setTimeout(resolve, silenceMs);
  };
  socket.on('message', (data: Buffer) => {
    if (!stdout.write(data)) {
      socket.pause();
      stdout.once('drain', () => socket.resume());
    }
    listen();
  });
  socket.once('close', (code, reason) => {
    const failure = endOf(code, reason.toString());
    if (failure === undefined) resolve();
    else reject(failure);
  });
  socket.on('error', reject);
  stdin.on('data', (keys: Buffer) => {
    const at = stdin.isTTY ? keys.indexOf(escape) : -1;
    socket.send(at < 0 ? keys : keys.subarray(0, at));
    if (at >= 0) resolve();
  });
  stdin.once('end', () => {
    isPiped = true;
    listen();
  });
  try {
    await promise;
  } finally {
    clearTimeout(silence);
    stdin.removeAllListeners('data');
  }
}
