/** The type that most causes have. */
import type { Cause } from '../../serving/contracts.ts';

export const invalid = (message: string, field: string): Cause => ({ type: 'FieldValueInvalid', message, field });
