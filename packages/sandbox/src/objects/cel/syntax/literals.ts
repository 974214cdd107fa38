/** Checks an expression after the type checker: finds literals that would fail at run time. */
import { compilePattern } from '../../schema/go/go-regexp.ts';
import type { Checked } from '../types/checker.ts';
import { callFunction } from '../types/dispatch.ts';
import type { Issue } from '../issues.ts';
import { COMPLAINTS, type FormatFailure, type Verb, interpolate } from '../library/string-format.ts';
import { type Call, type Expr, type ListLiteral, type LiteralValue, children } from './syntax.ts';
import { DYN, type Kind, type Type, formatType, unwrapOptional } from '../types/types.ts';
import { EvalError } from '../values.ts';

export function checkLiterals(expr: Expr, checked: Checked): Issue[] {
  const issues: Issue[] = [];
  visit(expr, false, (node, inFormat) => issues.push(...issuesOf(node, inFormat, checked)));
  return issues;
}

function visit(expr: Expr, inFormat: boolean, look: (expr: Expr, inFormat: boolean) => void): void {
  look(expr, inFormat);
  const inside = inFormat || (expr.kind === 'call' && expr.name === 'format');
  for (const child of children(expr)) visit(child, inside, look);
}

function issuesOf(expr: Expr, inFormat: boolean, checked: Checked): Issue[] {
  if (expr.kind === 'call') return expr.name === 'format' ? formatIssues(expr, checked) : argumentIssues(expr);
  // The arguments of a format may have different types.
  if (inFormat) return [];
  if (expr.kind !== 'list' && expr.kind !== 'map') return [];
  const values = expr.kind === 'list' ? expr.elements : expr.entries.map(([, value]) => value);
  const optional = new Set(values.filter((_, i) => expr.optionals?.has(i) === true));
  const typeOf = (node: Expr): Type => {
    const type = checked.types.get(node) ?? DYN;
    return optional.has(node) ? unwrapOptional(type).type : type;
  };
  if (expr.kind === 'list') return mixed(values, typeOf).slice(0, 1);
  return [
    ...mixed(
      expr.entries.map(([key]) => key),
      typeOf,
    ),
    ...mixed(values, typeOf),
  ];
}

const CHECKED: ReadonlySet<string> = new Set(['duration', 'timestamp', 'matches']);

function argumentIssues(expr: Call): Issue[] {
  const [argument] = expr.args;
  if (!CHECKED.has(expr.name) || argument?.kind !== 'literal') return [];
  return isGood(expr.name, argument.value) ? [] : [{ at: argument.at, message: `invalid ${expr.name} argument` }];
}

function isGood(name: string, value: LiteralValue): boolean {
  if (name === 'matches') return typeof value !== 'string' || compilePattern(value) instanceof RegExp;
  return !(callFunction(name, [value]) instanceof EvalError);
}

/**
 * Reports elements whose type differs from the first. For a list only the first such element is reported, for a map
 * all.
 */
function mixed(elements: readonly Expr[], typeOf: (expr: Expr) => Type): Issue[] {
  const [first, ...rest] = elements;
  if (first === undefined) return [];
  const expected = formatType(typeOf(first));
  return rest
    .filter((element) => formatType(typeOf(element)) !== expected)
    .map((odd) => ({ at: odd.at, message: `expected type '${expected}' but found '${formatType(typeOf(odd))}'` }));
}

const KINDS: Readonly<Record<Verb, ReadonlySet<Kind>>> = {
  s: new Set<Kind>([
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ]),
  d: new Set<Kind>(['int', 'uint']),
  f: new Set<Kind>(['double', 'string']),
  e: new Set<Kind>(['double', 'string']),
  b: new Set<Kind>(['int', 'uint', 'bool']),
  x: new Set<Kind>(['int', 'uint', 'string', 'bytes']),
  X: new Set<Kind>(['int', 'uint', 'string', 'bytes']),
  o: new Set<Kind>(['int', 'uint']),
};

const RUNTIME: ReadonlyMap<string, string> = new Map([
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
  ['null', 'null_type'],
]);

function formatIssues(expr: Call, checked: Checked): Issue[] {
  const [list] = expr.args;
  const format = expr.target;
  if (format?.kind !== 'literal' || typeof format.value !== 'string' || list?.kind !== 'list') return [];
  const result = interpolate(format.value, list.elements.length, false, (verb, _, argument) =>
    clauseFailure(verb, list, argument, checked),
  );
  if ('message' in result) return [{ at: result.at ?? expr.at, message: result.message }];
  if (list.elements.length <= result.used) return [];
  const counts = `expected ${result.used}, got ${list.elements.length}`;
  return [{ at: expr.at, message: `too many arguments supplied to string.format (${counts})` }];
}

function clauseFailure(verb: Verb, list: ListLiteral, index: number, checked: Checked): string | FormatFailure {
  const argument = list.elements[index];
  const bad = argument === undefined ? undefined : unsuited(verb, argument, checked);
  if (bad === undefined) return '';
  const { name } = checked.types.get(bad) ?? DYN;
  return { message: `${COMPLAINTS[verb]}, was given ${RUNTIME.get(name) ?? name}`, at: bad.at };
}

/** The argument, or the part of a literal in it, that the verb cannot format. */
function unsuited(verb: Verb, expr: Expr, checked: Checked): Expr | undefined {
  const type = checked.types.get(expr) ?? DYN;
  if (type.kind !== 'dyn' && !KINDS[verb].has(type.kind)) return expr;
  if (verb !== 's' || (expr.kind !== 'list' && expr.kind !== 'map')) return undefined;
  for (const part of children(expr)) {
    const bad = unsuited(verb, part, checked);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
