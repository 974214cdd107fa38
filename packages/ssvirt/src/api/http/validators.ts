/**
 * Bodies are validated as they are: no value is converted, no unknown field is dropped silently. Queries and paths are
 * text, so their values are converted.
 */
import { Ajv, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import type { ApiApp } from './app-types.ts';

const shared: Options = { useDefaults: true, removeAdditional: false, allErrors: false, verbose: true, strict: false };

export function addValidators(app: ApiApp): void {
  const forBodies = withFormats(new Ajv({ ...shared, coerceTypes: false }));
  const forText = withFormats(new Ajv({ ...shared, coerceTypes: true }));
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? forBodies : forText).compile(schema));
}

function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv, ['date-time', 'email', 'uri', 'uuid']);
  return ajv;
}
