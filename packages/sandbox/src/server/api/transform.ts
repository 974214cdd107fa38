/** Converts objects to the requested form: whole, as a Table for `kubectl get`, or only their metadata. */
import { isObject, type Json, type JsonObject, type KubeObject } from '../../values/json.ts';
import type { Entry } from '../../store/entry.ts';
import { parseIncludeObject, renderTable, type TableKind } from '../table/render.ts';
import type { Context } from './context.ts';
import type { Output } from './request/negotiate.ts';
import { itemText, readEntry } from './present.ts';
import type { Resource } from './resource.ts';
import { StatusError } from './status.ts';

export interface ListMeta extends JsonObject {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

export function partialMetadata(object: KubeObject, version: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}

function table(
  kind: TableKind,
  objects: readonly KubeObject[],
  meta: JsonObject,
  output: Output,
  context: Context,
  noHeaders = false,
): JsonObject {
  return renderTable(kind, objects, {
    includeObject: parseIncludeObject(context.query.get('includeObject') ?? undefined),
    noHeaders,
    metaVersion: output.metaVersion,
    metadata: meta,
    now: new Date(),
  });
}

/** `transformObject` converts one object to the requested form. */
export function transformObject(
  kind: TableKind,
  object: KubeObject,
  output: Output,
  context: Context,
  noHeaders = false,
): JsonObject {
  if (output.as === 'Object' || isStatus(object)) return object;
  if (output.as === 'Table')
    return table(
      kind,
      [object],
      { resourceVersion: object.metadata.resourceVersion ?? '' },
      output,
      context,
      noHeaders,
    );
  if (output.as === 'PartialObjectMetadata') return partialMetadata(object, output.metaVersion);
  throw notThatForm(`you requested ${output.as}, but the requested object is not a list (*core.${kind.kind})`);
}

const isStatus = (object: JsonObject): boolean => object['kind'] === 'Status' && object['apiVersion'] === 'v1';

/** `listText` renders a list in the requested form as text: thousands of items are joined without parsing. */
export function listText(
  resource: Resource,
  entries: readonly Entry[],
  meta: ListMeta,
  output: Output,
  context: Context,
): string {
  if (output.as === 'Table') {
    return JSON.stringify(
      table(
        resource,
        entries.map((entry) => readEntry(resource, entry)),
        meta,
        output,
        context,
      ),
    );
  }
  if (output.as === 'Object') {
    const items = entries.map((entry) => itemText(resource, entry)).join(',');
    if (!resource.custom)
      return `{"kind":"${resource.listKind}","apiVersion":"${resource.apiVersion}","metadata":${JSON.stringify(meta)},"items":[${items}]}`;
    // A custom resource's list is a map in the server, in which `continue` is always present.
    return `{"apiVersion":"${resource.apiVersion}","items":[${items}],"kind":"${resource.listKind}","metadata":${JSON.stringify({ continue: '', ...meta })}}`;
  }
  if (output.as === 'PartialObjectMetadata') {
    throw notThatForm(`you requested ${output.as}, but the requested object is a list (*core.${resource.listKind})`);
  }
  const items = entries
    .map((entry) => JSON.stringify(partialMetadata(readEntry(resource, entry), output.metaVersion)))
    .join(',');
  return `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${output.metaVersion}","metadata":${JSON.stringify(meta)},"items":[${items}]}`;
}

const notThatForm = (why: string): StatusError => new StatusError(406, 'NotAcceptable', why);

/** `watchTransform` converts the objects of a watch to the requested form. Tables after the first have no column definitions. */
export function watchTransform(
  resource: Resource,
  output: Output,
  context: Context,
): (text: string, first: boolean) => string {
  return (text, first) => {
    const object = JSON.parse(text) as Json;
    if (!isObject(object)) return text;
    return JSON.stringify(transformObject(resource, object as KubeObject, output, context, !first));
  };
}
