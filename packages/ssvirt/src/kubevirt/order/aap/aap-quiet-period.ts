/** Whether a job of AAP may be running: AAP does not report when a job ends without having done its work. */
import { remaining } from '../elapsed.ts';
import type { WebhookRecord } from '../resource.ts';

export interface QuietPeriod {
  readonly webhook?: WebhookRecord | undefined;
  readonly reconciled?: string | undefined;
  readonly quietPeriodMs: number;
  readonly now: number;
}

/** How much of the AAP quiet period is left; 0 if there is none. */
export function quietFor({ webhook, reconciled, quietPeriodMs, now }: QuietPeriod): number {
  if (webhook?.action !== 'create') return 0;
  const { acceptedTime, acceptedConfigVersion = webhook.configVersion, unansweredTime, configVersion } = webhook;
  const accepted = acceptedConfigVersion === reconciled ? 0 : remaining(acceptedTime, quietPeriodMs, now);
  const unanswered = configVersion === reconciled ? 0 : remaining(unansweredTime, quietPeriodMs, now);
  return Math.max(accepted, unanswered);
}

/**
 * Whether AAP may have begun another version than the reconciled one: the last call was for another version. Then the
 * reconciled version no longer holds, even if no change is reported. A call that AAP certainly did not accept changes
 * nothing.
 */
export function hasBegunAnother(webhook: WebhookRecord | undefined, reconciled: string): boolean {
  if (webhook?.action !== 'create' || webhook.configVersion === reconciled) return false;
  const { acceptedTime, acceptedConfigVersion = webhook.configVersion, unansweredTime } = webhook;
  return unansweredTime !== undefined || (acceptedTime !== undefined && acceptedConfigVersion !== reconciled);
}

export interface Deletion extends QuietPeriod {
  readonly desired: string;
  /** When the order's deletion was requested. */
  readonly since: string | undefined;
}

/**
 * For how long a job may still create objects of an order that is being deleted. No create is requested after the
 * deletion, but AAP may run a create job and a delete job side by side. Once AAP was asked to delete, the record of its
 * last create call is gone: that call came before the deletion at the latest.
 */
export function quietAfterDeletion({ desired, since, ...quiet }: Deletion): number {
  const { webhook, reconciled, quietPeriodMs, now } = quiet;
  if (webhook?.action !== 'delete') return quietFor(quiet);
  return reconciled === desired ? 0 : remaining(since, quietPeriodMs, now);
}
