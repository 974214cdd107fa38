/**
 * Sends answers (objects, lists, Tables, metadata) as text, compressed when the client accepts that and the answer is
 * large.
 */
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { stringify as toYaml } from 'yaml';
import type { Json, JsonObject } from '../../values/json.ts';
import type { Context } from './context.ts';
import type { Output } from './request/negotiate.ts';
import { errors, type StatusError } from './status.ts';
import { warningValues } from './warnings.ts';

const compress = promisify(gzip);
/** kube-apiserver's threshold: compressing smaller answers is not worth the time. */
const COMPRESS_ABOVE = 128 * 1024;

export function sendJson(context: Context, code: number, value: JsonObject, output?: Output): Promise<void> {
  if (output?.encoding === 'yaml')
    return send(context, code, toYaml(value, { sortMapEntries: true }), 'application/yaml');
  const pretty = isPretty(context);
  return sendText(context, code, `${pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value)}\n`);
}

/** `sendStored` sends an object that exists as JSON text, in the form that the request asks for. */
export function sendStored(context: Context, code: number, text: string, output: Output): Promise<void> {
  if (output.encoding === 'yaml' || isPretty(context))
    return sendJson(context, code, JSON.parse(text) as JsonObject, output);
  return sendText(context, code, `${text}\n`);
}

function isPretty(context: Context): boolean {
  const asked = context.query.get('pretty');
  if (asked !== null) return asked !== 'false' && asked !== '0';
  const agent = context.request.headers['user-agent'] ?? '';
  return agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0');
}

/** `sendText` sends text that is already encoded as JSON. */
export function sendText(context: Context, code: number, text: string, type = 'application/json'): Promise<void> {
  return send(context, code, text, type);
}

async function send(context: Context, code: number, text: string | Buffer, type: string): Promise<void> {
  const { response } = context;
  if (response.headersSent || response.destroyed) return;
  let body = typeof text === 'string' ? Buffer.from(text) : text;
  const headers: Record<string, string | string[]> = { 'Cache-Control': 'no-cache, private', 'Content-Type': type };
  const warnings = warningHeaders(context);
  if (warnings.length > 0) headers['Warning'] = warnings;
  if (body.length > COMPRESS_ABOVE && acceptsGzip(context)) {
    body = await compress(body, { level: 1 });
    headers['Content-Encoding'] = 'gzip';
    headers['Vary'] = 'Accept-Encoding';
  }
  headers['Content-Length'] = String(body.length);
  response.writeHead(code, headers);
  response.end(context.method === 'HEAD' ? undefined : body);
}

export function warningHeaders(context: Context): string[] {
  return warningValues(context.warnings);
}

function acceptsGzip(context: Context): boolean {
  const accepted = context.request.headers['accept-encoding'];
  return typeof accepted === 'string' && /\bgzip\b/.test(accepted);
}

export function sendError(context: Context, error: StatusError): Promise<void> {
  const status = error.toStatus();
  const retry = error.details?.retryAfterSeconds;
  if (retry !== undefined && !context.response.headersSent) context.response.setHeader('Retry-After', String(retry));
  return sendJson(context, error.code, status);
}

export function success(details: Json | undefined, code?: number): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(details === undefined ? {} : { details }),
    ...(code === undefined ? {} : { code }),
  };
}

/** `internalError` reports a defect of the sandbox without its stack. */
export function internalError(error: unknown): StatusError {
  return errors.internal(`Internal error occurred: ${error instanceof Error ? error.message : String(error)}`);
}
