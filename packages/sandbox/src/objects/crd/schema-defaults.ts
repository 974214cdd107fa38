/** Validates the defaults of a definition's schema: they must be valid values. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { defaultRuleErrors } from '../cel/rules.ts';
import { jsonEqual } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { validateEmbedded } from '../schema/embedded.ts';
import { sortKeys } from '../schema/go/go-text.ts';
import { prune } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { validate } from '../schema/validate.ts';
import { coerceMetadata } from './metadata.ts';

interface Place {
  /** The resource that contains the schema: the root or an embedded one. */
  readonly resource: Schema;
  readonly insideMeta: boolean;
  /** The enclosing object for a value at this place. */
  readonly surround: (value: Json) => Json;
}

const metaFields: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);
const isResource = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true;

/** The schema must be structural. */
export function defaultErrors(schema: Schema, path: string): FieldError[] {
  const root: Schema = isResource(schema) ? schema : { ...schema, 'x-kubernetes-embedded-resource': true };
  const errors: FieldError[] = [];
  visit(errors, root, path, { resource: root, insideMeta: false, surround: (value) => value });
  return errors;
}

function visit(errors: FieldError[], schema: Schema, path: string, outer: Place): void {
  const place: Place = isResource(schema) ? { resource: schema, insideMeta: false, surround: (value) => value } : outer;
  const value = schema.default ?? undefined;
  if (value !== undefined) {
    const field = `${path}.default`;
    errors.push(...(place.insideMeta ? metaErrors(schema, value, field, place) : valueErrors(schema, value, field)));
  }
  // The values of maps are skipped: the server does not check defaults there.
  if (schema.items !== undefined) {
    const inner = { ...place, surround: (item: Json) => place.surround([item]) };
    visit(errors, schema.items, `${path}.items`, inner);
  }
  for (const [name, sub] of Object.entries(schema.properties ?? {})) {
    const inner: Place = {
      ...place,
      insideMeta: place.insideMeta || (isResource(schema) && metaFields.has(name)),
      surround: (item) => place.surround({ [name]: item }),
    };
    visit(errors, sub, `${path}.properties[${name}]`, inner);
  }
}

function valueErrors(schema: Schema, value: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const resourceRoot = isResource(schema);
  const pruned = structuredClone(value);
  prune(pruned, schema, { resourceRoot });
  if (!jsonEqual(pruned, value)) {
    errors.push(fieldError.invalid(path, sortKeys(value), 'must not have unknown fields'));
  }
  const coerced = coerceMetadata(structuredClone(value), schema, { resourceRoot, path });
  if (coerced.error !== undefined) return [...errors, coerced.error];
  const embedded = validateEmbedded(schema, value, path);
  if (embedded.length > 0) return [...errors, ...embedded];
  return [...errors, ...ownErrors(schema, value, path)];
}

/** Validates the value by its own schema and rules. */
function ownErrors(schema: Schema, value: Json, path: string): readonly FieldError[] {
  const errors = validate(schema, value, { fieldPath: path });
  return errors.length > 0 ? errors : defaultRuleErrors(schema, value, path, isResource(schema));
}

/** A default inside metadata is validated by the object that results from it. */
function metaErrors(schema: Schema, value: Json, path: string, place: Place): readonly FieldError[] {
  const object = {
    kind: 'Validation',
    apiVersion: 'validation/v1',
    ...(structuredClone(place.surround(value)) as JsonObject),
  };
  const wrong = (why: string): FieldError[] => [
    fieldError.invalid(path, sortKeys(value), `must result in valid metadata: ${why}`),
  ];
  const coerced = coerceMetadata(object, place.resource, { resourceRoot: true });
  if (coerced.error !== undefined) return wrong(`${coerced.error.field}: ${coerced.error.detail}`);
  const embedded = validateEmbedded(place.resource, object);
  if (embedded.length > 0) {
    const texts = [...new Set(embedded.map((error) => `${error.field}: ${error.detail}`))];
    return wrong(texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
  }
  return ownErrors(schema, value, path);
}
