/**
 * Content negotiation of go-restful 3.13, which virt-api 1.9 uses: after the path and the method, before any handler.
 * Its refusals are texts without a Status. Types are compared literally: no case folding, no `application/*`, and
 * parameters (including a quality of 0) are ignored.
 */
import type { IncomingMessage } from 'node:http';
import { plain, type SubresourceAnswer } from './answer.ts';

/** `Contents` holds the media types that a route declares. */
export interface Contents {
  /** If empty, any type is accepted. */
  readonly consumes: readonly string[];
  /** If empty, only clients that accept any type are served. */
  readonly produces: readonly string[];
}

/** `undeclared` is the declaration of most routes of virt-api: power operations, volumes and streams. */
export const undeclared: Contents = { consumes: [], produces: [] };
export const producesJson: Contents = { consumes: [], produces: ['application/json'] };
export const onlyJson: Contents = { consumes: ['application/json'], produces: ['application/json'] };

const anyType = '*/*';
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE']);

export type Negotiating = Pick<IncomingMessage, 'method' | 'headersDistinct'>;

/** `negotiate` returns the refusal, or undefined. */
export function negotiate({ consumes, produces }: Contents, request: Negotiating): SubresourceAnswer | undefined {
  if (!isConsumed(consumes, request)) return plain(415, '415: Unsupported Media Type');
  const accepted = typesIn(first(request, 'accept') || anyType);
  if (accepted.some((type) => type === anyType || produces.includes(type))) return undefined;
  return plain(406, `406: Not Acceptable\n\nAvailable representations: ${produces.join(', ')}`);
}

function isConsumed(consumes: readonly string[], request: Negotiating): boolean {
  if (consumes.length === 0) return true;
  const sent = first(request, 'content-type');
  if (sent === '' && withoutBody.has(request.method ?? '')) return true;
  return typesIn(sent || 'application/octet-stream').some((type) => consumes.includes(type));
}

/** Go reads only the first header with a name. */
function first({ headersDistinct }: Negotiating, name: string): string {
  return headersDistinct[name]?.[0] ?? '';
}

function typesIn(header: string): readonly string[] {
  return header.split(',').map((one) => (one.split(';')[0] ?? '').replaceAll(/^ +| +$/g, ''));
}
