/** Turns a template into objects: parameters get values, and the values stand where the parameters were named. */
import { cloneJson, isObject, type Json, type JsonObject } from '../../json.ts';
import { generate, MalformedExpression, type Draw } from './generate.ts';

/** Why a template cannot be processed, as a field error: `template.parameters[0]: …`. */
export interface ProcessProblem {
  readonly field: string;
  readonly type: 'FieldValueRequired' | 'FieldValueInvalid' | 'FieldValueNotFound';
  readonly message: string;
}

export type Processed =
  | { readonly template: JsonObject; readonly problems?: undefined }
  | { readonly problems: readonly ProcessProblem[] };

export function processTemplate(template: JsonObject, draw?: Draw): Processed {
  const values = parameterValues(objectsOf(template['parameters']), draw);
  if (values.problems !== undefined) return { problems: values.problems };
  const substitute = substitution(values.byName);
  const result = cloneJson(template);
  result['parameters'] = values.parameters;
  const labels = isObject(template['labels']) ? substitute(template['labels']) : undefined;
  result['objects'] = objectsOf(template['objects']).map((object) => withLabels(substitute(placed(object)), labels));
  if (labels !== undefined) result['labels'] = labels;
  if (template['message'] !== undefined) result['message'] = substitute(template['message']);
  return { template: result };
}

interface Values {
  readonly parameters: JsonObject[];
  readonly byName: ReadonlyMap<string, string>;
  readonly problems?: undefined;
}

function parameterValues(
  given: readonly JsonObject[],
  draw: Draw | undefined,
): Values | { readonly problems: readonly ProcessProblem[] } {
  const byName = new Map<string, string>();
  const parameters: JsonObject[] = [];
  for (const [i, parameter] of given.entries()) {
    const value = valueOf(parameter, `template.parameters[${i}]`, draw);
    if (typeof value !== 'string') return { problems: [value] };
    parameters.push(value === '' ? parameter : { ...parameter, value });
    byName.set(text(parameter['name']), value);
  }
  return { parameters, byName };
}

function valueOf(parameter: JsonObject, field: string, draw: Draw | undefined): string | ProcessProblem {
  const name = text(parameter['name']);
  const given = text(parameter['value']);
  if (given !== '') return given;
  const generator = text(parameter['generate']);
  if (generator !== '' && generator !== 'expression') {
    const message = `${field}: Not found: "${generator}": Unknown generator name '${generator}' for parameter ${name}`;
    return { field, type: 'FieldValueNotFound', message };
  }
  try {
    const value = generator === '' ? '' : generate(text(parameter['from']), draw);
    if (value !== '' || parameter['required'] !== true) return value;
  } catch (error) {
    if (!(error instanceof MalformedExpression)) throw error;
    return { field, type: 'FieldValueInvalid', message: `${field}: Invalid value: "${name}": ${error.message}` };
  }
  const message = `${field}: Required value: parameter ${name} is required and must be specified`;
  return { field, type: 'FieldValueRequired', message };
}

const REFERENCE = /\$\{([a-zA-Z0-9_]+?)\}/g;
const WHOLE_REFERENCE = /^\$\{\{([a-zA-Z0-9_]+?)\}\}$/;

/** `${X}` anywhere in a string or a key; `${{X}}` where it is the whole string, as the JSON that the value is. Unknown names stay. */
function substitution(values: ReadonlyMap<string, string>): <T extends Json>(value: T) => T {
  const inText = (value: string): string =>
    value.replaceAll(REFERENCE, (whole, name: string) => values.get(name) ?? whole);
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return wholeValue(value, values) ?? inText(value);
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [inText(key), walk(item ?? null)]));
  };
  return <T extends Json>(value: T): T => walk(value) as T;
}

function wholeValue(value: string, values: ReadonlyMap<string, string>): Json | undefined {
  const name = WHOLE_REFERENCE.exec(value)?.[1];
  const found = name === undefined ? undefined : values.get(name);
  if (found === undefined) return undefined;
  try {
    return JSON.parse(found) as Json;
  } catch {
    return found;
  }
}

/** A namespace that is written out does not count: objects come to where the template is processed. One that is a parameter was meant. */
function placed(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || metadata['namespace'] === undefined) return object;
  if (text(metadata['namespace']).includes('${')) return object;
  const { namespace: _namespace, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function withLabels(object: JsonObject, labels: JsonObject | undefined): JsonObject {
  if (labels === undefined) return object;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const own = isObject(metadata['labels']) ? metadata['labels'] : {};
  return { ...object, metadata: { ...metadata, labels: { ...own, ...labels } } };
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
