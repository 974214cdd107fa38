/** Bytes between a browser and a machine, both ways. Whoever reads slowly makes the other side wait: what is on its way stays small. */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';

export interface BridgeOptions {
  readonly browser: WebSocket;
  readonly machine: Duplex;
  /** Told of every message. */
  readonly moved: (direction: 'in' | 'out', bytes: number) => void;
  /** Once, when the machine's side has ended by itself. */
  readonly machineEnded: (error?: Error) => void;
}

/** Above the first the machine waits, below the second it goes on. */
const highBytes = 256 * 1024;
const lowBytes = 64 * 1024;

/** Until the browser's side is closed; then the machine's is too. */
export function bridge({ browser, machine, moved, machineEnded }: BridgeOptions): void {
  const sent = (): void => {
    if (browser.bufferedAmount < lowBytes && machine.isPaused()) machine.resume();
  };
  machine.on('data', (chunk: Buffer) => {
    if (browser.readyState !== browser.OPEN) return;
    moved('out', chunk.length);
    browser.send(chunk, { binary: true }, sent);
    if (browser.bufferedAmount > highBytes) machine.pause();
  });
  browser.on('message', (data: RawData) => {
    const bytes = data as Buffer; // ws gives one unless it is told otherwise
    moved('in', bytes.length);
    if (machine.writable && !machine.write(bytes)) browser.pause();
  });
  machine.on('drain', () => browser.resume());

  let hasEnded = false;
  const ended = (error?: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    // A browser that waited to be read is to hear the end.
    browser.resume();
    machineEnded(error);
  };
  machine.once('end', () => ended());
  machine.once('close', () => ended());
  machine.on('error', ended);
  browser.once('close', () => {
    hasEnded = true;
    machine.destroy();
  });
  // It was lost before anybody listened, and says so no more.
  if (machine.destroyed) ended(machine.errored ?? undefined);
}
