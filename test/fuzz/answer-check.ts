/** Whether Kubernetes could give such an answer. */
import type { Status } from '../../packages/sandbox/src/server/api/status.ts';
import type { Answer, FuzzRequest } from './request.ts';

/** What a real server answers with 500 as well: client errors that it does not report as such. */
const REAL_INTERNAL_ERRORS: readonly RegExp[] = [
  // An applied object does not fit the schema of its kind.
  /^failed to (create typed patch|convert new) object \(/,
  // A stored object whose lists have no keys, which an apply has to take apart.
  /^failed to create manager for existing fields: /,
  // A GET at a revision that is not a number.
  /^resourceVersion: Invalid value: /,
  // An update at a revision that is not a number.
  /^strconv\.ParseUint: parsing /,
  // A new object that names a revision.
  /^resourceVersion should not be set on objects to be created$/,
  // A strategic patch with unknown directives, or with values of the wrong type for the kind.
  /^(unknown patch type: |list element types are not identical: |expected a .* but received a |unable to find api field in struct )/,
  /^map: .* does not contain declared merge key: /s,
  // A binding of a pod to nothing.
  /^target\.(kind|name): /,
  // An eviction that requests a dry run in one place only.
  /^Non-matching dry-run options in request and content: /,
];

/** Plain text from the HTTP server below Kubernetes. */
const PLAIN: Readonly<Record<number, string>> = { 400: '400 Bad Request', 404: '404 page not found\n' };

/** What is wrong with an answer, or undefined. */
export function complaint(request: FuzzRequest, answer: Answer): string | undefined {
  const { code, type, body } = answer;
  if (code < 200 || code > 599) return `status ${code}`;
  if (code < 400 || request.method === 'HEAD') return undefined;
  if (type.startsWith('text/plain') && body === PLAIN[code]) return undefined;
  // OpenAPI documents are refused without a body.
  if ([404, 406].includes(code) && body === '' && request.target.startsWith('/openapi/')) return undefined;
  if (!type.startsWith('application/json')) return `status ${code} as ${type}: ${body.slice(0, 200)}`;
  return statusComplaint(code, body);
}

function statusComplaint(code: number, body: string): string | undefined {
  let status: Status;
  try {
    status = JSON.parse(body) as Status;
  } catch {
    return `status ${code} with a body that is no JSON: ${body.slice(0, 200)}`;
  }
  if (status.kind !== 'Status' || status.apiVersion !== 'v1' || status.status !== 'Failure')
    return `status ${code} without a Status: ${body.slice(0, 200)}`;
  if (status.code !== code) return `status ${code} with a Status of code ${String(status.code)}`;
  if (typeof status.message !== 'string' || status.message === '') return `status ${code} without a message`;
  if (code === 500 && !REAL_INTERNAL_ERRORS.some((text) => text.test(status.message ?? '')))
    return `status 500: ${status.message.slice(0, 1000)}`;
  return undefined;
}
