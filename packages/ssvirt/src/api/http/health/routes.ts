/** For probes, load balancers and people. These routes need no session, so they show nothing confidential. */
import { Type, type Static } from 'typebox';
import type { ApiContext } from '../../deps.ts';
import { operation, type ApiApp } from '../app-types.ts';
import { named, Timestamp } from '../schemas.ts';
import { isControllerRunning, readiness } from './service.ts';

const Alive = named(
  'Liveness',
  Type.Object({ status: Type.Literal('ok'), version: Type.String(), timestamp: Timestamp }),
);

const ServiceState = Type.Union([Type.Literal('ready'), Type.Literal('unavailable')]);
const Count = Type.Integer({ minimum: 0 });
const ClusterCounts = Type.Object(
  { ready: Count, unavailable: Count, stale: Count, unknown: Count },
  {
    description:
      'How many clusters are in each state; a provider reads their names from /cloudapi/1.0.0/clusters. unavailable: this server cannot reach it. stale: this server can, but the vm-controller cannot or is not running. unknown: this server can, but the vm-controller has never reached it, or the database did not answer in time',
  },
);
const Ready = named(
  'Readiness',
  Type.Object({
    ready: Type.Boolean(),
    message: Type.Optional(Type.String({ description: 'What the server waits for before it can serve requests' })),
    timestamp: Timestamp,
    services: Type.Object({ database: ServiceState, clusters: ClusterCounts }),
    degraded: Type.Integer({ minimum: 0, description: 'How many clusters are not ready' }),
  }),
);

const ControllerState = named(
  'ControllerHealth',
  Type.Object({
    status: Type.Union([Type.Literal('healthy'), Type.Literal('unhealthy')]),
    controller: Type.Union([Type.Literal('running'), Type.Literal('not_running')]),
  }),
);

const Version = named('Version', Type.Object({ name: Type.String(), version: Type.String() }));

export function healthRoutes(app: ApiApp, context: ApiContext): void {
  const { version } = context.settings;
  const tags = ['health'];
  const open = { tags, security: [] };

  for (const [url, operationId] of [
    ['/healthz', 'getLiveness'],
    ['/api/v1/health', 'getHealth'],
  ] as const)
    app.get(
      url,
      {
        config: operation('health.live'),
        schema: { operationId, ...open, summary: 'Whether the process is alive', response: { 200: Alive } },
      },
      async (): Promise<Static<typeof Alive>> => ({ status: 'ok', version, timestamp: new Date().toISOString() }),
    );

  app.get(
    '/readyz',
    {
      config: operation('health.ready'),
      schema: {
        operationId: 'getReadiness',
        ...open,
        summary:
          'Whether the server can serve requests: 503 only without the database; unreachable clusters are counted',
        response: { 200: Ready, 503: Ready },
      },
    },
    async (_request, reply) => {
      const state = await readiness(context);
      const body: Static<typeof Ready> = {
        ...state,
        timestamp: new Date().toISOString(),
      };
      return reply.status(state.ready ? 200 : 503).send(body);
    },
  );

  app.get(
    '/health/controller',
    {
      config: operation('health.controller'),
      schema: {
        operationId: 'getControllerHealth',
        ...open,
        summary: 'Whether a vm-controller is running anywhere',
        response: { 200: ControllerState, 503: ControllerState },
      },
    },
    async (_request, reply) =>
      (await isControllerRunning(context.database.pool))
        ? reply.send({ status: 'healthy', controller: 'running' })
        : reply.status(503).send({ status: 'unhealthy', controller: 'not_running' }),
  );

  app.get(
    '/api/v1/version',
    {
      config: operation('version.read'),
      schema: {
        operationId: 'getVersion',
        ...open,
        summary: 'Get the version of the server',
        response: { 200: Version },
      },
    },
    async (): Promise<Static<typeof Version>> => ({ name: 'ssvirt', version }),
  );
}
