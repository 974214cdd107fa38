/**
 * Copies bytes between a browser and a VM in both directions. A slow reader makes the other side wait, so that buffers
 * stay small.
 */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';

export interface BridgeOptions {
  readonly browser: WebSocket;
  readonly machine: Duplex;
  /** Called for every message. */
  readonly moved: (direction: 'in' | 'out', bytes: number) => void;
  /** Called once, when the VM's side has ended by itself. */
  readonly machineEnded: (error?: Error) => void;
}

/** Above the first number the VM's side is paused, below the second it is resumed. */
const highBytes = 256 * 1024;
const lowBytes = 64 * 1024;

/** `bridge` runs until the browser's side is closed; the VM's side is then closed, too. */
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
    const bytes = data as Buffer; // ws passes a Buffer by default
    moved('in', bytes.length);
    if (machine.writable && !machine.write(bytes)) browser.pause();
  });
  machine.on('drain', () => browser.resume());

  let hasEnded = false;
  const ended = (error?: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    // A paused browser must still receive the close.
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
  // The connection was lost before this listener was added, and emits no further event.
  if (machine.destroyed) ended(machine.errored ?? undefined);
}
