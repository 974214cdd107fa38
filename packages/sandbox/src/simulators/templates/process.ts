/** Processes a template into objects: parameters get values, which replace the references to them. */
import { fieldError, type FieldError } from '../../server/api/status.ts';
import { cloneJson, isObject, type Json, type JsonObject } from '../../values/json.ts';
import { goJson, sortKeys } from '../../objects/schema/go/go-text.ts';
import { generate, MalformedExpression, type Draw } from './generate.ts';

export type Processed =
  | { readonly template: JsonObject; readonly problems?: undefined }
  | { readonly problems: readonly FieldError[] };

export function processTemplate(template: JsonObject, draw?: Draw): Processed {
  const given = objectsOf(template['parameters']).map((parameter, i) => withValue(parameter, i, draw));
  const unfit = given.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  if (unfit.length > 0) return { problems: unfit };
  const parameters = given.map(({ parameter }) => parameter);
  const objects = objectsOf(template['objects']);
  const problems = objects.flatMap(kindProblems);
  if (problems.length > 0) return { problems };
  // Of two parameters with the same name, the last one counts.
  const values = new Map(parameters.map(({ name, value }) => [text(name), text(value)]));
  const inText = (value: string): string => substituted(value, values);
  const labels = isObject(template['labels']) ? inLabels(template['labels'], inText) : undefined;
  return {
    template: {
      ...cloneJson(template),
      parameters,
      objects: objects.map((object) => withLabels(inObject(placed(object), values), labels)),
      ...(labels === undefined ? {} : { labels }),
      ...(typeof template['message'] === 'string' ? { message: inText(template['message']) } : {}),
    },
  };
}

interface Given {
  readonly parameter: JsonObject;
  readonly problem?: FieldError;
}

/** The value of a parameter, or a generated one; a required parameter without a value is a problem. */
function withValue(parameter: JsonObject, index: number, draw: Draw | undefined): Given {
  const name = text(parameter['name']);
  if (text(parameter['value']) !== '') return { parameter };
  const field = `template.parameters[${index}]`;
  const generator = text(parameter['generate']);
  if (generator !== '' && generator !== 'expression') {
    const why = `Unknown generator name '${generator}' for parameter ${name}`;
    return { parameter, problem: fieldError.invalid(field, generator, why) };
  }
  try {
    const value = generator === '' ? '' : generate(text(parameter['from']), draw);
    if (value !== '') return { parameter: { ...parameter, value } };
  } catch (error) {
    if (!(error instanceof MalformedExpression)) throw error;
    return { parameter, problem: fieldError.invalid(field, parameter, error.message) };
  }
  if (parameter['required'] !== true) return { parameter };
  const why = `${field}: parameter ${name} is required and must be specified`;
  return { parameter, problem: fieldError.required(field, why) };
}

function kindProblems(object: JsonObject, index: number): readonly FieldError[] {
  if (text(object['kind']) !== '') return [];
  const json = goJson(sortKeys(object));
  const why = `unable to handle object: Object 'Kind' is missing in '${json}'`;
  return [fieldError.invalid(`item[${index}].objects`, object, why)];
}

const REFERENCE = /\$\{([a-zA-Z0-9_]+?)\}/g;
const WHOLE_REFERENCE = /^\$\{\{([a-zA-Z0-9_]+)\}\}$/;

type Values = ReadonlyMap<string, string>;

/** Replaces `${X}` anywhere in the text, or `${{X}}` as the whole text. Unknown names are kept. */
function substituted(value: string, values: Values): string {
  const whole = wholeValue(value, values);
  return whole ?? value.replaceAll(REFERENCE, (reference, name: string) => values.get(name) ?? reference);
}

function wholeValue(value: string, values: Values): string | undefined {
  const name = WHOLE_REFERENCE.exec(value)?.[1];
  return name === undefined ? undefined : values.get(name);
}

/** Replaces references in all strings and keys; if `${{X}}` is the whole string, the value is parsed as JSON. */
function inObject<T extends Json>(object: T, values: Values): T {
  const walk = (value: Json): Json => {
    if (typeof value === 'string') {
      const whole = wholeValue(value, values);
      return whole === undefined ? substituted(value, values) : jsonOrText(whole);
    }
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [substituted(key, values), walk(item ?? null)]),
    );
  };
  return walk(object) as T;
}

function jsonOrText(value: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function inLabels(labels: JsonObject, inText: (value: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [inText(key), inText(text(value))]));
}

/**
 * A literal namespace is dropped, because objects are created where the template is processed. A namespace from a
 * parameter is kept.
 */
function placed(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || metadata['namespace'] === undefined) return object;
  if (/\$\{[a-zA-Z0-9_]+\}/.test(text(metadata['namespace']))) return object;
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
