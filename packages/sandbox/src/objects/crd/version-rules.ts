/**
 * Validates the parts of a version besides its schema: deprecation, printer columns, subresources, selectable fields.
 */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { findField } from '../schema/field-path.ts';
import type {
  DefinitionVersion,
  PrinterColumn,
  ScalePaths,
  SchemaProps,
  SelectableField,
  Subresources,
} from './types.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const maxSelectableFields = 8;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

export function deprecationErrors(version: DefinitionVersion, path: string): FieldError[] {
  const text = version.deprecationWarning;
  if (text === undefined) return [];
  const field = `${path}.deprecationWarning`;
  if (version.deprecated !== true) return [fieldError.invalid(field, text, 'can only be set for deprecated versions')];
  const problems: string[] = [];
  if (Buffer.byteLength(text) > 256) problems.push('must be <= 256 characters long');
  if (text === '') problems.push('must not be an empty string');
  let index = 0;
  for (const char of text) {
    if (!printable.test(char)) {
      problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
      break;
    }
    index += Buffer.byteLength(char);
  }
  return problems.map((problem) => fieldError.invalid(field, text, problem));
}

export function columnErrors(column: Partial<PrinterColumn>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  if (name === '') errors.push(fieldError.required(`${path}.name`, ''));
  const typeText = `must be one of ${columnTypes.join(',')}`;
  if (type === '') errors.push(fieldError.required(`${path}.type`, typeText));
  else if (!columnTypes.includes(type)) errors.push(fieldError.invalid(`${path}.type`, type, typeText));
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(fieldError.invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`));
  }
  if (jsonPath === '') errors.push(fieldError.required(`${path}.JSONPath`, ''));
  else errors.push(...simplePathErrors(jsonPath, `${path}.JSONPath`));
  return errors;
}

function simplePathErrors(text: string, path: string): FieldError[] {
  return text.startsWith('.') ? [] : [fieldError.invalid(path, text, 'must be a simple json path starting with .')];
}

export function subresourceErrors(subresources: Subresources | undefined, path: string): FieldError[] {
  const scale = subresources?.scale;
  return scale === undefined ? [] : scaleErrors(scale, `${path}.scale`);
}

function scaleErrors(scale: ScalePaths, path: string): FieldError[] {
  const replicas = (key: 'specReplicasPath' | 'statusReplicasPath', prefix: string): FieldError[] => {
    const text = scale[key] ?? '';
    if (text === '') return [fieldError.required(`${path}.${key}`, '')];
    const errors = simplePathErrors(text, `${path}.${key}`);
    if (errors.length > 0 || text.startsWith(`${prefix}.`)) return errors;
    return [fieldError.invalid(`${path}.${key}`, text, `should be a json path under ${prefix}`)];
  };
  return [
    ...replicas('specReplicasPath', '.spec'),
    ...replicas('statusReplicasPath', '.status'),
    ...selectorPathErrors(scale.labelSelectorPath ?? '', `${path}.labelSelectorPath`),
  ];
}

function selectorPathErrors(text: string, path: string): FieldError[] {
  if (text === '') return [];
  const errors = simplePathErrors(text, path);
  if (errors.length > 0 || text.startsWith('.spec.') || text.startsWith('.status.')) return errors;
  return [fieldError.invalid(path, text, 'should be a json path under either .spec or .status')];
}

export function selectableErrors(
  fields: readonly Partial<SelectableField>[],
  schema: SchemaProps,
  path: string,
  allowTooMany: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  fields.forEach(({ jsonPath = '' }, i) => {
    const field = `${path}[${i}].jsonPath`;
    if (jsonPath === '') {
      errors.push(fieldError.required(field, ''));
      return;
    }
    const found = findField(jsonPath, schema, { arrays: false });
    if (found.error !== undefined) {
      errors.push(fieldError.invalid(field, jsonPath, `is an invalid path: ${found.error}`));
      return;
    }
    if (found.root === 'metadata') {
      errors.push(fieldError.invalid(field, jsonPath, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      const text =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(fieldError.invalid(field, jsonPath, text));
    }
    if (seen.has(found.path)) errors.push(fieldError.duplicate(field, jsonPath));
    seen.add(found.path);
  });
  if (seen.size > maxSelectableFields && !allowTooMany) {
    errors.push(fieldError.tooMany(path, seen.size, maxSelectableFields));
  }
  return errors;
}
