/** `vitistack.io/paused` on a Machine: nothing of it is changed, and even its deletion does not proceed. */
import type { KubeObject } from '@ssvirt/kube/object';
import { annotations } from '../../kubevirt/machine/resource.ts';

/** The condition exists only while it is true. */
export const pausedCondition = 'Paused';

/** Why the Machine is paused; undefined if it is not. */
export function isPaused({ metadata }: KubeObject): string | undefined {
  const value = metadata.annotations?.[annotations.paused];
  if (value === undefined || value === 'false') return undefined;
  return `the annotation ${annotations.paused} is "${value}": nothing is changed until it is removed`;
}
