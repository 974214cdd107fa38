/** The documents of the server itself: its groups, its health, and the OpenAPI of APIs that provide it. */
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { openApiAnswer, type OpenApiAnswer, type OpenApiRequest } from '../../server/openapi/answer.ts';
import type { AggregatedApi } from './contracts.ts';

/** Undefined for any other path; a string is sent as plain text. */
export function rootDocument(apis: readonly AggregatedApi[], path: string): JsonObject | string | undefined {
  switch (path) {
    case '/healthz':
    case '/livez':
    case '/readyz':
      return 'ok';
    case '/apis':
      return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupNames(apis).map((name) => group(apis, name)) };
    // Without paths of their own, kubectl treats the kinds like those of any CRD: the server validates.
    case '/openapi/v2':
      return { swagger: '2.0', info: { title: 'ssvirt simulators', version: '1' }, paths: {} };
    case '/openapi/v3':
      return { paths: Object.assign({}, ...apis.map(describedPaths)) as JsonObject };
    default: {
      const name = /^\/apis\/([^/]+)\/?$/.exec(path)?.[1];
      return name !== undefined && groupNames(apis).includes(name)
        ? { kind: 'APIGroup', apiVersion: 'v1', ...group(apis, name) }
        : undefined;
    }
  }
}

/** Undefined if no API has such a document. */
export function openApiDocument(apis: readonly AggregatedApi[], request: OpenApiRequest): OpenApiAnswer | undefined {
  const path = request.path.slice('/openapi/v3/'.length);
  const { documents } = apis.find((api) => api.documents?.v3(path) !== undefined) ?? {};
  return documents && openApiAnswer(documents, request);
}

function describedPaths({ documents }: AggregatedApi): JsonObject {
  const index = documents && (JSON.parse(documents.index().body.toString()) as Json);
  return isObject(index) && isObject(index['paths']) ? index['paths'] : {};
}

function groupNames(apis: readonly AggregatedApi[]): readonly string[] {
  return [...new Set(apis.map(({ group: name }) => name))];
}

function group(apis: readonly AggregatedApi[], name: string): JsonObject {
  const versions = apis
    .filter((api) => api.group === name)
    .toSorted((a, b) => (b.priority?.version ?? 0) - (a.priority?.version ?? 0))
    .map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, ...(versions[0] === undefined ? {} : { preferredVersion: versions[0] }) };
}
