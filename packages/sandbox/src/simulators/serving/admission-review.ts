/** Parses and renders AdmissionReview (admission.k8s.io/v1). */
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import type { AdmissionAnswer, ReviewRequest } from './contracts.ts';

const API_VERSION = 'admission.k8s.io/v1';

/** Undefined if the text is no review. */
export function readReview(text: string): ReviewRequest | undefined {
  let review: Json;
  try {
    review = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  if (!isObject(review) || review['kind'] !== 'AdmissionReview' || review['apiVersion'] !== API_VERSION)
    return undefined;
  const { request } = review;
  if (!isObject(request) || typeof request['uid'] !== 'string' || !isObject(request['userInfo'])) return undefined;
  // Validated by the API server's own schema.
  return request as unknown as ReviewRequest;
}

export function reviewOf(uid: string, answer: AdmissionAnswer): JsonObject {
  const warnings = answer.warnings === undefined ? {} : { warnings: [...answer.warnings] };
  const outcome = answer.allowed ? permission(answer) : refusal(answer);
  return { kind: 'AdmissionReview', apiVersion: API_VERSION, response: { uid, ...outcome, ...warnings } };
}

function permission({ patch = [] }: AdmissionAnswer & { readonly allowed: true }): JsonObject {
  if (patch.length === 0) return { allowed: true };
  return {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
}

function refusal({ code, reason, message, causes }: AdmissionAnswer & { readonly allowed: false }): JsonObject {
  const details = causes && {
    causes: causes.map(({ type, message: text, field }) => ({
      ...(type === '' ? {} : { reason: type }),
      message: text,
      ...(field === undefined ? {} : { field }),
    })),
  };
  return {
    allowed: false,
    status: {
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    },
  };
}
