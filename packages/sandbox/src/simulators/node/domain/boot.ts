/** The boot of a guest: from a launcher that was handed over to a guest with a connected agent. */
import type { Condition } from '../../kubevirt/objects.ts';
import { diskObstacle, volumeStatuses } from './disks.ts';
import { guestOs } from './guest-os.ts';
import { interfaces, networkObstacle } from './network.ts';
import {
  conditionOf,
  conditionsWithout,
  enter,
  since,
  wait,
  type Happening,
  type Scene,
  type DomainStep,
} from './step.ts';

const MACHINE = 'pc-q35-rhel9.6.0';
export const RESUMED_ANNOTATION = 'sandbox.ssvirt.io/resumed';

export const crashed: Happening = {
  type: 'Warning',
  reason: 'Stopped',
  message: 'The VirtualMachineInstance crashed.',
};

export function boot(scene: Scene): DomainStep {
  const { vmi, node, now, dials } = scene;
  if (scene.pod?.status?.phase !== 'Running') return undefined;
  const left = scene.left('boot', dials.bootMs, since(vmi, 'Scheduled'));
  if (scene.hasFault('crash-loop')) {
    if (left > 0) return wait(left);
    return { kind: 'write', node, status: enter(vmi, 'Failed', now), after: [crashed] };
  }
  if (conditionOf(vmi, 'LiveMigratable') === undefined) return firstSync(scene);
  if (left > 0) return wait(left);
  return {
    kind: 'write',
    node,
    status: {
      ...enter(vmi, 'Running', now),
      interfaces: interfaces(vmi, scene.pod.status.podIP, false),
      machine: { type: MACHINE },
      volumeStatus: volumeStatuses(vmi),
    },
    after: [{ type: 'Normal', reason: 'Started', message: 'VirtualMachineInstance started.' }],
  };
}

function firstSync({ vmi, node, ...scene }: Scene): DomainStep {
  const disks = diskObstacle(vmi, (claim) => scene.accessModes(claim));
  const network = networkObstacle(vmi);
  const obstacle =
    disks === undefined ? network && ['InterfaceNotLiveMigratable', network] : ['DisksNotLiveMigratable', disks];
  const unset = { lastProbeTime: null, lastTransitionTime: null };
  const migratable: Condition =
    obstacle === undefined
      ? { ...unset, status: 'True', type: 'LiveMigratable' }
      : { ...unset, message: obstacle[1] ?? '', reason: obstacle[0] ?? '', status: 'False', type: 'LiveMigratable' };
  const conditions = [
    ...(vmi.status?.conditions ?? []).filter(({ type }) => type !== 'StorageLiveMigratable'),
    migratable,
    { ...unset, status: 'True', type: 'StorageLiveMigratable' },
  ];
  return {
    kind: 'write',
    node,
    status: {
      conditions,
      migrationMethod: disks === undefined ? 'LiveMigration' : 'BlockMigration',
      selinuxContext: 'none',
    },
    after: [{ type: 'Normal', reason: 'Created', message: 'VirtualMachineInstance defined.' }],
  };
}

/** A VMI with the start strategy Paused starts paused, once: after it was resumed, it stays running. */
export function pauseAtStart({ vmi, node, now }: Scene): DomainStep {
  if (vmi.spec['startStrategy'] !== 'Paused' || conditionOf(vmi, 'Paused') !== undefined) return undefined;
  if (vmi.metadata.annotations?.[RESUMED_ANNOTATION] !== undefined) return undefined;
  return { kind: 'write', node, status: { conditions: [...(vmi.status?.conditions ?? []), pausedCondition(now)] } };
}

export function pausedCondition(now: string): Condition {
  return {
    lastProbeTime: now,
    lastTransitionTime: now,
    message: 'VMI was paused by user',
    reason: 'PausedByUser',
    status: 'True',
    type: 'Paused',
  };
}

export function agent(scene: Scene): DomainStep {
  const { vmi, node, now, dials } = scene;
  const connected = conditionOf(vmi, 'AgentConnected') !== undefined;
  const podIP = scene.pod?.status?.podIP;
  if (scene.hasFault('no-agent')) {
    if (!connected) return undefined;
    const conditions = conditionsWithout(vmi, 'AgentConnected');
    return { kind: 'write', node, status: { conditions, guestOSInfo: {}, interfaces: interfaces(vmi, podIP, false) } };
  }
  if (connected || conditionOf(vmi, 'Paused') !== undefined) return undefined;
  const left = scene.left('agent', dials.agentMs, since(vmi, 'Running'));
  if (left > 0) return wait(left);
  const condition: Condition = { lastProbeTime: now, lastTransitionTime: null, status: 'True', type: 'AgentConnected' };
  return {
    kind: 'write',
    node,
    status: {
      conditions: [...conditionsWithout(vmi, 'AgentConnected'), condition],
      guestOSInfo: guestOs(vmi),
      interfaces: interfaces(vmi, podIP, true),
    },
  };
}

/** After a migration, the guest has the address of its new pod. */
export function readdress({ vmi, node, pod }: Scene): DomainStep {
  const podIP = pod?.status?.podIP;
  const first = vmi.status?.interfaces?.[0];
  if (podIP === undefined || first?.['ipAddress'] === undefined || first['ipAddress'] === podIP) return undefined;
  const connected = conditionOf(vmi, 'AgentConnected') !== undefined;
  return { kind: 'write', node, status: { interfaces: interfaces(vmi, podIP, connected) } };
}
