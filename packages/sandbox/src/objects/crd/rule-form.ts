/** Validates the form of a rule of `x-kubernetes-validations`: everything except its expression. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { findField } from '../schema/field-path.ts';
import { trimSpace } from '../schema/go/go-text.ts';
import type { ValidationRule } from '../schema/schema.ts';
import { unsupported } from './structural.ts';
import type { SchemaProps } from './types.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasNewline = (text: string): boolean => /[\n\r]/.test(text);

/** `schema` is the schema that contains the rule. */
export function ruleFormErrors(rule: ValidationRule, schema: SchemaProps, path: string): FieldError[] {
  return [...textErrors(rule, path), ...reasonErrors(rule, path), ...fieldPathErrors(rule, schema, path)];
}

function textErrors(rule: ValidationRule, path: string): FieldError[] {
  const { message = '', messageExpression = '' } = rule;
  const text = trimSpace(rule.rule ?? '');
  const plain = trimSpace(message);
  const errors: FieldError[] = [];
  if (text === '') errors.push(fieldError.required(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && plain === '') {
    errors.push(fieldError.invalid(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (hasNewline(plain)) {
    errors.push(fieldError.invalid(`${path}.message`, message, 'must not contain line breaks'));
  } else if (hasNewline(text) && plain === '') {
    const problem = 'message must be specified if rule contains line breaks';
    errors.push(fieldError.required(`${path}.message`, problem));
  }
  if (messageExpression !== '' && trimSpace(messageExpression) === '') {
    const problem = 'messageExpression must be non-empty if specified';
    errors.push(fieldError.required(`${path}.messageExpression`, problem));
  }
  return errors;
}

function reasonErrors({ reason }: ValidationRule, path: string): FieldError[] {
  if (reason === undefined || reasons.includes(reason)) return [];
  return [fieldError.notSupported(`${path}.reason`, reason, reasons)];
}

function fieldPathErrors({ fieldPath = '' }: ValidationRule, schema: SchemaProps, path: string): FieldError[] {
  if (fieldPath === '') return [];
  const wrong = (problem: string): FieldError => fieldError.invalid(`${path}.fieldPath`, fieldPath, problem);
  return [
    ...(trimSpace(fieldPath) === '' ? [wrong('must be non-empty if specified')] : []),
    ...(hasNewline(fieldPath) ? [wrong('must not contain line breaks')] : []),
    ...(leadsSomewhere(fieldPath, schema) ? [] : [wrong('must be a valid path')]),
  ];
}

/** An unreadable schema has other errors instead of this one. */
const leadsSomewhere = (fieldPath: string, schema: SchemaProps): boolean =>
  unsupported(schema) !== undefined || findField(fieldPath, schema, { arrays: true }).error === undefined;
