/** From text to the syntax tree: cel-js reads the text, this file gives its nodes the places and names of cel-go. */
import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import type { Issue } from './issues.ts';
import { expandMacro } from './macros.ts';
import { type SyntaxIssue, syntaxIssue } from './syntax-error.ts';
import type { Call, Expr, LiteralValue } from './syntax.ts';
import { Uint } from './values.ts';

const LIMITS = { maxAstNodes: 1_000_000, maxDepth: 250, maxListElements: 100_000, maxMapEntries: 100_000 };
const grammar = new Environment({ enableOptionalTypes: true, limits: LIMITS });

export type Parsed = { readonly expr: Expr } | { readonly issues: readonly Issue[] };

export function parseExpression(source: string): Parsed {
  const issues: Issue[] = [];
  for (let text: string | undefined = source; text !== undefined;) {
    const parsed = parseOnce(text, issues);
    if ('expr' in parsed) return issues.length === 0 ? parsed : { issues };
    issues.push(parsed);
    text = issues.length < MAX_ISSUES ? parsed.repaired : undefined;
  }
  return { issues };
}

const MAX_ISSUES = 20;

function parseOnce(source: string, issues: Issue[]): { readonly expr: Expr } | SyntaxIssue {
  try {
    return { expr: new Converter(source, issues).convert(grammar.parse(source).ast) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return syntaxIssue(source, error);
  }
}

const INFIX: ReadonlyMap<string, string> = new Map([
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>', '_>_'],
  ['>=', '_>=_'],
  ['in', '@in'],
  ['+', '_+_'],
  ['-', '_-_'],
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
  ['&&', '_&&_'],
  ['||', '_||_'],
]);

class Converter {
  readonly #source: string;
  readonly #issues: Issue[];

  constructor(source: string, issues: Issue[]) {
    this.#source = source;
    this.#issues = issues;
  }

  convert(node: ASTNode): Expr {
    switch (node.op) {
      case 'value':
        return { kind: 'literal', at: node.start, value: literalValue(node.args) };
      case 'id':
        return { kind: 'ident', at: node.start, name: node.args };
      case '.': {
        const [operand, field] = node.args;
        return { kind: 'select', at: this.#after(operand.end), operand: this.convert(operand), field, test: false };
      }
      case '.?': {
        const [operand, field] = node.args;
        const at = this.#after(operand.end);
        return call(at, '_?._', [this.convert(operand), { kind: 'literal', at: node.pos, value: field }]);
      }
      case '[]':
      case '[?]': {
        const [operand, index] = node.args;
        const name = node.op === '[]' ? '_[_]' : '_[?_]';
        return call(this.#after(operand.end), name, [this.convert(operand), this.convert(index)]);
      }
      case 'call':
        return this.#call(node.start, node.args[0], undefined, node.args[1]);
      case 'rcall': {
        const [name, target, args] = node.args;
        return this.#call(this.#after(this.#after(target.end) + 1), name, target, args);
      }
      case 'list':
        return { kind: 'list', at: node.start, elements: node.args.map((element) => this.convert(element)) };
      case 'map':
        return {
          kind: 'map',
          at: node.start,
          entries: node.args.map(([key, value]) => [this.convert(key), this.convert(value)] as const),
        };
      case '?:': {
        const [condition, yes, no] = node.args;
        const branches = [this.convert(condition), this.convert(yes), this.convert(no)];
        return call(this.#after(condition.end), '_?_:_', branches);
      }
      case '!_':
        return call(node.start, '!_', [this.convert(node.args)]);
      case '-_':
        return this.#minus(node.start, node.args);
      default: {
        const [left, right] = node.args;
        const name = INFIX.get(node.op) ?? node.op;
        return call(this.#after(left.end), name, [this.convert(left), this.convert(right)]);
      }
    }
  }

  /** `nameAt` is where the name begins; the call itself stands at its parenthesis. */
  #call(nameAt: number, name: string, target: ASTNode | undefined, args: readonly ASTNode[]): Expr {
    const at = this.#after(nameAt + name.length);
    const macroCall = {
      at,
      target: target === undefined ? undefined : this.convert(target),
      args: args.map((argument) => this.convert(argument)),
    };
    const expanded = expandMacro(name, macroCall);
    if (expanded === undefined) return { kind: 'call', name, ...macroCall };
    if ('kind' in expanded) return expanded;
    this.#issues.push(expanded);
    return { kind: 'literal', at, value: null };
  }

  /** A minus before a number belongs to the number, unless a parenthesis stands between. */
  #minus(at: number, operand: ASTNode): Expr {
    const value = operand.op === 'value' ? operand.args : undefined;
    if ((typeof value === 'bigint' || typeof value === 'number') && this.#after(at + 1) === operand.start) {
      return { kind: 'literal', at, value: -value };
    }
    return call(at, '-_', [this.convert(operand)]);
  }

  /** The next character that is not space, comment or the end of a parenthesis. */
  #after(index: number): number {
    const source = this.#source;
    let at = index;
    for (;;) {
      if (/[\s)]/.test(source[at] ?? '')) at++;
      else if (source.startsWith('//', at)) at = lineEnd(source, at);
      else return at;
    }
  }
}

const lineEnd = (source: string, at: number): number => {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end;
};

const call = (at: number, name: string, args: readonly Expr[]): Call => ({
  kind: 'call',
  at,
  name,
  target: undefined,
  args,
});

type ParsedLiteral = Extract<ASTNode, { op: 'value' }>['args'];

function literalValue(value: ParsedLiteral): LiteralValue {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return new Uint(BigInt(value.toString()));
}
