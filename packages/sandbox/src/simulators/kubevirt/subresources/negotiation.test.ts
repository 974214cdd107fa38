/** Content negotiation as in go-restful, by what a route declares and what a client sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { negotiate, onlyJson, producesJson, undeclared, type Contents } from './negotiation.ts';

interface Row {
  readonly what: string;
  readonly route: Contents;
  readonly method?: string;
  readonly accept?: readonly string[];
  readonly contentType?: string;
  readonly code?: number;
}

const json = 'application/json';
const rows: readonly Row[] = [
  { what: 'JSON alone, where no type is declared', route: undeclared, accept: [json], code: 406 },
  { what: 'JSON and anything, as client-go sends it', route: undeclared, accept: [`${json}, */*`] },
  { what: 'anything with a quality', route: undeclared, accept: ['text/html,*/*;q=0.8'] },
  { what: 'no Accept header', route: undeclared },
  { what: 'an empty Accept header', route: undeclared, accept: [''] },
  { what: 'anything in a second Accept header', route: undeclared, accept: [json, '*/*'], code: 406 },
  { what: 'any application type, where none is declared', route: undeclared, accept: ['application/*'], code: 406 },
  { what: 'JSON alone, where it is produced', route: producesJson, accept: [json] },
  { what: 'a table of JSON, where JSON is produced', route: producesJson, accept: [`${json};as=Table;v=v1`] },
  { what: 'protobuf or JSON', route: producesJson, accept: [`application/vnd.kubernetes.protobuf,${json}`] },
  { what: 'protobuf alone', route: producesJson, accept: ['application/vnd.kubernetes.protobuf'], code: 406 },
  { what: 'another case', route: producesJson, accept: ['Application/JSON'], code: 406 },
  { what: 'any content, where none is declared', route: undeclared, method: 'PUT', contentType: 'text/plain' },
  { what: 'JSON content with a charset', route: onlyJson, method: 'PUT', contentType: `${json}; charset=utf-8` },
  { what: 'content of another type', route: onlyJson, method: 'PUT', contentType: 'application/yaml', code: 415 },
  { what: 'content without a type', route: onlyJson, method: 'PUT', code: 415 },
  { what: 'a GET without content', route: onlyJson, method: 'GET' },
  {
    what: 'a wrong type both ways: the content comes first',
    route: onlyJson,
    method: 'PUT',
    contentType: 'text/plain',
    accept: ['text/plain'],
    code: 415,
  },
];

for (const { what, route, method = 'GET', accept, contentType, code } of rows)
  test(`${what} is ${code ?? 'taken'}`, () => {
    const headersDistinct = {
      ...(accept === undefined ? {} : { accept: [...accept] }),
      ...(contentType === undefined ? {} : { 'content-type': [contentType] }),
    };
    assert.equal(negotiate(route, { method, headersDistinct })?.code, code);
  });

test('a refusal is a text that names what exists', () => {
  const headersDistinct = { accept: ['text/plain'] };
  assert.deepEqual(negotiate(producesJson, { method: 'GET', headersDistinct }), {
    code: 406,
    contentType: 'text/plain; charset=utf-8',
    body: '406: Not Acceptable\n\nAvailable representations: application/json',
  });
});
