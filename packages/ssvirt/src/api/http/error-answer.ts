/**
 * Turns every error into one of the closed set and one of two bodies: JSON, or XML for a client that accepts nothing
 * else.
 */
import type { FastifyError } from 'fastify';
import { BadListRequest } from '../../db/lists/contracts.ts';
import { Duplicate, InUse, Missing } from '../../db/connection/duplicate.ts';
import { codeOf, isRetryable, isUnavailable } from '../../db/connection/errors.ts';
import { ApiError, badRequest, conflict } from '../errors.ts';
import { maxBodyBytes } from './bodies.ts';
import { validationMessage } from './validation.ts';

export interface ErrorAnswer {
  readonly type: string;
  readonly body: string;
}

/** PostgreSQL's codes for invalid text: character_not_in_repertoire, untranslatable_character. */
const unstorable: ReadonlySet<string> = new Set(['22021', '22P05']);

/** `bodyLimit` is that of the route, in bytes. */
export function apiErrorOf(error: unknown, bodyLimit = maxBodyBytes): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BadListRequest) return badRequest(error.message);
  if (error instanceof Duplicate)
    return new ApiError('DUPLICATE_NAME', `The ${error.key} is already taken; choose another.`, {
      cause: error,
    });
  if (error instanceof Missing)
    return new ApiError('BAD_REQUEST', 'An object that the request names does not exist; check its ids.', {
      cause: error,
    });
  if (error instanceof InUse)
    return conflict(`It cannot be deleted while ${error.by} belong to it; delete them first.`);
  if (error instanceof Error && unstorable.has(codeOf(error) ?? ''))
    return new ApiError(
      'BAD_REQUEST',
      'A text in the request has a character that cannot be stored, such as NUL; remove it.',
      {
        cause: error,
      },
    );
  if (isUnavailable(error) || isRetryable(error))
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      'The database does not answer at the moment; try again in a few seconds.',
      {
        cause: error,
        retryAfter: 5,
      },
    );
  return ofFastify(error, bodyLimit) ?? internal(error);
}

function internal(cause: unknown): ApiError {
  return new ApiError(
    'INTERNAL_SERVER_ERROR',
    'The server failed unexpectedly; the log has the cause under the id in X-VMWARE-VCLOUD-REQUEST-ID.',
    { cause },
  );
}

/** What Fastify refuses before a handler runs. */
function ofFastify(error: unknown, bodyLimit: number): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode, validation } = error as FastifyError;
  if (validation !== undefined) return badRequest(validationMessage(error as FastifyError));
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ApiError('PAYLOAD_TOO_LARGE', `The body is too large; the limit is ${bodyLimit / 1024} KiB.`);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Type of the body is not supported; send application/json.',
    );
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return badRequest(
      'The body is not valid JSON: check quotes, commas and brackets; the keys "__proto__" and "constructor" are not permitted.',
    );
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return badRequest(error instanceof SyntaxError ? `The body is not valid JSON: ${error.message}` : error.message);
  return undefined;
}

export function errorAnswer({ code, message, status }: ApiError, accept?: string): ErrorAnswer {
  if (wantsXml(accept)) {
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error xmlns="http://www.vmware.com/vcloud/v1.5" message="${escapeXml(message)}" majorErrorCode="${status}" minorErrorCode="${code}"/>`;
    return { type: 'application/vnd.vmware.vcloud.error+xml', body };
  }
  return {
    type: 'application/json; charset=utf-8',
    body: JSON.stringify({ minorErrorCode: code, message, stackTrace: null }),
  };
}

function wantsXml(accept: string | undefined): boolean {
  return accept !== undefined && /\bxml\b/i.test(accept) && !/\bjson\b/i.test(accept);
}

export function escapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  // Control characters are not allowed in XML at all.
  return text
    .replaceAll(/[&<>"']/g, (char) => names[char] ?? char)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
