/** Schemas that several resources share. The explorer page shows the descriptions. */
import {
  Type,
  type Static,
  type TArray,
  type TInteger,
  type TObject,
  type TSchema,
  type TString,
  type TUnsafe,
} from 'typebox';
import type { UrnKind } from '../urn.ts';
import { urnPattern } from './texts.ts';

export function UrnSchema(kind: UrnKind, description: string): TString {
  return Type.String({
    pattern: urnPattern(kind),
    description,
    examples: [`urn:vcloud:${kind}:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11`],
  });
}

/**
 * `named` gives a schema the name under which the OpenAPI document defines it once (`components.schemas`), and for which
 * clients generate a type. A name has one content.
 */
export function named<T extends TSchema>(title: string, schema: T): T {
  return Object.assign(schema, { title });
}

/** `EntityRef` is a reference to another entity. */
export const EntityRef = named('Reference', Type.Object({ name: Type.String(), id: Type.String() }));

/**
 * Null or the given schema, for responses. It uses a list of types, which the response serializer distinguishes at
 * once; for a Union it validates each value against one schema after the other.
 */
export function orNull<T extends TSchema & { readonly type: string }>(
  schema: T,
  description?: string,
): TUnsafe<Static<T> | null> {
  const described = description === undefined ? {} : { description };
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'], ...described });
}

/** RFC 3339 in UTC. */
export const Timestamp = Type.String({ format: 'date-time' });

export const ErrorBody = named(
  'Error',
  Type.Object(
    {
      minorErrorCode: Type.String(),
      message: Type.String(),
      stackTrace: Type.Null(),
    },
    { description: 'Why a request failed' },
  ),
);

export const maxPageSize = 128;

/**
 * The query of every list; `filter` is FIQL. `listRequest` reads it from the raw query, since values are decoded after
 * the filter is split.
 */
export const ListQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1, description: 'From 1 on' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: 25 })),
  filter: Type.Optional(Type.String({ maxLength: 4096, description: 'FIQL, such as name==web*;isEnabled==true' })),
  filterEncoded: Type.Optional(Type.String({ description: 'Sent by some clients; ignored' })),
  sortAsc: Type.Optional(Type.String({ maxLength: 100, description: 'The field to sort by, ascending' })),
  sortDesc: Type.Optional(Type.String({ maxLength: 100, description: 'The field to sort by, descending' })),
});

type TPage<T extends TSchema> = TObject<{
  resultTotal: TInteger;
  pageCount: TInteger;
  page: TInteger;
  pageSize: TInteger;
  associations: TArray<TObject>;
  values: TArray<T>;
}>;

/** A page of a list; the items have a name. */
export function PageOf<T extends TSchema>(item: T): TPage<T> {
  return named(
    `${(item as { readonly title?: string }).title}Page`,
    Type.Object({
      resultTotal: Type.Integer({ description: 'Of all pages' }),
      pageCount: Type.Integer(),
      page: Type.Integer({ description: 'From 1 on' }),
      pageSize: Type.Integer(),
      associations: Type.Array(Type.Object({}), { description: 'Always empty' }),
      values: Type.Array(item),
    }),
  );
}
