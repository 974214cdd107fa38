/** Syntax errors in the words of cel-go's parser generator, as near as the other parser's complaint allows. */
import type { ParseError } from '@marcbachmann/cel-js';
import type { Issue } from './issues.ts';

const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const TOKEN = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?:\.[0-9]+)?|==|!=|<=|>=|&&|\|\||"[^"]*"|'[^']*'|\S)/;

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['RPAREN', "')'"],
  ['RBRACKET', "']'"],
  ['RBRACE', "'}'"],
  ['COLON', "':'"],
]);

export function syntaxIssue(source: string, error: ParseError): Issue {
  const at = error.range?.start ?? 0;
  return { at, message: message(source, at, error) };
}

function message(source: string, at: number, error: ParseError): string {
  const token = TOKEN.exec(source.slice(at).trimStart())?.[0];
  const found = token === undefined ? "'<EOF>'" : `'${token}'`;
  switch (error.code) {
    case 'reserved_identifier':
      return `reserved identifier: ${token ?? ''}`;
    case 'unexpected_token':
      return `Syntax error: mismatched input ${found} expecting ${OPERAND}`;
    case 'expected_token':
      return `Syntax error: ${expected(source, at, found, error.summary)}`;
    case 'unexpected_character':
      if (error.summary.includes(": '")) return `Syntax error: ${trailing(source, at, token ?? '', found)}`;
      return `Syntax error: token recognition error at: '${token ?? ''}'`;
    case 'invalid_macro_argument':
      return /^(?:map|filter)\(/.test(error.summary)
        ? 'argument is not an identifier'
        : 'argument must be a simple name';
    case 'limit_exceeded':
      return `expression recursion limit exceeded: 250`;
    default:
      return `Syntax error: token recognition error at: '${source.slice(at)}'`;
  }
}

function expected(source: string, at: number, found: string, summary: string): string {
  const wanted = /Expected (\w+)/.exec(summary)?.[1] ?? '';
  if (wanted === 'IDENTIFIER')
    return `no viable alternative at input '.${found === "'<EOF>'" ? '' : found.slice(1, -1)}'`;
  const closing = CLOSING.get(wanted) ?? wanted;
  const before = source.slice(0, at).trimEnd();
  return found === "'<EOF>'" && before !== ''
    ? `missing ${closing} at ${found}`
    : `mismatched input ${found} expecting ${closing}`;
}

/** One token too many is extraneous; more of them are a mismatch. */
function trailing(source: string, at: number, token: string, found: string): string {
  const rest = source.slice(at).trimStart().slice(token.length).trim();
  return rest === '' ? `extraneous input ${found} expecting <EOF>` : `mismatched input ${found} expecting <EOF>`;
}
