/**
 * Fastify with our types: bodies and queries typed by their schemas, every route with its operation, every request with
 * its caller.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, RawServerBase } from 'fastify';
import type { Logger } from 'pino';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../auth/access/matrix.ts';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly operation?: Operation;
  }
  interface FastifyInstance {
    /** Every route with its operation. */
    readonly served: ServedRoute[];
  }
  interface FastifyRequest {
    /** Set if the operation is not public. */
    caller: Caller | undefined;
  }
}

/** `route` is `METHOD /path/:parameter`. */
export interface ServedRoute {
  readonly route: string;
  readonly operation: Operation;
  /** In the OpenAPI document; absent for routes that are not in it. */
  readonly operationId?: string;
}

export type ApiApp = FastifyInstance<RawServerBase, IncomingMessage, ServerResponse, Logger, TypeBoxTypeProvider>;

export type { FastifyReply as Reply, FastifyRequest as Request };

/** `operation` returns the second argument of a route: its operation in the matrix. */
export function operation(name: Operation): { readonly operation: Operation } {
  return { operation: name };
}

/** `callerOf` returns the caller; only routes whose operation needs a session may call it. */
export function callerOf({ caller }: Pick<FastifyRequest, 'caller'>): Caller {
  if (caller === undefined)
    throw new ApiError('INTERNAL_SERVER_ERROR', 'The request has no authenticated user.', {
      cause: new Error('a public operation has no caller'),
    });
  return caller;
}
