/** The statuses that a kubelet reports for the containers of a pod. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../values/json.ts';
import { listAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { Pod } from '../kubevirt/objects.ts';

/** The same image always has the same digest, as if it was never pushed again. */
const digests = new Map<string, string>();

export function imageId(image: string): string {
  if (image.includes('@sha256:')) return image;
  const known = digests.get(image);
  if (known !== undefined) return known;
  const slash = image.lastIndexOf('/');
  const colon = image.indexOf(':', slash + 1);
  const name = colon < 0 ? image : image.slice(0, colon);
  const id = `${name}@sha256:${createHash('sha256').update(image).digest('hex')}`;
  if (digests.size < 4096) digests.set(image, id);
  return id;
}

const isSidecar = (container: JsonObject): boolean => textAt(container, 'restartPolicy') === 'Always';

interface Statuses extends JsonObject {
  readonly initContainerStatuses?: JsonObject[];
  readonly containerStatuses: JsonObject[];
}

function statuses(pod: Pod, one: (container: JsonObject, isInit: boolean) => JsonObject): Statuses {
  const inits = listAt(pod.spec, 'initContainers');
  return {
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits.map((container) => one(container, true)) }),
    containerStatuses: listAt(pod.spec, 'containers').map((container) => one(container, false)),
  };
}

function status(
  container: JsonObject,
  state: JsonObject,
  flags: { ready: boolean; started: boolean; pulled: boolean },
): JsonObject {
  const image = textAt(container, 'image');
  return {
    name: textAt(container, 'name'),
    state,
    lastState: {},
    ready: flags.ready,
    restartCount: 0,
    image,
    imageID: flags.pulled ? imageId(image) : '',
    started: flags.started,
  };
}

export function waitingStatuses(pod: Pod, reason: string, message?: string): Statuses {
  return statuses(pod, (container, isInit) => {
    const first = listAt(pod.spec, 'containers')[0] === container;
    const waiting = isInit || !first ? idle(pod, isInit) : { reason, ...(message === undefined ? {} : { message }) };
    return status(container, { waiting }, { ready: false, started: false, pulled: false });
  });
}

const idle = (pod: Pod, isInit: boolean): JsonObject => ({
  reason: isInit || listAt(pod.spec, 'initContainers').length > 0 ? 'PodInitializing' : 'ContainerCreating',
});

export function runningStatuses(pod: Pod, now: string): Statuses {
  return statuses(pod, (container, isInit) =>
    isInit && !isSidecar(container)
      ? status(container, { terminated: ended(0, now, now) }, { ready: true, started: false, pulled: true })
      : status(container, { running: { startedAt: now } }, { ready: true, started: true, pulled: true }),
  );
}

/** Init containers that succeeded earlier keep their status. */
export function endedStatuses(pod: Pod, exitCode: number, startedAt: string, now: string): Statuses {
  return statuses(pod, (container, isInit) =>
    isInit && !isSidecar(container)
      ? status(container, { terminated: ended(0, startedAt, startedAt) }, { ready: true, started: false, pulled: true })
      : status(
          container,
          { terminated: ended(exitCode, startedAt, now) },
          { ready: false, started: false, pulled: true },
        ),
  );
}

function ended(exitCode: number, startedAt: string, finishedAt: string): JsonObject {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt, finishedAt };
}
