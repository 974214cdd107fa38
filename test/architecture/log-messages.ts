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

/** The problems of a call if it writes to a log. The message comes first, or after the fields. */
export function problemsOfCall(call: Node): readonly string[] {
  if (!isLogCall(call)) return [];
  const [first, second] = call['arguments'] as readonly Node[];
  if (first === undefined) return [];
  if (isText(first)) return problemsOf(first);
  if (second !== undefined) return problemsOf(second);
  return first.type === 'ObjectExpression' ? [] : [notConstant];
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
  const texts = ['TemplateLiteral', 'ConditionalExpression', 'BinaryExpression'];
  return texts.includes(type) || typeof value === 'string';
}

function problemsOf(node: Node): readonly string[] {
  if (node.type === 'ConditionalExpression')
    return [...problemsOf(node['consequent'] as Node), ...problemsOf(node['alternate'] as Node)];
  const text = constantOf(node);
  // A variable, a property or a call may hold anything. A line whose message is one of several constants says so.
  if (text === undefined) return [notConstant];
  const problem = problemOfMessage(text);
  return problem === undefined ? [] : [problem];
}

/** The text of a literal, or of literals that are joined because they are long. */
function constantOf(node: Node): string | undefined {
  if (typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return undefined;
  const [left, right] = [constantOf(node['left'] as Node), constantOf(node['right'] as Node)];
  return left === undefined || right === undefined ? undefined : left + right;
}
