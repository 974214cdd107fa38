/** What is kept of an Event that tells why a PersistentVolumeClaim gets no volume. */
import { fields, known, text } from './reading.ts';

export interface ClaimEventFacts {
  /** The name of the claim. */
  readonly claim: string;
  readonly message: string;
  /** When it was last said. */
  readonly at: string;
}

/** Others about claims are no trouble, such as that of a first consumer. */
export const claimEventReason = 'ProvisioningFailed';

const longestMessage = 512;
/** CDI repeats the events of the claim that it fills on the one that gets its volume. */
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
