/** The JSON object that contains the parameters. */
import { scanJson, type JsonFault } from './json-scan.ts';
import { problem, type ParameterProblem } from './parameter-problem.ts';
import { shown } from '../shown.ts';

export interface ParsedJsonObject {
  readonly values: ReadonlyMap<string, GivenValue>;
  /** Names that appear more than once: the last one counts, as for AAP. */
  readonly repeated: readonly string[];
}

export interface GivenValue {
  readonly value: unknown;
  /** As in the text: `1e2` and `100` are the same number, but one of them is a mistake. */
  readonly written: string;
}

/** An absent or empty text is an object without entries. */
export function readJsonObject(text: string): ParsedJsonObject | { readonly problem: ParameterProblem } {
  if (text.trim() === '') return { values: new Map(), repeated: [] };
  const scan = scanJson(text);
  if ('fault' in scan) return { problem: notAnObject(`no JSON: ${whereabouts(text, scan.fault)}`) };
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { problem: notAnObject(kindOf(parsed)) };
  const values = new Map<string, GivenValue>();
  const repeated = new Set<string>();
  for (const { name, written } of scan.entries) {
    if (values.has(name)) repeated.add(name);
    values.set(name, { value: (parsed as Readonly<Record<string, unknown>>)[name], written });
  }
  return { values, repeated: [...repeated] };
}

function whereabouts(text: string, { at, expected }: JsonFault): string {
  const before = text.slice(0, at).split('\n');
  const found =
    at >= text.length ? 'the text ends' : `there is ${shown(String.fromCodePoint(text.codePointAt(at) ?? 0))}`;
  return `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} ${found} where ${expected} was expected`;
}

function notAnObject(what: string): ParameterProblem {
  return problem(
    'templateParameters',
    what,
    'a JSON object',
    'Write for example {"cpu_cores": 2, "memory": "2Gi"}, or leave it out for the defaults',
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
