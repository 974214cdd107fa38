/**
 * The HTTP edge: what applies to every request is here, the resources are in their folders. `buildApp` does not listen.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomUUID } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import {
  fastify,
  LogController,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { createRefusalRecorder, type RefusalRecorder } from './audit/refusals.ts';
import { matrix } from './auth/access/matrix.ts';
import type { ApiDeps } from './deps.ts';
import { ApiError, badRequest } from './errors.ts';
import { isVersioned, refuseUnknownVersion } from './http/api-version.ts';
import type { ApiApp, Request } from './http/app-types.ts';
import { authenticate } from './http/authenticate.ts';
import { addMetrics } from './http/metrics.ts';
import { addBodyParsers, maxBodyBytes } from './http/bodies.ts';
import { apiErrorOf, errorAnswer } from './http/error-answer.ts';
import { methodsAt } from './http/methods.ts';
import { addDocumentation } from './http/openapi.ts';
import { unreadableRequests } from './http/unreadable.ts';
import { addValidators } from './http/validators.ts';
import { serverTimeouts, type ConnectionLimits } from '@ssvirt/base/net/connection-limits';
import { addResources } from './resources.ts';
import { sessionLookup } from './auth/sessions/lookup.ts';
import { TaskWaiter } from './tasks/waiter.ts';

const maxParamLength = 256;

export interface ListenOptions {
  readonly tls?: Pick<SecureContextOptions, 'key' | 'cert'>;
  /** The limits that Node enforces; `guardConnections` enforces the others. */
  readonly limits?: ConnectionLimits;
}

/** For a listener on the public internet. */
export const apiLimits: ConnectionLimits = {
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 30_000,
  // Longer than load balancers keep an idle connection (60 s).
  keepAliveMs: 65_000,
  checkMs: 2_000,
  maxConnections: 8_000,
  // At most some 130 MiB, as measured in docs/benchmarks.md.
  maxHandshakes: 1_000,
};

export async function buildApp(deps: ApiDeps, { tls, limits = apiLimits }: ListenOptions = {}): Promise<ApiApp> {
  const timeouts = serverTimeouts(limits);
  const options: FastifyServerOptions = {
    loggerInstance: deps.log,
    // One line per request, with the fields that operators look for; see below.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: maxBodyBytes,
    genReqId: requestId,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength },
    // Fastify sets these itself; `timeouts` repeats them for Node.
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // During shutdown a request on an open connection is answered and told to close it.
    return503OnClosing: false,
    frameworkErrors: refuseUrl,
    clientErrorHandler: unreadableRequests(deps.log),
    ...defined({ trustProxy: deps.settings.trustProxy }),
  };
  const app = fastify({
    ...options,
    ...(tls === undefined ? { http: timeouts } : { https: { ...timeouts, ...tls, minVersion: 'TLSv1.2' } }),
  } as FastifyServerOptions) as unknown as ApiApp;
  app.decorate('served', []);
  app.decorateRequest('caller', undefined);
  addValidators(app);
  addBodyParsers(app);
  requireOperations(app);
  addErrors(app, createRefusalRecorder(app, deps));
  addMetrics(app, deps.registry);

  const lookup = sessionLookup(deps.database, deps.settings);
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-vmware-vcloud-request-id', request.id);
    void reply.header('cache-control', 'no-store');
    void reply.header('x-content-type-options', 'nosniff');
    if (deps.settings.publicUrl?.startsWith('https:') === true)
      void reply.header('strict-transport-security', 'max-age=31536000');
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return; // no route: the answer is 404
    const missing = operation.startsWith('health.') ? undefined : deps.waitsFor?.();
    if (missing !== undefined)
      throw new ApiError('SERVICE_UNAVAILABLE', `The API cannot answer yet: ${missing}.`, { retryAfter: 5 });
    if (isVersioned(request.url)) refuseUnknownVersion(request.headers.accept);
    request.caller = await authenticate(request, operation, lookup);
  });
  app.addHook('onResponse', (request, reply, done) => {
    deps.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(request.caller === undefined
          ? {}
          : { user: request.caller.userName, organization: request.caller.organizationName }),
      },
      'request',
    );
    done();
  });

  await addDocumentation(app, deps);
  const tasks = new TaskWaiter(deps.database, { log: deps.log });
  // Before Fastify waits for connections: requests that wait for a task get an answer now.
  app.addHook('preClose', () => tasks.close());
  addResources(app, { ...deps, tasks });
  await app.ready();
  return app;
}

/** Every caller could use a route outside the matrix: the process does not start with one. */
function requireOperations(app: ApiApp): void {
  app.addHook('onRoute', (route) => {
    // The explorer's own files: whoever may read the page may read them.
    if (isDocumentation(route.url)) route.config = { ...route.config, operation: 'docs.read' };
    const operation = route.config?.operation;
    if (operation === undefined || !(operation in matrix))
      throw new Error(`${String(route.method)} ${route.url} names no operation of the access matrix`);
    const operationId = route.schema?.operationId;
    for (const method of [route.method].flat())
      if (method !== 'HEAD')
        app.served.push({ route: `${method} ${route.url}`, operation, ...defined({ operationId }) });
  });
}

function isDocumentation(url: string): boolean {
  return url === '/openapi.json' || url === '/docs' || url.startsWith('/docs/');
}

function addErrors(app: ApiApp, recordRefusal: RefusalRecorder): void {
  app.setErrorHandler((cause, request, reply) => {
    const error = apiErrorOf(cause, request.routeOptions.bodyLimit);
    // A dependency that is known to be unavailable is reported in the request's log line, not as an error.
    if (error.status >= 500 && (error.status !== 503 || error.cause !== undefined))
      request.log[error.status === 503 ? 'warn' : 'error'](
        { requestId: request.id, err: error.cause ?? error },
        'request failed',
      );
    recordRefusal(request, error);
    const { type, body } = errorAnswer(error, request.headers.accept);
    if (error.retryAfter !== undefined) void reply.header('retry-after', String(error.retryAfter));
    return reply.status(error.status).type(type).send(body);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = methodsAt(app.served, path);
    const error = notServed(`${request.method} ${path.slice(0, 200)}`, methods);
    if (methods.length > 0) void reply.header('allow', methods.join(', '));
    const { type, body } = errorAnswer(error, request.headers.accept);
    return reply.status(error.status).type(type).send(body);
  });
}

function notServed(what: string, methods: readonly string[]): ApiError {
  const hint = 'see /docs for the API';
  return methods.length === 0
    ? new ApiError('NOT_FOUND', `No route matches ${what}; ${hint}.`)
    : new ApiError('METHOD_NOT_ALLOWED', `${what} is not supported, only ${methods.join(', ')}; ${hint}.`);
}

/** A URL that the router cannot parse runs no hooks: the response is built here, in the usual shape. */
function refuseUrl(cause: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const rule =
    cause.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? `a path segment is longer than ${maxParamLength} characters`
      : 'it is not percent-encoded correctly';
  const { type, body } = errorAnswer(badRequest(`The URL is not valid: ${rule}.`), request.headers.accept);
  request.log.info({ requestId: request.id, method: request.method, status: 400 }, 'request');
  void reply
    .status(400)
    .header('x-vmware-vcloud-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .type(type)
    .send(body);
}

/** The caller's own id if it is a valid one, and a new one otherwise. */
function requestId({ headers }: Pick<Request, 'headers'>): string {
  const given = headers['x-vmware-vcloud-client-request-id'];
  const own = randomUUID();
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? `${given}-${own}` : own;
}
