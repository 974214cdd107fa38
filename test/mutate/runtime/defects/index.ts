/** Behaviours that are switched off to see that their tests notice. */
import type { RuntimeDefect } from '../defect.ts';
import { cacheDefects } from './cache.ts';
import { clusterDefects } from './clusters.ts';
import { controllerDefects } from './controller.ts';
import { eventDefects } from './events.ts';
import { informerDefects } from './informers.ts';
import { leaderDefects } from './leader.ts';
import { managerDefects } from './manager.ts';
import { queueDefects } from './queue.ts';
import { reconcileDefects } from './reconcile.ts';
import { reflectorDefects } from './reflector.ts';
import { transportDefects } from './transport.ts';

export const defects: readonly RuntimeDefect[] = [
  // One of these takes a minute: others run beside it.
  ...leaderDefects,
  ...transportDefects,
  ...reflectorDefects,
  ...cacheDefects,
  ...informerDefects,
  ...queueDefects,
  ...controllerDefects,
  ...reconcileDefects,
  ...eventDefects,
  ...managerDefects,
  ...clusterDefects,
];
