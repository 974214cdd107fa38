/** Reads the body of a webhook's answer like the API server's decoder, which treats it as YAML. */
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { textAt } from '../../../objects/kinds/values/fields.ts';
import { goJsonError } from '../../../objects/schema/go/go-json-error.ts';
import { jsonKind } from '../../../objects/schema/go/go-json-kind.ts';
import { CallFailure } from './call-failure.ts';

const GROUP = 'admission.k8s.io';
const KNOWN = ['v1', 'v1beta1'];

export interface Answer {
  readonly text: string;
  readonly contentType: string;
}

/** The answer as an object; `version` is the version of the review that was sent. */
export function readAnswer({ text, contentType }: Answer, version: string): JsonObject {
  if (text === '') throw failed(`0-length response with status code: 200 and content type: ${contentType}`);
  const answer = parse(text);
  if (answer === null) return {};
  if (!isObject(answer)) throw unreadable(cannotBe(jsonKind(answer)));
  const apiVersion = textAt(answer, 'apiVersion');
  const kind = textAt(answer, 'kind');
  if (apiVersion === '' || kind === '') return answer;
  const given = KNOWN.find((known) => apiVersion === `${GROUP}/${known}`);
  if (given === undefined || kind !== 'AdmissionReview') {
    throw failed(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (given !== version) {
    throw failed(`converting (${given}.AdmissionReview) to (${version}.AdmissionReview): unknown conversion`);
  }
  return answer;
}

const failed = (why: string): CallFailure => new CallFailure(`failed to call webhook: ${why}`);
const unreadable = (why: string): CallFailure => failed(`couldn't get version/kind; json parse error: ${why}`);

const cannotBe = (kind: string): string =>
  String.raw`json: cannot unmarshal ${kind} into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Text that is not JSON is a string in YAML.
    throw unreadable(/^\s*[{[]/.test(text) ? goJsonError(text) : cannotBe('string'));
  }
}
