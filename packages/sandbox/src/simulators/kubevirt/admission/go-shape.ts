/**
 * Shapes an object like the result of a webhook, which has been through Go's types: quantities are canonical, required
 * texts are empty instead of absent, structs that are not pointers are present, and empty lists are left out.
 */
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { ensureObject, objectAt, setDefault } from '../../../objects/kinds/values/fields.ts';
import { formatQuantity, parseQuantity, quantityError } from '../../../objects/schema/quantity.ts';
import type { Schema } from '../../../objects/schema/schema.ts';
import { hasZero, propertyOf } from './schema-check.ts';

/** `fillStructs` returns the structs of a VMI's spec that are not pointers and therefore always written. */
export function fillStructs(spec: JsonObject): void {
  const domain = ensureObject(spec, 'domain');
  setDefault(domain, 'devices', {});
  setDefault(domain, 'resources', {});
  const features = objectAt(domain, 'features');
  if (features !== undefined) setDefault(features, 'acpi', {});
}

export function fillTemplateStructs(dataVolumeTemplates: readonly JsonObject[]): void {
  for (const { spec } of dataVolumeTemplates) {
    if (!isObject(spec)) continue;
    for (const kind of ['storage', 'pvc']) {
      const target = objectAt(spec, kind);
      if (target !== undefined) setDefault(target, 'resources', {});
    }
  }
}

/** `shaped` fills required fields with their zero value, and drops what Go does not write. */
export function shaped(schema: Schema | undefined, value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => shaped(schema?.items, item));
  if (!isObject(value)) return schema === undefined || !isQuantity(schema) ? value : canonical(value);
  const result: JsonObject = {};
  for (const [name, item] of Object.entries(value)) {
    const nothing = item === undefined || item === null;
    const left = Array.isArray(item) && item.length === 0 && schema?.required?.includes(name) !== true;
    if (!nothing && !left) result[name] = shaped(schema === undefined ? undefined : propertyOf(schema, name), item);
  }
  for (const name of schema?.required ?? []) {
    const property = schema === undefined ? undefined : propertyOf(schema, name);
    if (result[name] === undefined && hasZero(property)) result[name] = zeroOf(property);
  }
  return result;
}

/** `quantityFault` returns Go's message for a quantity that it cannot parse. */
export function quantityFault(schema: Schema | undefined, value: Json): string | undefined {
  if (schema === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item) => quantityFault(schema.items, item)).find((fault) => fault);
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, item]) => quantityFault(propertyOf(schema, name), item ?? null))
      .find((fault) => fault);
  }
  return isQuantity(schema) && typeof value === 'string' ? quantityError(value) : undefined;
}

/** Ports are int-or-string too, but only quantities have a pattern. */
const isQuantity = (schema: Schema): boolean =>
  schema['x-kubernetes-int-or-string'] === true && schema.pattern !== undefined;

function canonical(value: Json): Json {
  const quantity = typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value)) : undefined;
  return quantity === undefined ? value : formatQuantity(quantity);
}

function zeroOf(schema: Schema | undefined): Json {
  if (schema?.type === 'string') return '';
  return schema?.type === 'boolean' ? false : 0;
}
