/** Compiles one expression to a function, with cel-go's errors. */
import { compilePattern, PatternError } from '../schema/go/go-regexp.ts';
import { type Checked, checkExpression } from './types/checker.ts';
import { callFunction } from './types/dispatch.ts';
import { type Program, planExpression } from './evaluator.ts';
import { formatIssues } from './issues.ts';
import { checkLiterals } from './syntax/literals.ts';
import { parseExpression } from './syntax/parser.ts';
import { type Expr, children } from './syntax/syntax.ts';
import type { Type } from './types/types.ts';
import { EvalError } from './values.ts';

export interface Compiled {
  readonly type: Type;
  readonly run: Program;
  /** The variables that the expression uses. */
  readonly used: ReadonlySet<string>;
  readonly expr: Expr;
  readonly checked: Checked;
}

export interface CompileFailure {
  readonly stage: 'compilation' | 'instantiation';
  readonly text: string;
}

export function compileExpression(source: string, variables: ReadonlyMap<string, Type>): Compiled | CompileFailure {
  const parsed = parseExpression(source);
  if ('issues' in parsed) return { stage: 'compilation', text: formatIssues(source, parsed.issues) };
  const { expr } = parsed;
  const checked = checkExpression(expr, variables);
  const issues = checked.issues.length > 0 ? checked.issues : checkLiterals(expr, checked);
  if (issues.length > 0) return { stage: 'compilation', text: formatIssues(source, issues) };
  const broken = brokenConstant(expr);
  if (broken !== undefined) return { stage: 'instantiation', text: broken };
  const run = planExpression(expr, checked, [...variables.keys()]);
  return { type: checked.type, run, used: checked.used, expr, checked };
}

const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'string',
  'timestamp',
  'uint',
]);

/**
 * cel-go evaluates literal patterns of find and conversions of literals when it creates the program, and fails then.
 */
function brokenConstant(expr: Expr): string | undefined {
  for (const child of children(expr)) {
    const broken = brokenConstant(child);
    if (broken !== undefined) return broken;
  }
  const [argument] = expr.kind === 'call' ? expr.args : [];
  if (expr.kind !== 'call' || argument?.kind !== 'literal') return undefined;
  if (expr.name === 'find' || expr.name === 'findAll') {
    const compiled = typeof argument.value === 'string' ? compilePattern(argument.value) : undefined;
    return compiled instanceof PatternError ? compiled.message : undefined;
  }
  if (expr.target !== undefined || !CONVERSIONS.has(expr.name)) return undefined;
  const result = callFunction(expr.name, [argument.value]);
  return result instanceof EvalError ? result.message : undefined;
}
