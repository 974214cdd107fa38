/**
 * The users' declarations: one side of the final comparison. It contains only the desired state, nothing of how it is
 * reached.
 */
import { defined } from '@ssvirt/base/values/defined';
import type {
  CloudInitSpec,
  MachineDiskSpec,
  MachineSpec,
  NetworkSpec,
} from '../../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import type { Dice } from '../../conformance/dice.ts';
import { networks, textNames } from './supplies.ts';

/** One name in a namespace: a Machine with it may be created, changed, deleted, and created again elsewhere. */
export class Declared {
  readonly namespace: string;
  readonly name: string;
  readonly history: string[] = [];
  /** A user works on it. */
  isBusy = false;
  state: 'absent' | 'there' | 'going' = 'absent';
  cluster = '';
  spec: MachineSpec = {};
  labels: Record<string, string> = {};
  /** All disks that the present Machine ever had, as last declared. */
  readonly disks = new Map<string, MachineDiskSpec>();
  /** Claims of disks that existed when they were removed. */
  readonly kept = new Set<string>();

  constructor(namespace: string, name: string) {
    this.namespace = namespace;
    this.name = name;
  }

  note(what: string): void {
    this.history.push(`${new Date().toISOString()} ${what}`);
  }

  /** A new Machine. */
  begin(dice: Dice, cluster: string): void {
    this.state = 'there';
    this.cluster = cluster;
    this.labels = anyLabels(dice);
    this.disks.clear();
    this.kept.clear();
    const networkList = anyNetworks(dice);
    const cloudInit = anyCloudInit(dice);
    this.spec = {
      template: dice.pick(['small', 'medium', 'large']),
      running: dice.chance(0.7),
      ...(dice.chance(0.4) ? { resources: anyResources(dice) } : {}),
      ...defined({ networks: networkList, cloudInit }),
    };
    if (dice.chance(0.3))
      this.say([{ name: 'root', source: { containerDisk: { image: 'images.example.com/fedora:42' } } }]);
    if (dice.chance(0.4)) this.say([...(this.spec.disks ?? []), { name: 'data', size: '1Gi' }]);
  }

  /** Sets these disks. */
  say(disks: readonly MachineDiskSpec[]): void {
    this.spec = { ...this.spec, disks };
    for (const disk of disks) this.disks.set(disk.name, disk);
  }
}

export const sizes = ['1Gi', '2Gi', '3Gi', '5Gi', '8Gi', '13Gi'] as const;

export function larger(size: string): string {
  const place = sizes.findIndex((one) => one === size);
  return sizes[Math.min(place + 1, sizes.length - 1)] ?? size;
}

export function anyResources(dice: Dice): NonNullable<MachineSpec['resources']> {
  return {
    cpu: { cores: 1 + dice.below(6), ...(dice.chance(0.3) ? { sockets: 2 } : {}) },
    ...(dice.chance(0.6) ? { memory: { size: dice.pick(['1Gi', '3Gi', '6Gi', '1536Mi']) } } : {}),
  };
}

export function anyLabels(dice: Dice): Record<string, string> {
  return dice.chance(0.5) ? { 'cluster.vitistack.io/cluster-name': dice.pick(['blue', 'green']) } : {};
}

/** Undefined: the pod network. */
export function anyNetworks(dice: Dice): readonly NetworkSpec[] | undefined {
  const names = [...networks.keys()];
  const chosen = (): string => dice.pick(names);
  switch (dice.below(4)) {
    case 0:
      return [{ name: 'eth0' }];
    case 1:
      return [{ name: 'eth0', networkName: chosen(), model: dice.pick(['virtio', 'e1000', 'rtl8139']) }];
    case 2:
      return [{ name: 'eth0' }, { name: 'eth1', networkName: chosen(), macAddress: anyAddress(dice) }];
    default:
      return undefined;
  }
}

function anyAddress(dice: Dice): string {
  const pair = (): string => dice.below(256).toString(16).padStart(2, '0');
  return ['52', '54', pair(), pair(), pair(), pair()].join(':').toUpperCase();
}

export function anyCloudInit(dice: Dice): CloudInitSpec | undefined {
  const text = (bytes: number): string => `#cloud-config\n# ${dice.below(1e9)} ${'x'.repeat(bytes)}\n`;
  switch (dice.below(5)) {
    case 0:
      return { userData: text(20) };
    case 1:
      return { userData: text(3000) };
    case 2:
      return { secretRef: { name: dice.pick(textNames), key: 'userdata' } };
    case 3:
      return { userData: text(20), networkData: `version: 2\n# ${dice.below(1e9)}\n` };
    default:
      return undefined;
  }
}
