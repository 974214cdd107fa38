/**
 * Writes the API reference page: every call by resource, with the roles that may make it, its parameters, its answers,
 * and an example command.
 */
import { inlineSchemas, type DocumentWithSchemas } from './inline-schemas.ts';
import { code, fieldsOf, fieldTable, limitsOf, row, typeOf, type Schema } from './schema.ts';

export interface Document extends DocumentWithSchemas {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
}

interface Call {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

const introduction = `# The API, call by call

<!-- Written by \`make docs\` from docs/openapi.json, which is written from the routes. -->

This page is generated from [openapi.json](../openapi.json), which client generators can use. The page \`/docs\` of a running server lets you try calls. Separate pages describe tasks and \`Prefer: wait\` ([machines](../tenant/vms.md)),
filters and pages ([lists](../tenant/lists.md)), [consoles](../tenant/console.md) and [errors](../api-errors.md), with the shape of every error response.

The commands use the variables that \`make run\` writes to \`.ssvirt-dev/env\`. Run \`. .ssvirt-dev/env\`, log in as in the [quick start](../tenant/quick-start.md#log-in), and define:

\`\`\`console
api() { curl -sSf --cacert "$SSVIRT_CA" -H "@$SSVIRT_SESSION" "$@"; }
\`\`\`

Replace a word in capitals, such as \`VM_ID\`, by an id. "Who may" lists the roles that may make the call; users never have access to objects of another organization.
`;

interface NamedCall extends Call {
  readonly method: string;
  readonly path: string;
}

export function apiPage(document: Document): string {
  const calls = Object.entries(inlineSchemas(document.paths, document)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]): NamedCall => ({ ...call, method: method.toUpperCase(), path })),
  );
  const byTag = Map.groupBy(calls, ({ tags = [] }) => tags[0]);
  const resources = document.tags.map(({ name, description }) => resource(name, description, byTag.get(name) ?? []));
  return [introduction, contents(document.tags.map(({ name }) => name)), ...resources].join('\n');
}

function contents(names: readonly string[]): string {
  return `${names.map((name) => `[${name}](#${anchor(name)})`).join(' · ')}\n`;
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

function resource(name: string, description: string, calls: readonly NamedCall[]): string {
  return [`## ${name}\n`, `${description}.\n`, ...calls.map(section)].join('\n');
}

/** Every description ends with the roles of the access matrix if it needs any. */
const roles = /\s*Roles: ([^.]*)\.$/;

function section(call: NamedCall): string {
  const { method, path, summary = '', description = '', parameters = [] } = call;
  const said = description.replace(roles, '').trim();
  const own = parameters.filter((one) => !(isList(call) && listParameters.has(one.name)));
  return [
    `### ${method} ${path}\n`,
    `${summary}.${said === '' ? '' : ` ${said}`}\n`,
    `**Who may**: ${whoMay(call)}.${isList(call) ? ' Answers in [pages, with filters and order](../tenant/lists.md).' : ''}\n`,
    ...(own.length === 0 ? [] : [parameterTable(own)]),
    ...bodyOf(call),
    answers(call),
    `\`\`\`console\n${example(call)}\n\`\`\`\n`,
  ].join('\n');
}

const listParameters = new Set(['page', 'pageSize', 'filter', 'filterEncoded', 'sortAsc', 'sortDesc']);

function isList({ parameters = [] }: NamedCall): boolean {
  return parameters.some(({ name }) => name === 'pageSize');
}

/** System Administrator, Organization Administrator, vApp Author, vApp User, Read-only. */
const everyRole = 5;

function whoMay({ description = '', security = [] }: NamedCall): string {
  const named = roles.exec(description)?.[1];
  if (named !== undefined) return named.split(', ').length === everyRole ? 'all logged-in users' : named;
  return security.some((one) => 'login' in one) ? 'users with a password' : 'everyone, without a session';
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: where, required, description = '', schema }) =>
    row(
      code(name),
      where,
      typeOf(schema),
      [...(required === true ? ['required'] : []), ...limitsOf(schema)].join('; '),
      description,
    ),
  );
  return `${row('parameter', 'in', 'type', 'rule', 'meaning')}${row('---', '---', '---', '---', '---')}${rows.join('')}`;
}

function bodyOf({ requestBody }: NamedCall): readonly string[] {
  if (requestBody === undefined) return [];
  return Object.entries(requestBody.content).map(([media, { schema = {} }]) => {
    const fields = fieldsOf(schema);
    const head = `The ${requestBody.required === true ? '' : 'optional '}body is \`${media}\`${fields.length === 0 ? '' : ':'}\n`;
    return fields.length === 0 ? head : `${head}\n${fieldTable(fields)}`;
  });
}

function answers({ responses }: NamedCall): string {
  const rows = Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, { description = '', content }]) =>
      row(status, description === 'Default Response' ? '' : description, fieldNames(content)),
    );
  return `${row('answer', 'meaning', 'fields')}${row('---', '---', '---')}${rows.join('')}`;
}

/** Top-level fields; for a list, the fields of one entry. The document has all of them. */
function fieldNames(content: Content | undefined): string {
  const [schema] = Object.values(content ?? {}).map((one) => one.schema);
  const entry = schema?.properties?.['values']?.items;
  const names = Object.keys((entry ?? schema)?.properties ?? {})
    .map(code)
    .join(', ');
  return entry === undefined ? names : `\`values\` of: ${names}`;
}

function example({ method, path, requestBody, parameters = [] }: NamedCall): string {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
  );
  const needed = parameters.filter((one) => one.in === 'query' && one.required === true).map(({ name }) => `${name}=…`);
  const query = needed.length === 0 ? '' : `?${needed.join('&')}`;
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema === undefined ? '' : ` --json '${JSON.stringify(sample(schema))}'`;
  const verb = method === 'GET' || (method === 'POST' && body !== '') ? '' : `-X ${method} `;
  return `api ${verb}"$SSVIRT_URL${url}${query}"${body}`;
}

/** A minimal valid body. */
function sample(schema: Schema): unknown {
  const { type, required = [], properties = {}, items, examples, anyOf, oneOf, minimum = 1 } = schema;
  const [word] = examples ?? schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (word !== undefined) return word;
  const [choice] = anyOf ?? oneOf ?? [];
  if (choice !== undefined && type === undefined) return sample(choice);
  if (type === 'array') return items === undefined ? [] : [sample(items)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum;
  if (type !== 'object') return '…';
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {})]));
}
