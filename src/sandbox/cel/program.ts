/** One expression from its text to something that runs, with cel-go's words if it does not compile. */
import { type Checked, checkExpression } from './checker.ts';
import { type Program, planExpression } from './evaluator.ts';
import { formatIssues } from './issues.ts';
import { checkLiterals } from './literals.ts';
import { parseExpression } from './parser.ts';
import { re2 } from './re2.ts';
import { type Expr, children } from './syntax.ts';
import type { Type } from './types.ts';

export interface Compiled {
  readonly type: Type;
  readonly run: Program;
  /** The variables that the expression mentions. */
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
  const broken = brokenPattern(expr);
  if (broken !== undefined) return { stage: 'instantiation', text: broken };
  const run = planExpression(expr, checked, [...variables.keys()]);
  return { type: checked.type, run, used: checked.used, expr, checked };
}

/** A literal pattern of find or findAll is compiled with the program. */
function brokenPattern(expr: Expr): string | undefined {
  if (expr.kind === 'call' && (expr.name === 'find' || expr.name === 'findAll')) {
    const [pattern] = expr.args;
    const compiled = pattern?.kind === 'literal' && typeof pattern.value === 'string' ? re2(pattern.value) : undefined;
    if (typeof compiled === 'string') return compiled;
  }
  for (const child of children(expr)) {
    const broken = brokenPattern(child);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
