/** How a guest ends: it is asked to shut down, it powers itself off, or it crashes. */
import type { VirtualMachineInstance } from '../../kubevirt/objects.ts';
import { toldToEnd } from '../timestamp.ts';
import { crashed } from './boot.ts';
import { enter, since, wait, type Happening, type Scene, type DomainStep } from './step.ts';

/**
 * On a VMI: its guest powers itself off, or crashes. It applies to this boot only, because the VMI does not outlive it.
 */
export const GUEST_ANNOTATION = 'sandbox.ssvirt.io/guest';

const CRASH_MS = 5000;

export const shutDown: Happening = {
  type: 'Normal',
  reason: 'Stopped',
  message: 'The VirtualMachineInstance was shut down.',
};

export const signaled: Happening = { type: 'Normal', reason: 'ShuttingDown', message: 'Signaled Graceful Shutdown' };

/** When the stop was requested: by deletion of the VMI, or of its pod. */
export function toldAt({ vmi, pod }: Pick<Scene, 'vmi' | 'pod'>): string | undefined {
  if (vmi.metadata.deletionTimestamp !== undefined) return vmi.metadata.deletionTimestamp;
  const pods = pod?.metadata as { readonly deletionTimestamp?: string; readonly deletionGracePeriodSeconds?: number };
  if (pods?.deletionTimestamp === undefined) return undefined;
  return toldToEnd(pods.deletionTimestamp, pods.deletionGracePeriodSeconds ?? 0);
}

export function graceOf({ spec }: VirtualMachineInstance): number {
  return (spec.terminationGracePeriodSeconds ?? 30) * 1000;
}

/** A guest has its grace period to shut down; then it is killed, and that counts as a failure. */
export function shutdown(scene: Scene, told: string): DomainStep {
  const { vmi, node, now, dials } = scene;
  const grace = graceOf(vmi);
  // Before the domain runs, no guest can obey the request.
  const obeys = vmi.status?.phase === 'Running' && dials.shutdownMs <= grace && !scene.hasFault('ignores-acpi');
  const needed = vmi.status?.phase === 'Running' ? (obeys ? dials.shutdownMs : grace) : 0;
  const left = scene.left(`shutdown-${needed}`, needed, told);
  if (left > 0) return wait(left);
  return {
    kind: 'write',
    node,
    status: enter(vmi, obeys ? 'Succeeded' : 'Failed', now),
    after: [obeys ? shutDown : crashed],
  };
}

export function endOfItself(scene: Scene): DomainStep {
  const { vmi, node, now } = scene;
  const wish = vmi.metadata.annotations?.[GUEST_ANNOTATION];
  if (wish === 'poweroff') return { kind: 'write', node, status: enter(vmi, 'Succeeded', now), after: [shutDown] };
  const crash: DomainStep = { kind: 'write', node, status: enter(vmi, 'Failed', now), after: [crashed] };
  if (wish === 'crash') return crash;
  if (!scene.hasFault('guest-crash')) return undefined;
  const left = scene.left('crash', CRASH_MS, since(vmi, 'Running'));
  return left > 0 ? wait(left) : crash;
}
