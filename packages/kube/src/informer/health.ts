/** The health of several reflectors behind one informer: the worst of them. */
import type { ReflectorHealth } from './informer.ts';

const severity: Readonly<Record<ReflectorHealth['trouble'], number>> = {
  none: 0,
  silent: 1,
  failing: 2,
  absent: 3,
  forbidden: 4,
};

export function worstOf(healths: readonly [ReflectorHealth, ...ReflectorHealth[]]): ReflectorHealth {
  const rank = (health: ReflectorHealth): number => severity[health.trouble] * 2 + (health.synced ? 0 : 1);
  const worst = healths.reduce((a, b) => (rank(b) > rank(a) ? b : a));
  const activities = healths.map(({ lastActivityAt }) => lastActivityAt).filter((at) => at !== undefined);
  const failing = healths.map(({ failingSince }) => failingSince).filter((since) => since !== undefined);
  return {
    ...worst,
    synced: healths.every(({ synced }) => synced),
    failingSince: failing.length === 0 ? undefined : Math.min(...failing),
    lastActivityAt: activities.length < healths.length ? undefined : Math.min(...activities),
    consecutiveFailures: Math.max(...healths.map(({ consecutiveFailures }) => consecutiveFailures)),
  };
}
