/** Which events are the same, which are alike, and which come from one source about one object. */
import type { CoreEvent } from './event.ts';

/** The same in everything but its time: counted, not sent again. */
export function sameKey(event: CoreEvent): string {
  return join(...objectFields(event), event.type, event.reason, event.message);
}

/** Alike: the message differs. */
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

/** With a separator, so that no two different lists of fields run together into the same text. */
function join(...fields: readonly string[]): string {
  return fields.join('\u0000');
}
