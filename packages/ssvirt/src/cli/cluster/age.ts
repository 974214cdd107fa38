import { span } from '../output/ago.ts';

/** `age` returns the age in its largest unit, as `kubectl get` prints it: `5m`, `3d`. */
export function age(creationTimestamp: string | undefined, now: number = Date.now()): string | undefined {
  const ms = now - Date.parse(creationTimestamp ?? '');
  return Number.isNaN(ms) ? undefined : span(Math.max(0, ms)).replace(' min', 'm').replace(' ', '');
}
