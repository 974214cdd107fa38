/** `vitistack.io/paused` on a Machine: nothing of it is touched, not even its deletion goes on. */
import type { KubeObject } from '../../kube/object.ts';
import { annotations } from '../../virt/declared-machine/resource.ts';

/** There only while true. */
export const pausedCondition = 'Paused';

/** Why nothing is done; undefined where it is not paused. */
export function isPaused({ metadata }: KubeObject): string | undefined {
  const value = metadata.annotations?.[annotations.paused];
  if (value === undefined || value === 'false') return undefined;
  return `the annotation ${annotations.paused} is "${value}": nothing is changed until it is taken away`;
}
