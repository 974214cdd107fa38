/** The rules for log messages: constant, lower case, without a full stop, in plain English. Values go into fields. */

/** Words that almost always mark a sentence to rewrite. */
const words =
  /\b(nobody|somebody|whosoever|anew|is told|are told|none of it|unless said|it is so|of no account|is away)\b/i;
/** Names, such as Machine and API, keep their capitals. */
const isLowerCase = /^([a-z0-9]|Machine\b|[A-Z]{2,}s?\b)/;

export function problemOfMessage(message: string): string | undefined {
  if (!isLowerCase.test(message)) return `the log message "${message}" must begin in lower case`;
  if (/[.!]$/.test(message)) return `the log message "${message}" must end without a full stop`;
  const word = words.exec(message)?.[0];
  return word === undefined ? undefined : `the log message "${message}" must not have the word "${word}"`;
}

export const notConstant = 'a log message must be constant: put the values into fields';

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const levels: ReadonlySet<string> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

/** The problems of a call if it writes to a log. */
export function problemsOfCall(call: Node): readonly string[] {
  if (!isLogCall(call)) return [];
  const [first, second] = call['arguments'] as readonly Node[];
  const message = first === undefined || isText(first) ? first : second;
  return message === undefined ? [] : problemsOf(message);
}

/** `log.info(…)`, `this.#log?.[level](…)`, `parts.log.warn(…)`. */
function isLogCall({ callee }: Node): boolean {
  const { type, object, property, computed } = callee as Node;
  if (type !== 'MemberExpression') return false;
  const owner = object as Node;
  const named = owner.type === 'MemberExpression' ? (owner['property'] as Node) : owner;
  const { name } = named as Node & { readonly name?: string };
  const isLog = name !== undefined && /^(log|logger)$|Log$/.test(name);
  return isLog && (computed === true || levels.has(String((property as Node)['name'])));
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || type === 'ConditionalExpression' || typeof value === 'string';
}

function problemsOf(node: Node): readonly string[] {
  switch (node.type) {
    case 'Literal': {
      const problem = typeof node['value'] === 'string' ? problemOfMessage(node['value']) : undefined;
      return problem === undefined ? [] : [problem];
    }
    case 'TemplateLiteral':
      return [notConstant];
    case 'ConditionalExpression':
      return [...problemsOf(node['consequent'] as Node), ...problemsOf(node['alternate'] as Node)];
    default:
      return [];
  }
}
