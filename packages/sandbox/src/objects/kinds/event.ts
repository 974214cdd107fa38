/** Events are one kind of object with two forms: core/v1, which is stored, and events.k8s.io/v1. */
import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import { isObject, jsonEqual } from '../../values/json.ts';
import { isDNS1123Subdomain } from '../schema/names.ts';
import { IMMUTABLE, qualifiedName } from './errors.ts';
import { numberAt, objectAt, textAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';

/** core/v1 name → events.k8s.io/v1 name. */
const RENAMED: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
const TO_NEW = new Map(RENAMED);
const TO_CORE = new Map(RENAMED.map(([core, renamed]) => [renamed, core]));

function rename(event: KubeObject, names: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(event)) out[names.get(key) ?? key] = value;
  return { ...out, apiVersion, kind: 'Event', metadata: event.metadata };
}

export function eventToEventsV1(event: KubeObject): KubeObject {
  const out = rename(event, TO_NEW, 'events.k8s.io/v1');
  // core/v1 contains these fields even when they are empty, events.k8s.io/v1 does not.
  for (const key of ['reportingController', 'reportingInstance']) if (out[key] === '') delete out[key];
  return out;
}

export function eventFromEventsV1(event: KubeObject): KubeObject {
  const out = rename(event, TO_CORE, 'v1');
  out['reportingComponent'] ??= '';
  out['reportingInstance'] ??= '';
  return out;
}

const isNew = (event: JsonObject): boolean => textAt(event, 'eventTime') !== '';

function namespaceErrors(event: KubeObject, involved: string): FieldError[] {
  const own = event.metadata.namespace ?? '';
  const mayBeAbsent = isNew(event) ? ['default', 'kube-system'] : ['', 'default'];
  const fits = involved === '' ? mayBeAbsent.includes(own) : isNew(event) || own === involved;
  return fits ? [] : [fieldError.invalid('involvedObject.namespace', involved, 'does not match event.namespace')];
}

function limited(event: JsonObject, key: string, limit: number, required: boolean): FieldError[] {
  const value = textAt(event, key);
  if (value === '') return required ? [fieldError.required(key, '')] : [];
  if (Buffer.byteLength(value) <= limit) return [];
  return [fieldError.invalid(key, '', `can have at most ${limit} characters`)];
}

/**
 * `event` has the form of core/v1; `controller` is the name of the reporting component's field in the request's
 * version.
 */
function legacyErrors(event: KubeObject, controller: string): FieldError[] {
  const errors = namespaceErrors(event, textAt(objectAt(event, 'involvedObject'), 'namespace'));
  if (isNew(event)) {
    const reporter = textAt(event, 'reportingComponent');
    if (reporter === '') errors.push(fieldError.required(controller, ''));
    errors.push(
      ...qualifiedName(reporter, controller),
      ...limited(event, 'reportingInstance', 128, true),
      ...limited(event, 'action', 128, true),
      ...limited(event, 'reason', 128, true),
      ...limited(event, 'message', 1024, false),
    );
  }
  const namespace = event.metadata.namespace ?? '';
  return [...errors, ...isDNS1123Subdomain(namespace).map((why) => fieldError.invalid('namespace', namespace, why))];
}

function seriesErrors(event: JsonObject): FieldError[] {
  const series = objectAt(event, 'series');
  if (series === undefined) return [];
  return [
    ...(numberAt(series, 'count') < 2 ? [fieldError.invalid('series.count', '', 'should be at least 2')] : []),
    ...(textAt(series, 'lastObservedTime') === '' ? [fieldError.required('series.lastObservedTime', '')] : []),
  ];
}

function strictErrors(event: KubeObject): FieldError[] {
  const errors = seriesErrors(event);
  const unset = (field: string, isUnset: boolean): void => {
    if (!isUnset) errors.push(fieldError.invalid(field, '', 'needs to be unset'));
  };
  if (!isNew(event)) errors.push(fieldError.required('eventTime', ''));
  const type = textAt(event, 'type');
  if (type !== 'Normal' && type !== 'Warning')
    errors.push(fieldError.invalid('type', '', `has invalid value: ${type}`));
  unset('firstTimestamp', textAt(event, 'firstTimestamp') === '');
  unset('lastTimestamp', textAt(event, 'lastTimestamp') === '');
  unset('count', numberAt(event, 'count') === 0);
  const source = objectAt(event, 'source');
  unset('source', textAt(source, 'component') === '' && textAt(source, 'host') === '');
  return errors;
}

const FIXED = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
];
const ALSO_FIXED = ['eventTime', 'action', 'related', 'reportingComponent', 'reportingInstance'];

function strictUpdateErrors(event: KubeObject, old: KubeObject): FieldError[] {
  const series = jsonEqual(event['series'], old['series']) ? [] : seriesErrors(event);
  const fixed = [...FIXED, ...ALSO_FIXED].flatMap((key) =>
    jsonEqual(event[key] ?? undefined, old[key] ?? undefined)
      ? []
      : [fieldError.invalid(key === 'reportingComponent' ? 'reportingController' : key, shown(event[key]), IMMUTABLE)],
  );
  return [...series, ...fixed];
}

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const GO_NAMES: { readonly [key: string]: string } = { uid: 'UID', apiVersion: 'APIVersion' };

/** References are printed as Kubernetes' internal struct. */
function shown(value: Json | undefined): Json {
  if (!isObject(value)) return value ?? '';
  const name = (key: string): string => GO_NAMES[key] ?? `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
  return Object.fromEntries(REFERENCE.map((key) => [name(key), textAt(value, key)]));
}

function selectableFields(event: KubeObject): Record<string, string> {
  const involved = objectAt(event, 'involvedObject');
  const reporter = textAt(event, 'reportingComponent');
  const source = textAt(objectAt(event, 'source'), 'component');
  return {
    ...Object.fromEntries(REFERENCE.map((key) => [`involvedObject.${key}`, textAt(involved, key)])),
    reason: textAt(event, 'reason'),
    reportingComponent: reporter,
    source: source === '' ? reporter : source,
    type: textAt(event, 'type'),
  };
}

export const event: KindBehaviour = {
  // Old clients use arbitrary names for events.
  nameRule: 'pathSegment',
  allowCreateOnUpdate: true,
  validate: (object) => legacyErrors(object, 'reportingComponent'),
  validateUpdate: (object) => legacyErrors(object, 'reportingComponent'),
  selectableFields,
};

/** `eventsV1Event` are the same objects through events.k8s.io/v1, which is stricter. */
export const eventsV1Event: KindBehaviour = {
  errorGroup: '',
  allowCreateOnUpdate: true,
  validate(object) {
    const core = eventFromEventsV1(object);
    return [...legacyErrors(core, 'reportingController'), ...strictErrors(core)];
  },
  validateUpdate(object, old) {
    const core = eventFromEventsV1(object);
    return [...legacyErrors(core, 'reportingController'), ...strictUpdateErrors(core, eventFromEventsV1(old))];
  },
  selectableFields(object) {
    const fields = selectableFields(eventFromEventsV1(object));
    const renamed = Object.entries(fields).map(([key, value]) => [
      key.replace('involvedObject.', 'regarding.').replace('reportingComponent', 'reportingController'),
      value,
    ]);
    const { source: _, ...rest } = Object.fromEntries(renamed) as Record<string, string>;
    return rest;
  },
};
