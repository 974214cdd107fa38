/**
 * Processes a VirtualMachineTemplate into a VM. Unlike OpenShift, KubeVirt refuses a reference to an unknown parameter.
 */
import { fieldError, type FieldError } from '../../../server/api/status.ts';
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { MalformedExpression, type Draw } from '../generate.ts';
import { generateValue } from './generate.ts';
import type { MachineTemplate, TemplateParameter } from './kinds.ts';

export interface ProcessedMachine {
  readonly virtualMachine: JsonObject;
  readonly message: string;
}

export type ProcessOutcome = (ProcessedMachine & { readonly problem?: undefined }) | { readonly problem: FieldError };

/** `withGiven` returns the parameters with the given values, or the name of a given parameter that the template does not have. */
export function withGiven(
  parameters: readonly TemplateParameter[],
  given: Readonly<Record<string, string>>,
): readonly TemplateParameter[] | string {
  const unknown = Object.keys(given).find((name) => !parameters.some((parameter) => parameter.name === name));
  if (unknown !== undefined) return unknown;
  return parameters.map((parameter) =>
    Object.hasOwn(given, parameter.name) ? { ...parameter, value: given[parameter.name] ?? '' } : parameter,
  );
}

export function processMachine({ spec }: Pick<MachineTemplate, 'spec'>, draw?: Draw): ProcessOutcome {
  const { parameters = [], virtualMachine, message = '' } = spec;
  const values = new Map<string, string>();
  for (const [i, parameter] of parameters.entries()) {
    const value = valueOf(parameter, `spec.parameters[${i}]`, values, draw);
    if (typeof value !== 'string') return { problem: value };
    values.set(parameter.name, value);
  }
  if (virtualMachine === undefined || Object.keys(virtualMachine).length === 0)
    return {
      problem: fieldError.invalid(
        'spec.virtualMachine',
        virtualMachine ?? null,
        'virtualMachine is required and cannot be empty',
      ),
    };
  try {
    const machine = substituted(placed(virtualMachine), values);
    const typed = { ...(machine as JsonObject), apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' };
    return { virtualMachine: typed, message: inText(message, values) };
  } catch (error) {
    if (!(error instanceof UndefinedParameter)) throw error;
    const shown = parameters.map((parameter): JsonObject => ({ ...parameter }));
    return { problem: fieldError.invalid('spec.parameters', shown, `error processing template: ${error.message}`) };
  }
}

function valueOf(
  { name, value = '', generate = '', from = '', required = false }: TemplateParameter,
  path: string,
  known: ReadonlyMap<string, string>,
  draw: Draw | undefined,
): string | FieldError {
  if (name === '') return fieldError.invalid(`${path}.name`, name, 'parameter name is empty');
  if (known.has(name)) return fieldError.duplicate(`${path}.name`, name);
  const made = value === '' && generate !== '' ? generated(name, generate, from, path, draw) : value;
  if (made !== '' || !required) return made;
  return fieldError.required(`${path}.value`, `parameter '${name}' is required and a value must be specified`);
}

function generated(
  name: string,
  generate: string,
  from: string,
  path: string,
  draw: Draw | undefined,
): string | FieldError {
  if (generate !== 'expression')
    return fieldError.invalid(
      `${path}.generate`,
      generate,
      `unknown generator name '${generate}' for parameter '${name}'`,
    );
  const empty = `from cannot be empty for parameter '${name}' using generator '${generate}'`;
  if (from === '') return fieldError.invalid(`${path}.from`, from, empty);
  try {
    return generateValue(from, draw);
  } catch (error) {
    if (!(error instanceof MalformedExpression)) throw error;
    return fieldError.invalid(`${path}.from`, from, error.message);
  }
}

class UndefinedParameter extends Error {
  constructor(name: string) {
    super(`found parameter '${name}' but it was not defined`);
  }
}

type Values = ReadonlyMap<string, string>;

const REFERENCE = /\$\{([a-zA-Z0-9_]+)\}/g;
const WHOLE_REFERENCE = /^\$\{\{([a-zA-Z0-9_]+)\}\}$/;

function substituted(value: Json, values: Values): Json {
  if (typeof value === 'string') return inString(value, values);
  if (Array.isArray(value)) return value.map((item) => substituted(item, values));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [inText(key, values), substituted(item ?? null, values)]);
  return Object.fromEntries(entries) as JsonObject;
}

function inString(value: string, values: Values): Json {
  const name = WHOLE_REFERENCE.exec(value)?.[1];
  if (name === undefined) return inText(value, values);
  const text = required(name, values);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function inText(value: string, values: Values): string {
  return value.replaceAll(REFERENCE, (_reference, name: string) => required(name, values));
}

function required(name: string, values: Values): string {
  const value = values.get(name);
  if (value === undefined) throw new UndefinedParameter(name);
  return value;
}

/** A literal namespace is dropped. */
function placed(machine: JsonObject): JsonObject {
  const { metadata } = machine;
  if (!isObject(metadata) || typeof metadata['namespace'] !== 'string') return machine;
  if (/\$\{[a-zA-Z0-9_]+\}/.test(metadata['namespace'])) return machine;
  const { namespace: _namespace, ...rest } = metadata;
  return { ...machine, metadata: rest };
}
