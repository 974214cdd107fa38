/** Retries a reconcile with growing pauses after a conflict or a missing object, without a log line. */
import type { Request, Result } from '@ssvirt/kube/controller/request';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import { isKind } from '@ssvirt/kube/errors';
import { keyOf } from '@ssvirt/kube/object';
import type { World } from '../world.ts';
import { Retries } from './vmi/retries.ts';

type Reconcile = (request: Request, context: ClusterContext) => Promise<Result | void>;

/** Applies at any speed: the cache needs time to catch up. */
const SHORTEST_MS = 20;

export function quietRetries(world: World, reconcile: Reconcile): Reconcile {
  const retries = new Retries();
  return async (request, context) => {
    const key = keyOf(request);
    try {
      const result = await reconcile(request, context);
      retries.forget(key);
      return result;
    } catch (error) {
      if (!isKind(error, 'Conflict', 'NotFound')) throw error;
      return { requeueAfterMs: Math.max(SHORTEST_MS, world.scaled(retries.next(key))) };
    }
  };
}
