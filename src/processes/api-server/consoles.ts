/** Consoles of machines, from the KubeVirt of their cluster: the websockets that `virtctl console` and `virtctl vnc` open. */
import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket } from 'ws';
import { ConsoleRefusal, type ConsoleSource, type ConsoleTarget } from '../../api/console/source.ts';
import type { ConsoleKind } from '../../db/console-tickets.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { ApiError } from '../../kube/errors.ts';

const subresources: Readonly<Record<ConsoleKind, string>> = { serial: 'console', vnc: 'vnc' };
const openMs = 15_000;
/** Between us and the machine's node stand proxies that cut what is silent. */
const pingMs = 30_000;
/** What waits on its way to the machine, and from it, until the other side is asked to wait. */
const highWaterMark = 64 * 1024;

export function fleetConsoles(fleet: Pick<Fleet, 'cluster'>): ConsoleSource {
  return {
    async open(target, signal) {
      const cluster = fleet.cluster(target.cluster);
      if (cluster === undefined)
        throw unavailable(new Error(`the cluster ${target.cluster} is no member of the fleet`));
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
 * KubeVirt says it with 404 (no instance), 400 ("VMI is not running", "No serial consoles are present.", "… because phase is Scheduling …") and 409 ("VMI is
 * in failed status"). Its own words name namespaces and kinds, which are not for tenants.
 */
export function refusalOf(error: unknown, { kind }: Pick<ConsoleTarget, 'kind'>): ConsoleRefusal {
  if (!(error instanceof ApiError)) return unavailable(error);
  const text = error.words ?? '';
  if (error.code === 400 && /^No (serial consoles|graphics devices) are present/.test(text)) {
    const device = kind === 'vnc' ? 'screen: open its serial console' : 'serial console: open its screen';
    return new ConsoleRefusal('noDevice', `The machine has no ${device} instead.`, error);
  }
  if (error.code === 404 || error.code === 409 || error.code === 400)
    return new ConsoleRefusal(
      'notRunning',
      'The machine does not run just now: power it on, and open it again.',
      error,
    );
  return unavailable(error);
}

function unavailable(cause: unknown): ConsoleRefusal {
  return new ConsoleRefusal(
    'unavailable',
    "The machine's cluster does not let us in just now: try again later.",
    cause,
  );
}
