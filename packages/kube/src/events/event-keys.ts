/** Keys that decide which events are the same, which are similar, and which come from one source about one object. */
import type { CoreEvent } from './event.ts';

/** Equal for events that differ only in time: they are counted, not sent again. */
export function sameKey(event: CoreEvent): string {
  return join(...objectFields(event), event.type, event.reason, event.message);
}

/** Equal for events that differ only in message. */
export function alikeKey(event: CoreEvent): string {
  return join(...objectFields(event), event.type, event.reason, event.reportingComponent, event.reportingInstance);
}

export function spamKey(event: CoreEvent): string {
  return join(...objectFields(event), event.type);
}

function objectFields({ source, involvedObject }: CoreEvent): readonly string[] {
  const { kind, namespace = '', name, uid = '', apiVersion } = involvedObject;
  return [source.component, source.host ?? '', kind, namespace, name, uid, apiVersion];
}

/** Joins with a separator, so that different lists of fields never produce the same text. */
function join(...fields: readonly string[]): string {
  return fields.join('\u0000');
}
