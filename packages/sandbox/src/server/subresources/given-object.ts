/** Parses the body of a subresource with its own kind, such as a Scale or a Binding. */
import { checkTypeMeta, decodeBody, unrecognized, UnrecognizedBody } from '../api/request/body.ts';
import type { Context } from '../api/context.ts';
import type { KubeObject } from '../../values/json.ts';
import { cannotBeHandled, DecodeError, normalise } from '../../objects/kinds/values/decode.ts';
import type { Schema } from '../../objects/schema/schema.ts';

export function givenObject(
  context: Context,
  body: Buffer,
  expected: { apiVersion: string; kind: string },
  schema: Schema,
): KubeObject {
  const { kind, apiVersion } = expected;
  try {
    const { raw } = decodeBody(context.request, body, schema);
    checkTypeMeta(raw, expected);
    return normalise(schema, raw);
  } catch (error) {
    if (error instanceof UnrecognizedBody) throw unrecognized(error, kind, body);
    if (error instanceof DecodeError)
      throw cannotBeHandled(kind, apiVersion.split('/').at(-1) ?? '', kind, error.message);
    throw error;
  }
}
