/**
 * Syntax errors in the words of cel-go's parser generator, as far as the errors of cel-js allow. cel-go's parser
 * continues after an unusable character or name, so such an error includes the repaired source for the next attempt.
 */
import type { ParseError } from '@marcbachmann/cel-js';
import type { Issue } from '../issues.ts';

const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
/** A call may also have no argument after its parenthesis. */
const ARGUMENT = OPERAND.replace("'(', ", "'(', ')', ");

const TOKEN = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?:\.[0-9]+)?|==|!=|<=|>=|&&|\|\||"[^"]*"|'[^']*'|\S)/;

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['RPAREN', "')'"],
  ['RBRACKET', "']'"],
  ['RBRACE', "'}'"],
  ['COLON', "':'"],
]);

export const missingOperand = (found: string): string => `Syntax error: mismatched input ${found} expecting ${OPERAND}`;

export interface SyntaxIssue extends Issue {
  /** The source without the error, to find more errors; undefined when parsing cannot continue. */
  readonly repaired?: string;
}

export function syntaxIssue(source: string, error: ParseError): SyntaxIssue {
  const at = error.range?.start ?? 0;
  const token = TOKEN.exec(source.slice(at).trimStart())?.[0] ?? '';
  const found = token === '' ? "'<EOF>'" : `'${token}'`;
  switch (error.code) {
    case 'reserved_identifier':
      return {
        at,
        message: `reserved identifier: ${token}`,
        repaired: source.slice(0, at) + '_'.repeat(token.length) + source.slice(at + token.length),
      };
    case 'unexpected_token':
      return { at, message: `Syntax error: ${notOperand(source, at, token, found)}` };
    case 'expected_token':
      return { at, message: `Syntax error: ${expected(source, at, found, error.summary)}` };
    case 'unexpected_character':
      if (error.summary.includes(": '")) return { at, message: `Syntax error: ${trailing(source, at, token, found)}` };
      // An incomplete operator consumes the next character too.
      return unrecognized(source, at, at + (/[=&|]/.test(source[at] ?? '') ? 2 : 1));
    case 'invalid_macro_argument':
      return { at, message: macroComplaint(error.summary) };
    case 'invalid_number':
      return { at, message: 'invalid double literal' };
    case 'limit_exceeded':
      return { at, message: 'expression recursion limit exceeded: 250' };
    case 'unterminated_triple_quoted_string':
      // The first two quotes are an empty string.
      return unrecognized(source, at + 2, source.length);
    default:
      return unrecognized(source, at, source.length);
  }
}

const macroComplaint = (summary: string): string =>
  /^(?:map|filter)\(/.test(summary) ? 'argument is not an identifier' : 'argument must be a simple name';

function unrecognized(source: string, start: number, end: number): SyntaxIssue {
  const text = source.slice(start, end);
  return {
    at: start,
    message: `Syntax error: token recognition error at: '${text}'`,
    repaired: source.slice(0, start) + ' '.repeat(text.length) + source.slice(end),
  };
}

const startsOperand = (text: string): boolean => /^[\w"'([{.!-]/.test(text);

/** A token is extraneous if the input after it would be valid; otherwise it is mismatched. */
function notOperand(source: string, at: number, token: string, found: string): string {
  const isCall = /\w\s*\(\s*$/.test(source.slice(0, at));
  const rest = source.slice(at + token.length).trimStart();
  const skippable = token !== '' && (startsOperand(rest) || (isCall && rest.startsWith(')')));
  return `${skippable ? 'extraneous' : 'mismatched'} input ${found} expecting ${isCall ? ARGUMENT : OPERAND}`;
}

const KEYWORD = /^'(?:true|false|null)'$/;

function expected(source: string, at: number, found: string, summary: string): string {
  const wanted = /Expected (\w+)/.exec(summary)?.[1] ?? '';
  const ended = found === "'<EOF>'";
  if (wanted === 'IDENTIFIER') {
    if (KEYWORD.test(found)) return `mismatched input ${found} expecting IDENTIFIER`;
    return `no viable alternative at input '.${ended ? '' : found.slice(1, -1)}'`;
  }
  const closing = CLOSING.get(wanted) ?? wanted;
  if (wanted === 'RBRACE' || (wanted === 'RBRACKET' && inListLiteral(source, at))) {
    return `mismatched input ${found} expecting {${closing}, ','}`;
  }
  if (wanted === 'COLON') return `mismatched input ${found} expecting ${closing}`;
  if (ended) return `missing ${closing} at ${found}`;
  const next = source.slice(at + found.length - 2).trimStart();
  return `${next.startsWith(closing.slice(1, -1)) ? 'extraneous' : 'mismatched'} input ${found} expecting ${closing}`;
}

/** Whether the open bracket belongs to a list literal and not to an index. */
function inListLiteral(source: string, at: number): boolean {
  let depth = 0;
  for (let i = at - 1; i >= 0; i--) {
    if (source[i] === ']') depth++;
    if (source[i] !== '[' || depth-- > 0) continue;
    return !/[\w)\]]\s*$/.test(source.slice(0, i));
  }
  return false;
}

/** One surplus token is extraneous; several are a mismatch. */
function trailing(source: string, at: number, token: string, found: string): string {
  const rest = source.slice(at).trimStart().slice(token.length).trim();
  return rest === '' ? `extraneous input ${found} expecting <EOF>` : `mismatched input ${found} expecting <EOF>`;
}
