/**
 * virt-api validates objects against its own OpenAPI before it decodes them, with go-openapi's messages: no index in
 * the path, the type of the value in quotes. A missing field counts only if Go has no zero value for it: objects and
 * lists do, texts and numbers do not.
 */
import { isObject, own, type Json, type JsonObject } from '../../../values/json.ts';
import type { Schema } from '../../../objects/schema/schema.ts';
import type { Cause } from './cause.ts';

/** Enumerations of core types that the definitions do not contain, by the end of the path. */
const ENUMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\.nodeSelectorTerms\.(matchExpressions|matchFields)\.operator$/,
    ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'],
  ],
  [
    /\.preferredDuringSchedulingIgnoredDuringExecution\.preference\.match(Expressions|Fields)\.operator$/,
    ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'],
  ],
  [/\.tolerations\.effect$/, ['NoExecute', 'NoSchedule', 'PreferNoSchedule']],
  [/\.tolerations\.operator$/, ['Equal', 'Exists', 'Gt', 'Lt']],
  [/\.topologySpreadConstraints\.whenUnsatisfiable$/, ['DoNotSchedule', 'ScheduleAnyway']],
  [/\.dnsPolicy$/, ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']],
  [/\.httpGet\.scheme$/, ['HTTP', 'HTTPS']],
  [/\.containerDisk\.imagePullPolicy$/, ['Always', 'IfNotPresent', 'Never']],
];

/** `schemaCauses` validates `value`, which is at `path`. */
export function schemaCauses(schema: Schema, value: Json, path: string): Cause[] {
  const causes: Cause[] = [];
  check(schema, value, path, causes);
  return causes;
}

function check(schema: Schema, value: Json, path: string, causes: Cause[]): void {
  if (schema['x-kubernetes-int-or-string'] === true) return;
  const expected = schema.type;
  if (expected !== undefined && !isOf(expected, value)) {
    causes.push(said(`${path} in body must be of type ${expected}: ${JSON.stringify(kindOf(value))}`));
    return;
  }
  if (typeof value === 'string') checkText(value, path, causes);
  if (Array.isArray(value)) {
    for (const item of value) if (schema.items !== undefined) check(schema.items, item, path, causes);
  }
  if (isObject(value)) checkObject(schema, value, path, causes);
}

function checkObject(schema: Schema, value: JsonObject, path: string, causes: Cause[]): void {
  for (const name of Object.keys(value)) {
    const property = propertyOf(schema, name);
    const item = value[name];
    if (property !== undefined && item !== undefined && item !== null) check(property, item, `${path}.${name}`, causes);
  }
  for (const name of schema.required ?? []) {
    if (own(value, name) === undefined && !hasZero(propertyOf(schema, name)))
      causes.push(said(`${path}.${name} in body is required`));
  }
}

function checkText(value: string, path: string, causes: Cause[]): void {
  // Go's zero value counts as absent.
  if (value === '') return;
  const values = ENUMS.find(([end]) => end.test(path))?.[1];
  if (values === undefined || values.includes(value)) return;
  causes.push(said(`${path} in body should be one of [${values.join(' ')}]`));
}

export function propertyOf(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** `hasZero` returns whether Go writes a zero value for the field: `""`, `0`, `false`. */
export function hasZero(schema: Schema | undefined): boolean {
  if (schema === undefined || schema['x-kubernetes-int-or-string'] === true) return false;
  return schema.type === 'string' || schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean';
}

function isOf(type: string, value: Json): boolean {
  if (value === null) return true;
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === typeof value;
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return value === null ? 'null' : typeof value;
}

/** These causes have neither a type nor a field. */
const said = (message: string): Cause => ({ type: '', message });
