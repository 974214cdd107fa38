/**
 * Reads the parameters that an order gives for an order template, as the template declares them. All problems are
 * reported at once.
 */
import { quantity } from '@ssvirt/base/values/quantity';
import { fitsSecret, MOST_IN_SECRET } from '../parameters/encoded-text.ts';
import { readJsonObject } from '../parameters/json-object.ts';
import { problem, refused, refusedUnseen, type ParameterProblem, type Read } from '../parameters/parameter-problem.ts';
import { parameterWarnings } from '../parameters/parameter-warnings.ts';
import type { TemplateParameter } from '../parameters/template.ts';
import { readPattern } from './pattern.ts';

export type ParameterValue = string | number | boolean;

export type ReadValues =
  | { readonly values: ReadonlyMap<string, ParameterValue>; readonly warnings: readonly string[] }
  | { readonly problems: readonly ParameterProblem[] };

/** A pattern is matched character by character, and no longer text needs a pattern. */
const LONGEST_MATCHED = 2048;

/** `hidden` are parameters that only a guest should read: their values are never shown. */
export function readValues(
  declared: readonly TemplateParameter[],
  text: string | undefined,
  hidden: ReadonlySet<string>,
): ReadValues {
  const given = readJsonObject(text ?? '');
  if ('problem' in given) return { problems: [given.problem] };
  const problems: ParameterProblem[] = [];
  const values = new Map<string, ParameterValue>();
  for (const parameter of declared) {
    const found = given.values.get(parameter.name);
    const read =
      found === undefined
        ? absentValue(parameter)
        : readValue(parameter, found.value, found.written, hidden.has(parameter.name));
    if ('problem' in read) problems.push(read.problem);
    else values.set(parameter.name, read.value);
  }
  if (problems.length > 0) return { problems };
  const names = declared.map(({ name }) => name);
  return { values, warnings: parameterWarnings(given, names) };
}

/** Some users write a password into an address. It must not appear in a status. */
export function withoutLogin<T extends string | undefined>(text: T): T | string {
  return text?.slice(0, 2 * LONGEST_MATCHED).replaceAll(/\/\/[^/\s]*@/g, '//***@') ?? text;
}

/** An absent string is empty; for other types the template must state a default. */
function absentValue(parameter: TemplateParameter): Read<ParameterValue> {
  const { name, required = false, default: usual } = parameter;
  if (required)
    return {
      problem: problem(
        name,
        'not given',
        `${ruleOf(parameter)}, and given by every order`,
        `Add "${name}" to the parameters`,
      ),
    };
  return usual === undefined ? { value: '' } : readValue(parameter, usual, usual, false);
}

export function readValue(
  parameter: TemplateParameter,
  value: unknown,
  written: string,
  isHidden: boolean,
): Read<ParameterValue> {
  const text = typeof value === 'number' ? written : typeof value === 'string' ? value : undefined;
  const read = typed(parameter, text, value);
  if (read !== undefined && isAllowed(parameter, String(read))) return { value: read };
  const rule = { rule: ruleOf(parameter), remedy: `Correct "${parameter.name}", or leave it out for its default` };
  const { required = false, name } = parameter;
  const remedy = required ? { ...rule, remedy: `Correct "${name}"` } : rule;
  return isHidden ? refusedUnseen(name, value, remedy) : refused(name, withoutLogin(text) ?? value, remedy);
}

function typed(
  { type = 'string' }: TemplateParameter,
  text: string | undefined,
  value: unknown,
): ParameterValue | undefined {
  switch (type) {
    case 'string':
      return text !== undefined && fitsSecret(text) ? text : undefined;
    case 'integer':
      return text !== undefined && /^(?:0|-?[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))
        ? Number(text)
        : undefined;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return text === 'true' || text === 'false' ? text === 'true' : undefined;
    case 'quantity':
      // As in the built-in template: no sign, and as it was written.
      return text !== undefined && /^[\d.]/.test(text) && (quantity(text) ?? 0) > 0 ? text : undefined;
  }
}

function isAllowed({ enum: all, pattern, minimum, maximum }: TemplateParameter, text: string): boolean {
  if (all !== undefined && !all.includes(text)) return false;
  if (minimum !== undefined && Number(text) < minimum) return false;
  if (maximum !== undefined && Number(text) > maximum) return false;
  return pattern === undefined || (text.length <= LONGEST_MATCHED && isMatch(pattern, text));
}

function isMatch(source: string, text: string): boolean {
  const pattern = readPattern(source);
  return 'matches' in pattern && pattern.matches(text);
}

const MOST_NAMED = 10;

export function ruleOf(parameter: TemplateParameter): string {
  const { enum: all, pattern, minimum, maximum } = parameter;
  const bounds = [
    minimum === undefined ? '' : ` of at least ${minimum}`,
    maximum === undefined ? '' : `${minimum === undefined ? ' of' : ' and'} at most ${maximum}`,
  ].join('');
  const listed = all?.slice(0, MOST_NAMED).map((one) => JSON.stringify(one));
  const more = (all?.length ?? 0) > MOST_NAMED ? ` and ${(all?.length ?? 0) - MOST_NAMED} more` : '';
  return [
    `${kindOf(parameter)}${bounds}`,
    ...(listed === undefined ? [] : [`one of ${listed.join(', ')}${more}`]),
    ...(pattern === undefined
      ? []
      : [`of at most ${LONGEST_MATCHED} characters that as a whole match ${JSON.stringify(pattern.slice(0, 200))}`]),
  ].join(', ');
}

function kindOf({ type = 'string' }: TemplateParameter): string {
  switch (type) {
    case 'string':
      return `a text of at most ${MOST_IN_SECRET} bytes`;
    case 'integer':
      return 'a whole number in digits only';
    case 'boolean':
      return 'true or false';
    case 'quantity':
      return 'a Kubernetes quantity, a number with a unit such as "4Gi"';
  }
}
