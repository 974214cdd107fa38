/** An image that cannot be pulled: retried with doubling pauses, as by a kubelet. */
import type { EventType } from '@ssvirt/kube/events/event';
import type { JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { Pod } from '../kubevirt/objects.ts';
import type { Stopwatch } from '../stopwatch.ts';
import type { World } from '../world.ts';
import { pullingStatus } from './pod-status.ts';

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;
/** Endless failures are retried with a pause at any speed. */
const SHORTEST_PAUSE_MS = 100;
/** The time until an attempt fails. */
const TRY_MS = 1500;

export interface PullStep {
  readonly status?: JsonObject;
  readonly events: readonly (readonly [type: EventType, reason: string, message: string])[];
  readonly afterMs: number;
}

export class ImagePulls {
  readonly #world: World;
  readonly #watch: Stopwatch;
  /** The number of attempts per pod; it only determines the length of the pause. */
  readonly #tries = new Map<string, number>();

  constructor(world: World, watch: Stopwatch) {
    this.#world = world;
    this.#watch = watch;
  }

  forget(uid: string): void {
    this.#tries.delete(uid);
  }

  /** Returns the next step of a failing pull; undefined when the image can be pulled. */
  next(pod: Pod, broken: boolean): PullStep | undefined {
    const uid = pod.metadata.uid ?? '';
    const reason = waitingReason(pod);
    if (reason === 'ImagePullBackOff') {
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, (this.#tries.get(uid) ?? 1) - 1));
      const left = this.#watch.left(uid, 'pull-pause', Math.max(SHORTEST_PAUSE_MS, this.#world.scaled(pause)));
      if (left > 0) return { events: [], afterMs: left };
    }
    if (!broken) {
      this.#tries.delete(uid);
      return undefined;
    }
    return reason === 'ErrImagePull' ? this.#backOff(pod, uid) : this.#fail(pod, uid);
  }

  #fail(pod: Pod, uid: string): PullStep {
    const image = imageOf(pod);
    this.#tries.set(uid, (this.#tries.get(uid) ?? 0) + 1);
    this.#watch.restart(uid, 'pull-try');
    const message = `rpc error: code = NotFound desc = failed to pull and unpack image "${image}": not found`;
    return {
      status: pullingStatus(pod, 'ErrImagePull', message),
      events: [
        ['Normal', 'Pulling', `Pulling image "${image}"`],
        ['Warning', 'Failed', `Failed to pull image "${image}": ${message}`],
        ['Warning', 'Failed', 'Error: ErrImagePull'],
      ],
      afterMs: Math.max(1, this.#world.scaled(TRY_MS)),
    };
  }

  #backOff(pod: Pod, uid: string): PullStep {
    const left = this.#watch.left(uid, 'pull-try', this.#world.scaled(TRY_MS));
    if (left > 0) return { events: [], afterMs: left };
    this.#watch.restart(uid, 'pull-pause');
    const message = `Back-off pulling image "${imageOf(pod)}"`;
    return {
      status: pullingStatus(pod, 'ImagePullBackOff', message),
      events: [
        ['Normal', 'BackOff', message],
        ['Warning', 'Failed', 'Error: ImagePullBackOff'],
      ],
      afterMs: Math.max(SHORTEST_PAUSE_MS, this.#world.scaled(FIRST_PAUSE_MS)),
    };
  }
}

/** For a launcher, the image of its first container disk, because that is the image that users name. */
function imageOf(pod: Pod): string {
  const disk = listAt(pod.spec, 'volumes').find(
    (volume) => objectAt(volume, 'image') !== undefined && textAt(volume, 'name') !== 'launcher-volume',
  );
  return textAt(objectAt(disk, 'image'), 'reference') || textAt(listAt(pod.spec, 'containers')[0], 'image');
}

function waitingReason({ status }: Pod): string {
  return textAt(objectAt(objectAt(status?.containerStatuses?.[0], 'state'), 'waiting'), 'reason');
}
