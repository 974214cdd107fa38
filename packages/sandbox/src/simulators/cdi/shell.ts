/** What the controllers of CDI work with. */
import type { Cluster } from '@ssvirt/kube/cluster';
import { regarding } from '@ssvirt/kube/events/event';
import {
  dataVolumes,
  persistentVolumeClaims,
  type DataVolume,
  type PersistentVolumeClaim,
} from '../kubevirt/objects.ts';
import type { Stopwatch } from '../stopwatch.ts';
import type { World } from '../world.ts';
import type { CdiCaches } from './caches.ts';
import type { News } from './phase-events.ts';

export interface CdiShell {
  readonly world: World;
  readonly cluster: Cluster;
  readonly caches: CdiCaches;
  readonly watch: Stopwatch;
}

export function tell({ cluster }: CdiShell, dataVolume: DataVolume, [type, reason, message]: News): void {
  cluster.recorder.event(regarding(dataVolumes, dataVolume), type, reason, message);
}

/** Above this speed, objects that exist only to be looked at are left out. */
const BUSY_SPEED = 20;

export const isBusy = ({ world }: CdiShell): boolean => world.dials.speed > BUSY_SPEED;

export function tellOfClaim(shell: CdiShell, claim: PersistentVolumeClaim, [type, reason, message]: News): void {
  if (type === 'Normal' && isBusy(shell)) return;
  shell.cluster.recorder.event(regarding(persistentVolumeClaims, claim), type, reason, message);
}
