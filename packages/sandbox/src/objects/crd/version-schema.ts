/** Validates the schema of a version from its root: structure, defaults, and the rules of schema-rules.ts. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { goSchema, setFields } from './internal.ts';
import type { SharedFields } from './internal.ts';
import { defaultErrors } from './schema-defaults.ts';
import { schemaErrors } from './schema-rules.ts';
import { unsupported, validateStructural } from './structural.ts';
import { schemaOf } from './types.ts';
import type { DefinitionVersion, SchemaProps } from './types.ts';

/** The fields that are allowed beside `properties` at the root when there is a status subresource. */
const rootFields =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

export interface SchemaState {
  /** Whether the version has a status subresource. */
  readonly status: boolean;
  /** Whether an update leaves the schema unchanged. */
  readonly unchanged: boolean;
}

export function versionSchemaErrors(
  holder: Pick<DefinitionVersion, 'schema'> | SharedFields,
  path: string,
  { status, unchanged }: SchemaState,
): FieldError[] {
  const schema = schemaOf(holder);
  if (schema === undefined) return [];
  const at = `${path}.openAPIV3Schema`;
  const errors = status ? statusRootErrors(schema, at) : [];
  if (schema.nullable === true) {
    errors.push(fieldError.forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  }
  const problem = unsupported(schema);
  const wrong = problem === undefined ? readableErrors(schema, at) : [];
  const expressions = problem === undefined && wrong.length === 0;
  errors.push(...wrong, ...schemaErrors(schema, at, { expressions, anyCost: unchanged }));
  // The checks above usually report what makes a schema unreadable, with better texts.
  if (errors.length === 0 && problem !== undefined) errors.push(fieldError.invalid(at, '', problem));
  return errors;
}

function readableErrors(schema: SchemaProps, path: string): FieldError[] {
  const structural = validateStructural(schema, path);
  return structural.length > 0 ? structural : defaultErrors(schema as Schema, path);
}

function statusRootErrors(schema: SchemaProps, path: string): FieldError[] {
  const allowed = new Set(rootFields.split(' '));
  for (const name of setFields(schema as JsonObject)) {
    if (name === 'Type' && schema.type !== 'object') {
      const text =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [fieldError.invalid(`${path}.type`, schema.type, text)];
    }
    if (!allowed.has(name)) {
      const text = `only [${rootFields}] fields are allowed at the root of the schema if the status subresource is enabled`;
      return [fieldError.invalid(path, goSchema(schema as JsonObject), text)];
    }
  }
  return [];
}
