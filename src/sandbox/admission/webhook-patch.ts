/** The patch in a webhook's answer. */
import { isObject, type Json, type JsonObject } from '../json.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { jsonKind } from '../patch/rejection.ts';
import { patchFailure } from './patch-failure.ts';
import { internalError } from './refusal.ts';
import type { Webhook } from './webhook-configurations.ts';
import { CallFailure } from './call-failure.ts';
import type { Verdict } from './webhook-review.ts';

/** The object with the patch applied; undefined when there is nothing to apply. */
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

function decode(text: string): JsonObject[] {
  const wrong = (why: string): CallFailure => new CallFailure(`received undecodable patch in webhook response: ${why}`);
  let parsed: Json;
  try {
    parsed = JSON.parse(text) as Json;
  } catch {
    throw wrong(`invalid character '${text.trimStart()[0] ?? ''}' looking for beginning of value`);
  }
  if (Array.isArray(parsed) && parsed.every(isObject)) return parsed;
  const [kind, type] = Array.isArray(parsed)
    ? [jsonKind(parsed.find((item) => !isObject(item)) ?? null), 'Operation']
    : [jsonKind(parsed), 'Patch'];
  throw wrong(`json: cannot unmarshal ${kind} into Go value of type jsonpatch.${type}`);
}
