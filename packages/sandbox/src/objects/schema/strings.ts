/** Validates strings: length, pattern and format. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { stringFormat } from './formats/formats.ts';
import { compilePattern, PatternError } from './go/go-regexp.ts';
import { goQuote } from './go/go-text.ts';
import { fieldOf } from './numbers.ts';
import type { Schema } from './schema.ts';

/** `format` is the one that applies, or empty. Returns the number of checks made. */
export function stringErrors(errors: FieldError[], schema: Schema, text: string, format: string, path: string): number {
  const error = lengthOrPatternError(schema, text, path);
  if (error !== undefined) errors.push(error);
  const inFormat = format === '' ? undefined : stringFormat(format);
  if (inFormat === undefined) return 1;
  if (!inFormat(text)) errors.push(wrongFormat(path, format, text));
  return 2;
}

const wrongFormat = (path: string, format: string, text: string): FieldError =>
  fieldError.typeInvalid(fieldOf(path), text, `${path} in body must be of type ${format}: ${goQuote(text)}`);

function lengthOrPatternError(schema: Schema, text: string, path: string): FieldError | undefined {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength !== undefined && text.length > maxLength && runes(text) > maxLength) {
    return fieldError.tooLong(fieldOf(path), maxLength);
  }
  if (minLength !== undefined && (text.length < minLength || runes(text) < minLength)) {
    return fieldError.invalid(fieldOf(path), text, `${path} in body should be at least ${minLength} chars long`);
  }
  if (pattern === undefined || pattern === '') return undefined;
  const regexp = compilePattern(pattern);
  if (regexp instanceof PatternError) {
    const shown = `${pattern}, but pattern is invalid: ${regexp.message}`;
    return fieldError.invalid(fieldOf(path), text, `${path} in body should match '${shown}'`);
  }
  return regexp.test(text)
    ? undefined
    : fieldError.invalid(fieldOf(path), text, `${path} in body should match '${pattern}'`);
}

/** Lengths count code points, not UTF-16 units. */
function runes(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
