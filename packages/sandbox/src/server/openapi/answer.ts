/** HTTP answers for `/openapi/v2`, `/openapi/v3` and `/openapi/v3/PATH`, like those of kube-apiserver. */
import { acceptClauses } from '../discovery/accept.ts';
import type { HashedDocument, OpenApi } from './documents.ts';

export interface OpenApiRequest {
  readonly path: string;
  /** The query's `hash`. */
  readonly hash?: string | null;
  readonly accept?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface OpenApiAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer;
}

const v2Protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const v2Types = [
  'application/json',
  v2Protobuf,
  // kubectl asks for this older spelling, although it is not a valid media type.
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
];
const nothing = Buffer.alloc(0);
const year = 365 * 24 * 3600 * 1000;

/** `openApiAnswer` returns undefined when the path does not belong to OpenAPI. */
export function openApiAnswer(documents: OpenApi, request: OpenApiRequest): OpenApiAnswer | undefined {
  const path = request.path.replace(/\/$/, '');
  if (path === '/openapi/v2') return answerV2(documents, request);
  if (path === '/openapi/v3') return answerIndex(documents.index());
  if (path.startsWith('/openapi/v3/')) return answerV3(documents, path.slice('/openapi/v3/'.length), request);
  return undefined;
}

function answerV2(documents: OpenApi, request: OpenApiRequest): OpenApiAnswer {
  const type = negotiate(request.accept, v2Types);
  if (type === undefined) return { status: 406, headers: { vary: 'Accept' }, body: nothing };
  const { json, protobuf } = documents.v2();
  const isJson = type === 'application/json';
  const headers = { 'content-type': isJson ? type : v2Protobuf, vary: 'Accept' };
  return content(isJson ? json : protobuf, request, headers);
}

/** The aggregator sends the index without ETag and media type, so Go's content sniffing sets text/plain. */
function answerIndex(index: HashedDocument): OpenApiAnswer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'last-modified': index.modified.toUTCString() };
  return { status: 200, headers, body: index.body };
}

function answerV3(documents: OpenApi, path: string, request: OpenApiRequest): OpenApiAnswer {
  const document = documents.v3(path);
  if (document === undefined) return { status: 404, headers: {}, body: nothing };
  // Protobuf is not supported here: kubectl and client-go request v3 only as JSON.
  if (negotiate(request.accept, ['application/json']) === undefined) {
    return { status: 406, headers: { vary: 'Accept' }, body: nothing };
  }
  const headers = { 'content-type': 'application/json', vary: 'Accept' };
  const { hash = '' } = request;
  if (hash === '' || hash === null) return content(document, request, headers);
  if (hash !== document.hash) {
    const location = `/openapi/v3/${path}?hash=${document.hash}`;
    return { status: 301, headers: { ...headers, location, etag: `"${document.hash}"` }, body: nothing };
  }
  const expires = new Date(Date.now() + year).toUTCString().replace('GMT', 'UTC');
  return content(document, request, { ...headers, 'cache-control': 'public, immutable', expires });
}

function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept === '') return offered[0];
  for (const { type } of acceptClauses(accept)) {
    const match = offered.find((candidate) => type === candidate || type === '*/*' || type === 'application/*');
    if (match !== undefined) return match;
  }
  return undefined;
}

function content(
  document: HashedDocument,
  request: OpenApiRequest,
  headers: { [name: string]: string },
): OpenApiAnswer {
  const etag = `"${document.hash}"`;
  const tagged = { ...headers, etag, 'last-modified': document.modified.toUTCString() };
  const isKnown = request.ifNoneMatch?.split(',').some((candidate) => candidate.trim() === etag) ?? false;
  if (isKnown) return { status: 304, headers: { etag }, body: nothing };
  return { status: 200, headers: tagged, body: document.body };
}
