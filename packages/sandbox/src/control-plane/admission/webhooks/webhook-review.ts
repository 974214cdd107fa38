/** AdmissionReview: builds the request to a webhook and reads its answer. */
import { randomUUID } from 'node:crypto';
import { StatusError, type StatusDetails } from '../../../server/api/status.ts';
import type { Resource } from '../../../server/api/resource.ts';
import type { JsonObject } from '../../../values/json.ts';
import { listAt, numberAt, objectAt, textAt, textMapAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import { readBase64 } from '../../../objects/kinds/values/go-base64.ts';
import type { AdmissionRequest } from '../admission.ts';
import { CallFailure } from './call-failure.ts';

const GROUP = 'admission.k8s.io';

/** `Versioned` is the object and its old state in the version that the webhook expects. */
export interface Versioned {
  readonly resource: Resource;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

export interface Review {
  readonly uid: string;
  readonly version: string;
  readonly body: JsonObject;
}

export interface Verdict {
  readonly allowed: boolean;
  readonly result: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** The JSON text of the patch; empty without a patch. */
  readonly patch: string;
  readonly patchType: string;
}

export function createReview(versions: readonly string[], request: AdmissionRequest, versioned: Versioned): Review {
  const version = versions.find((known) => known === 'v1' || known === 'v1beta1');
  if (version === undefined) {
    throw new CallFailure(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  }
  const uid = randomUUID();
  const { object = null, oldObject = null } = versioned;
  const { dryRun, options, ...facts } = requestFacts(request, versioned.resource);
  const content = { uid, ...facts, object, oldObject, dryRun, options };
  return { uid, version, body: { kind: 'AdmissionReview', apiVersion: `${GROUP}/${version}`, request: content } };
}

/** In admission, a patch is already an update or a create. */
function optionFacts({ operation, dryRun, options }: AdmissionRequest): JsonObject {
  const kind = OPTIONS[operation];
  const { force: _, ...rest } = options;
  return { dryRun, options: kind === undefined ? options : { ...rest, kind } };
}

const OPTIONS: { readonly [operation: string]: string | undefined } = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
};

/** The request as match conditions see it. */
export function requestFacts(request: AdmissionRequest, resource: Resource): JsonObject {
  const { subresource, name, namespace, operation, user } = request;
  return {
    kind: kindOf(resource, subresource),
    resource: { group: resource.group, version: resource.version, resource: resource.plural },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(request.resource, subresource),
    requestResource: {
      group: request.resource.group,
      version: request.resource.version,
      resource: request.resource.plural,
    },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(user.extra === undefined || Object.keys(user.extra).length === 0
        ? {}
        : { extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])) }),
    },
    ...optionFacts(request),
  };
}

function kindOf(resource: Resource, subresource: string): JsonObject {
  const sub = resource.subresources.find(({ name }) => name === subresource);
  return {
    group: sub?.group ?? resource.group,
    version: sub?.version ?? resource.version,
    kind: sub?.kind ?? resource.kind,
  };
}

/** `readVerdict` reads the answer; an invalid one is thrown as a CallFailure. */
export function readVerdict(review: Review, mutating: boolean, answer: JsonObject): Verdict {
  const response = objectAt(answer, 'response');
  if (response === undefined) throw invalid('webhook response was absent');
  const patchType = response['patchType'];
  const patch = decodePatch(textAt(response, 'patch'));
  const strict = review.version === 'v1';
  if (strict) {
    checkIdentity(review, answer, response);
    checkPatch(mutating, patch !== '', typeof patchType === 'string' ? patchType : undefined);
  }
  return {
    allowed: response['allowed'] === true,
    result: objectAt(response, 'status'),
    warnings: textsAt(response, 'warnings'),
    patch: mutating ? patch : '',
    patchType: strict && typeof patchType === 'string' ? patchType : 'JSONPatch',
  };
}

function decodePatch(text: string): string {
  const read = readBase64(text);
  if (typeof read === 'number')
    throw new CallFailure(`failed to call webhook: illegal base64 data at input byte ${read}`);
  return Buffer.from(read, 'base64').toString('utf8');
}

const invalid = (why: string): CallFailure => new CallFailure(`received invalid webhook response: ${why}`);

function checkIdentity(review: Review, answer: JsonObject, response: JsonObject): void {
  const uid = textAt(response, 'uid');
  if (uid !== review.uid)
    throw invalid(`expected response.uid=${JSON.stringify(review.uid)}, got ${JSON.stringify(uid)}`);
  const apiVersion = textAt(answer, 'apiVersion');
  const kind = textAt(answer, 'kind');
  if (apiVersion === `${GROUP}/v1` && kind === 'AdmissionReview') return;
  throw invalid(
    `expected webhook response of ${GROUP}/v1, Kind=AdmissionReview, got ${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`,
  );
}

function checkPatch(mutating: boolean, hasPatch: boolean, patchType: string | undefined): void {
  if (!mutating) {
    if (hasPatch) throw invalid('validating webhook may not return response.patch');
    if (patchType !== undefined) throw invalid('validating webhook may not return response.patchType');
    return;
  }
  if (hasPatch && patchType === undefined) throw invalid('webhook returned response.patch but not response.patchType');
  if (!hasPatch && patchType !== undefined) throw invalid('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
}

/** `denial` returns the rejection by a webhook, with the Status that it returned, if any. */
export function denial(webhook: string, result: JsonObject | undefined): StatusError {
  const by = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = textAt(result, 'message') || textAt(result, 'reason');
  const details = objectAt(result, 'details');
  return new StatusError(
    Math.max(numberAt(result, 'code'), 400),
    textAt(result, 'reason'),
    why === '' ? `${by} without explanation` : `${by}: ${why}`,
    details === undefined ? undefined : readDetails(details),
  );
}

function readDetails(raw: JsonObject): StatusDetails {
  const details: StatusDetails = {};
  for (const key of ['name', 'group', 'kind', 'uid'] as const)
    if (textAt(raw, key) !== '') details[key] = textAt(raw, key);
  const causes = listAt(raw, 'causes').map((cause) => ({ ...textMapAt({ cause }, 'cause') }));
  if (causes.length > 0) details.causes = causes;
  if (numberAt(raw, 'retryAfterSeconds') !== 0) details.retryAfterSeconds = numberAt(raw, 'retryAfterSeconds');
  return details;
}
