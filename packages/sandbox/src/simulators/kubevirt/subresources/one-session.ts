/**
 * The serial console and VNC have one user at a time: a new session ends the previous one, unless the caller asked to
 * preserve it.
 */
import type { Duplex } from 'node:stream';
import type { VirtHandler } from '../virt-handler.ts';

const exclusive: ReadonlySet<string> = new Set(['console', 'vnc']);

export function oneSession(handler: VirtHandler): VirtHandler['open'] {
  const sessions = new Map<string, Duplex>();
  return async (vmi, what, options) => {
    if (!exclusive.has(what)) return handler.open(vmi, what, options);
    const key = `${vmi.metadata.uid ?? ''}/${what}`;
    const present = sessions.get(key);
    if (present !== undefined && options?.preserveSession === true)
      throw new Error("Can't connect to websocket (503): Active VNC connection. Request denied.");
    present?.destroy();
    const session = await handler.open(vmi, what, options);
    // Another session may have been opened during the await.
    sessions.get(key)?.destroy();
    sessions.set(key, session);
    session.once('close', () => {
      if (sessions.get(key) === session) sessions.delete(key);
    });
    return session;
  };
}
