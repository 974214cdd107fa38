/** `inlineSchemas` replaces references in a part of an OpenAPI document by the schemas that they name. */

export interface DocumentWithSchemas {
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

/** No schema of the document contains itself. */
export function inlineSchemas<T>(value: T, document: DocumentWithSchemas): T {
  return inlined(value, document) as T;
}

function inlined(value: unknown, document: DocumentWithSchemas): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(one, document));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { readonly $ref?: string };
  if ($ref !== undefined) return inlined(document.components?.schemas?.[$ref.split('/').at(-1) ?? ''], document);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inlined(one, document)]));
}
