/** Whether a job of AAP may be running: nobody tells us when one ends without having done its work. */
import { remaining } from './elapsed.ts';
import type { WebhookRecord } from './resource.ts';

export interface Quiet {
  readonly webhook?: WebhookRecord | undefined;
  readonly reconciled?: string | undefined;
  readonly quietPeriodMs: number;
  readonly now: number;
}

/** For how long to keep out of AAP's way still; 0 where there is no reason to. */
export function quietFor({ webhook, reconciled, quietPeriodMs, now }: Quiet): number {
  if (webhook?.action !== 'create') return 0;
  const { acceptedTime, acceptedConfigVersion = webhook.configVersion, unansweredTime, configVersion } = webhook;
  const accepted = acceptedConfigVersion === reconciled ? 0 : remaining(acceptedTime, quietPeriodMs, now);
  const unanswered = configVersion === reconciled ? 0 : remaining(unansweredTime, quietPeriodMs, now);
  return Math.max(accepted, unanswered);
}

/**
 * AAP was last asked for another version than the one that it, or the controller, has done, and may have begun with it: then that one does not stand any more, even
 * where nothing is reported. What was asked for and surely not taken changes nothing.
 */
export function hasBegunAnother(webhook: WebhookRecord | undefined, reconciled: string): boolean {
  if (webhook?.action !== 'create' || webhook.configVersion === reconciled) return false;
  const { acceptedTime, acceptedConfigVersion = webhook.configVersion, unansweredTime } = webhook;
  return unansweredTime !== undefined || (acceptedTime !== undefined && acceptedConfigVersion !== reconciled);
}

export interface Deletion extends Quiet {
  readonly desired: string;
  /** When the order's deletion was asked for. */
  readonly since: string | undefined;
}

/**
 * For how long a job may still make something of an order that is being deleted. No other one is asked for since, but AAP lets a job that makes and one that
 * deletes run side by side. When AAP has been asked to delete, the record of what it was asked to make is gone: then it was asked before the deletion at the latest.
 */
export function quietAfterDeletion({ desired, since, ...quiet }: Deletion): number {
  const { webhook, reconciled, quietPeriodMs, now } = quiet;
  if (webhook?.action !== 'delete') return quietFor(quiet);
  return reconciled === desired ? 0 : remaining(since, quietPeriodMs, now);
}
