/** Resident memory once a server has come to rest; both kinds of server hold garbage for a while after a load. */
import { residentBytes } from './processes.ts';
import type { Server } from './servers.ts';

const interval = 500;
const steadyShare = 0.01;
const steadyFor = 4000;

/** Waits at most `patience` milliseconds. */
export async function settledMegabytes(server: Pick<Server, 'processes'>, patience: number): Promise<number> {
  const began = performance.now();
  let reference = residentBytes(server.processes);
  let since = began;
  for (;;) {
    await new Promise((wake) => setTimeout(wake, Math.min(interval, patience)));
    const now = performance.now();
    const resident = residentBytes(server.processes);
    if (Math.abs(resident - reference) > reference * steadyShare) {
      reference = resident;
      since = now;
    }
    if (now - since >= steadyFor || now - began >= patience) return resident / 1e6;
  }
}
