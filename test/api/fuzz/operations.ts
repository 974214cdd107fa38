/** The operations of an OpenAPI document, and requests for them. */
import { defined } from '@ssvirt/base/values/defined';
import fc from 'fast-check';
import { inlineSchemas, type DocumentWithSchemas } from '../../../deploy/reference/inline-schemas.ts';
import { hostileText, valueOf, type KnownValues, type Schema } from './arbitraries.ts';

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly type: string; readonly schema: Schema };
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Document extends DocumentWithSchemas {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): Operation => {
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return {
        method: method.toUpperCase(),
        path,
        parameters,
        ...(type === undefined || content === undefined
          ? {}
          : { body: { type, schema: inlineSchemas(content.schema, document) } }),
      };
    }),
  );
}

export function requestOf(operation: Operation, known: KnownValues): fc.Arbitrary<FuzzRequest> {
  const { method, parameters, body } = operation;
  const texts = parameters.filter((one) => one.in !== 'header').map((one) => parameterText(one, known));
  return fc.tuple(fc.tuple(...texts), bodyText(body, known), extraHeaders).map(([values, text, headers]) => ({
    method,
    path: fill(operation, values),
    headers: { ...(text === undefined ? {} : { 'content-type': body?.type ?? 'application/json' }), ...headers },
    ...defined({ body: text }),
  }));
}

type Named = readonly [Parameter, string | undefined];

function parameterText(parameter: Parameter, known: KnownValues): fc.Arbitrary<Named> {
  const value = fc.oneof(
    { weight: 8, arbitrary: valueOf(parameter.schema, known).map(asText) },
    { weight: 1, arbitrary: hostileText },
  );
  const isOptional = parameter.in === 'query' && parameter.required !== true;
  return (isOptional ? fc.option(value, { nil: undefined, freq: 2 }) : value).map((text) => [parameter, text] as const);
}

/** An object may have no string conversion. */
function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function fill({ path }: Operation, values: readonly Named[]): string {
  const query: string[] = [];
  let filled = path;
  for (const [parameter, text] of values) {
    if (text === undefined) continue;
    const encoded = encodeURIComponent(text.toWellFormed());
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encoded === '' ? '%20' : encoded);
    else query.push(`${parameter.name}=${encoded}`);
  }
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function bodyText(body: Operation['body'], known: KnownValues): fc.Arbitrary<string | undefined> {
  if (body === undefined) return fc.constant(undefined);
  const isForm = body.type.includes('urlencoded');
  const fitting = valueOf(body.schema, known).map((value) => (isForm ? form(value) : JSON.stringify(value)));
  return fc.oneof(
    { weight: 20, arbitrary: fitting },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '{',
        'null',
        '[]',
        '"x"',
        '{"__proto__":{"a":1}}',
        '{"constructor":{"prototype":{}}}',
        '[[[[[[[[[]]]]]]]]]',
      ),
    },
  );
}

function form(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return new URLSearchParams(
    Object.entries(value as Record<string, unknown>).map(([name, text]): [string, string] => [name, String(text)]),
  ).toString();
}

const extraHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Readonly<Record<string, string>>>(
      { accept: 'application/*+xml;version=37.0' },
      { accept: 'application/json;version=' },
      { accept: 'application/json;version=99.9' },
      { accept: ',;=' },
      { prefer: 'wait=0' },
      { 'x-vmware-vcloud-tenant-context': 'no-uuid' },
      { 'x-vmware-vcloud-tenant-context': '00000000-0000-4000-8000-000000000000' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-7' },
    ),
  },
);
