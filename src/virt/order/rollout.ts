/** Which orders a rollout percentage reaches. By uid, so that an order is always in the same place, and who is in at 10 is in at 25. */
import { fingerprint } from '../declared-machine/fingerprint.ts';

export function isInRollout(uid: string, percentage: number): boolean {
  return rolloutPlace(uid) < percentage;
}

/** 0 to 99. Never to be computed otherwise: orders would change places within a rollout. */
export function rolloutPlace(uid: string): number {
  return Number.parseInt(fingerprint(uid).slice(-8), 16) % 100;
}
