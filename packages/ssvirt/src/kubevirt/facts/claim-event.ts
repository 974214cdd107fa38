/** What is kept of an Event that explains why a PersistentVolumeClaim gets no volume. */
import { fields, known, text } from './reading.ts';

export interface ClaimEventFacts {
  /** The name of the claim. */
  readonly claim: string;
  readonly message: string;
  /** The time of its last occurrence. */
  readonly at: string;
}

/** Other events on claims are no trouble, such as WaitForFirstConsumer. */
export const claimEventReason = 'ProvisioningFailed';

const longestMessage = 512;
/** CDI repeats the events of the claim that it fills on the claim that gets its volume. */
const repeated = /^\[[^\]]*\] : /;

export function claimEventFacts(object: unknown): ClaimEventFacts | undefined {
  const { involvedObject, reason, message, lastTimestamp, eventTime, metadata } = fields(object);
  const { kind, name } = fields(involvedObject);
  const said = text(message, longestMessage)?.replace(repeated, '');
  const claim = text(name);
  if (kind !== 'PersistentVolumeClaim' || reason !== claimEventReason || said === undefined || claim === undefined)
    return undefined;
  const at = text(lastTimestamp, 40) ?? text(eventTime, 40) ?? text(fields(metadata)['creationTimestamp'], 40);
  return known<ClaimEventFacts>({ claim, message: said, at: at ?? '' });
}
