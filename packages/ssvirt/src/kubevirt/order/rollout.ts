/**
 * Which orders a rollout percentage includes. The uid decides, so that an order always has the same place, and an order
 * that is included at 10 is included at 25.
 */
import { fingerprint } from '../machine/fingerprint.ts';

export function isInRollout(uid: string, percentage: number): boolean {
  return rolloutPlace(uid) < percentage;
}

/** 0 to 99. The computation must never change: orders would change places within a rollout. */
export function rolloutPlace(uid: string): number {
  return Number.parseInt(fingerprint(uid).slice(-8), 16) % 100;
}
