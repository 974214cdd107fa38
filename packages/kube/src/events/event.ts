/**
 * core/v1 Events as client-go writes them, because that is what `kubectl describe` sorts, counts and prints: timestamps
 * in seconds, a count, and the writer both as `source` and as `reportingComponent`.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import { apiVersionOf } from '../resource-type.ts';

export type EventType = 'Normal' | 'Warning';

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface EventSource {
  readonly component: string;
  readonly host?: string;
}

export interface CoreEvent extends KubeObject {
  readonly involvedObject: ObjectReference;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly source: EventSource;
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

export const eventType: ResourceType<CoreEvent> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
};

/** The limits of events.k8s.io: readers of that API get our events untruncated. */
const longestMessage = 1024;
const longestReason = 128;
const longestName = 253;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export interface Happening {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

export interface Circumstances {
  readonly source: EventSource;
  readonly date: Date;
  readonly nanoseconds: bigint;
}

export function eventOf(
  object: ObjectReference,
  what: Happening,
  { source, date, nanoseconds }: Circumstances,
): CoreEvent {
  const timestamp = timestampOf(date);
  return {
    metadata: { name: eventName(object.name, nanoseconds), namespace: object.namespace ?? 'default' },
    involvedObject: object,
    type: what.type,
    reason: cut(what.reason, longestReason),
    message: cut(what.message, longestMessage),
    count: 1,
    firstTimestamp: timestamp,
    lastTimestamp: timestamp,
    source,
    reportingComponent: source.component,
    reportingInstance: source.host ?? '',
  };
}

/** `referenceTo` returns the reference to an event's object; undefined when the object has no kind or name. */
export function referenceTo({ apiVersion, kind, metadata }: KubeObject): ObjectReference | undefined {
  const { name, namespace, uid, resourceVersion } = metadata;
  if (apiVersion === undefined || kind === undefined || name === undefined) return undefined;
  return {
    apiVersion,
    kind,
    name,
    ...defined({ namespace, uid, resourceVersion }),
  };
}

/** `regarding` adds apiVersion and kind to an object from a cache or list, which may lack them. */
export function regarding(type: ResourceType<KubeObject>, { metadata }: Pick<KubeObject, 'metadata'>): KubeObject {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata };
}

/** `object.<hex nanotime>`, shortened to a valid name; a UUID when the object's name cannot be part of one. */
export function eventName(object: string, nanoseconds: bigint): string {
  const suffix = `.${nanoseconds.toString(16)}`;
  const stem = object.slice(0, longestName - suffix.length).replace(/[^a-z0-9]+$/, '');
  return subdomain.test(stem) ? stem + suffix : randomUUID();
}

/** `timestampOf` returns Kubernetes' Time, with a resolution of seconds. */
export function timestampOf(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function cut(text: string, longest: number): string {
  const points = [...text];
  return points.length <= longest ? text : `${points.slice(0, longest - 1).join('')}…`;
}
