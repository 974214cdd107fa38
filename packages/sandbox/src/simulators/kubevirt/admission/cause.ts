/** Causes of a refusal, with the types that Kubernetes defines. */
import type { Cause } from '../../serving/contracts.ts';

export type { Cause } from '../../serving/contracts.ts';

export const invalid = (message: string, field?: string): Cause => cause('FieldValueInvalid', message, field);
export const required = (message: string, field?: string): Cause => cause('FieldValueRequired', message, field);
export const notFound = (message: string, field?: string): Cause => cause('FieldValueNotFound', message, field);
export const duplicate = (message: string, field?: string): Cause => cause('FieldValueDuplicate', message, field);
export const notSupported = (message: string, field?: string): Cause => cause('FieldValueNotSupported', message, field);
export const forbidden = (message: string, field?: string): Cause => cause('FieldValueForbidden', message, field);

function cause(type: string, message: string, field: string | undefined): Cause {
  return field === undefined ? { type, message } : { type, message, field };
}
