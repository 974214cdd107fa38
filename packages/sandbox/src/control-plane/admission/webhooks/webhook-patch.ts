/** Applies the patch in a webhook's answer. */
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { applyJsonPatch } from '../../../objects/patch/json-patch.ts';
import { goJsonError } from '../../../objects/schema/go/go-json-error.ts';
import { jsonKind } from '../../../objects/schema/go/go-json-kind.ts';
import { patchFailure } from './patch-failure.ts';
import { internalError } from '../refusal.ts';
import type { Webhook } from './webhook-configurations.ts';
import { CallFailure } from './call-failure.ts';
import type { Verdict } from './webhook-review.ts';

/** `patchObject` returns the object with the patch applied; undefined when the patch is empty. */
export function patchObject(
  webhook: Webhook,
  verdict: Verdict,
  object: JsonObject | undefined,
): JsonObject | undefined {
  if (verdict.patch === '') return undefined;
  const operations = decode(verdict.patch);
  if (operations.length === 0) return undefined;
  if (object === undefined) {
    throw internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (verdict.patchType !== 'JSONPatch')
    throw new CallFailure(`unsupported patch type ${JSON.stringify(verdict.patchType)}`);
  let patched = object;
  for (const operation of operations) {
    try {
      patched = applyJsonPatch(patched, [operation]);
    } catch {
      throw internalError(patchFailure(patched, operation));
    }
  }
  return patched;
}

const wrong = (why: string): CallFailure => new CallFailure(`received undecodable patch in webhook response: ${why}`);

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw wrong(goJsonError(text));
  }
}

function decode(text: string): JsonObject[] {
  const parsed = parse(text);
  if (parsed === null) return [];
  if (!Array.isArray(parsed))
    throw wrong(`json: cannot unmarshal ${jsonKind(parsed)} into Go value of type jsonpatch.Patch`);
  const bad = parsed.find((item) => !isObject(item));
  if (bad !== undefined)
    throw wrong(`json: cannot unmarshal ${jsonKind(bad)} into Go value of type jsonpatch.Operation`);
  return parsed.filter(isObject);
}
