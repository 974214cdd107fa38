/**
 * Consoles of VMs, from the KubeVirt of their cluster: the websockets that `virtctl console` and `virtctl vnc` open.
 */
import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket } from 'ws';
import { ConsoleRefusal, type ConsoleSource, type ConsoleTarget } from '../../api/console/source.ts';
import type { ConsoleKind } from '../../db/tenants/console-tickets.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { KubeError } from '@ssvirt/kube/errors';

const subresources: Readonly<Record<ConsoleKind, string>> = { serial: 'console', vnc: 'vnc' };
const openMs = 15_000;
/** Proxies between us and the VM's node close silent connections. */
const pingMs = 30_000;
/** How much data may wait in each direction before the sender is asked to pause. */
const highWaterMark = 64 * 1024;

export function fleetConsoles(fleet: Pick<Fleet, 'cluster'>): ConsoleSource {
  return {
    async open(target, signal) {
      const cluster = fleet.cluster(target.cluster);
      if (cluster === undefined)
        throw unavailable(new Error(`the cluster ${target.cluster} is not a member of the fleet`));
      try {
        const socket = await cluster.client.connect(pathOf(target), {
          protocols: ['plain.kubevirt.io'],
          timeoutMs: openMs,
          signal,
        });
        return streamOf(socket);
      } catch (error) {
        throw refusalOf(error, target);
      }
    },
  };
}

function pathOf({ namespace, vmName, kind }: ConsoleTarget): string {
  const machine = `namespaces/${encodeURIComponent(namespace)}/virtualmachineinstances/${encodeURIComponent(vmName)}`;
  return `/apis/subresources.kubevirt.io/v1/${machine}/${subresources[kind]}`;
}

function streamOf(socket: WebSocket): Duplex {
  const pings = setInterval(() => socket.ping(), pingMs);
  pings.unref();
  socket.once('close', () => clearInterval(pings));
  return createWebSocketStream(socket, { highWaterMark });
}

/**
 * KubeVirt answers 404 (no instance), 400 ("VMI is not running", "No serial consoles are present.", "… because phase is
 * Scheduling …") and 409 ("VMI is in failed status"). Its messages name namespaces and kinds, which tenants must not
 * see.
 */
export function refusalOf(error: unknown, { kind }: Pick<ConsoleTarget, 'kind'>): ConsoleRefusal {
  if (!(error instanceof KubeError)) return unavailable(error);
  const text = error.words ?? '';
  if (error.code === 400 && /^No (serial consoles|graphics devices) are present/.test(text)) {
    const device = kind === 'vnc' ? 'screen: open its serial console' : 'serial console: open its screen';
    return new ConsoleRefusal('noDevice', `The VM has no ${device} instead.`, error);
  }
  if (error.code === 404 || error.code === 409 || error.code === 400)
    return new ConsoleRefusal('notRunning', 'The VM is not running: power it on, and open the console again.', error);
  return unavailable(error);
}

function unavailable(cause: unknown): ConsoleRefusal {
  return new ConsoleRefusal('unavailable', 'The cluster of the VM rejected the connection: try again later.', cause);
}
