/** Streams changes as server-sent events, which browsers and curl read without a library. */
import type { ServerResponse } from 'node:http';
import { Counter } from 'prom-client';
import { Type } from 'typebox';
import { parsePosition, type Position } from '../../db/change-log/changes.ts';
import { badRequest } from '../errors.ts';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp, type Reply, type Request } from '../http/app-types.ts';
import { UrnSchema } from '../http/schemas.ts';
import { shapes } from '../http/texts.ts';
import { idOf } from '../urn.ts';
import { eventKinds } from './event.ts';
import { EventHub } from './hub.ts';
import { SseStream } from './sse-stream.ts';
import { eventFilterOf } from './event-filter.ts';
import { Streams } from './streams.ts';

/** Proxies close connections that are idle for a minute. */
const keepAliveMs = 15_000;

const Query = Type.Object({
  kinds: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `The kinds of events, separated by commas: ${eventKinds.join(', ')}. Default: all that you may see`,
      examples: ['vm,task'],
    }),
  ),
  vdc: Type.Optional(UrnSchema('vdc', 'Only events of this virtual data center')),
  vapp: Type.Optional(UrnSchema('vapp', 'Only events of this vApp')),
  entity: Type.Optional(
    Type.String({
      pattern: shapes.anyUrn.pattern,
      description: 'Only events of this object and of its tasks',
    }),
  ),
  follow: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: the stream ends after all events up to now; for clients that poll',
    }),
  ),
});

export function eventRoutes(app: ApiApp, { database, settings, log, registry }: ApiContext): void {
  const behind = new Counter({
    name: 'ssvirt_api_event_streams_behind_total',
    help: 'Times that a client read too slowly and was served from the change log later.',
    registers: [registry],
  });
  const hub = new EventHub(database, { log, onBehind: () => behind.inc() });
  const streams = new Streams({ pool: database.pool, log, registry, limits: settings.eventStreams });
  app.addHook('preClose', async () => {
    streams.stop();
    await hub.close();
  });

  app.get(
    '/cloudapi/1.0.0/events',
    {
      config: operation('events.listen'),
      schema: {
        operationId: 'streamEvents',
        tags: ['events'],
        summary: 'Stream changes',
        description:
          'A stream of server-sent events. The first event is "ready". Each change that you may see follows as an event named by its kind (vm, vapp, task …), with the URN of the object; a VM event also has the status and whether it was stale then, a task event the status and progress. A vdc event with stale says that the status of everything in the virtual data center has become stale, or current again. With Last-Event-ID the stream resumes after that event, on any replica. "reset" means that events were missed: reload all data. The stream ends with your session.',
        querystring: Query,
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({
              description: 'The id of the last event that you received; EventSource sends it automatically',
            }),
          ),
        }),
        response: { 200: { description: 'The events', content: { 'text/event-stream': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const { kinds, vdc, vapp, entity, follow = true } = request.query;
      const caller = callerOf(request);
      const filter = eventFilterOf(caller, {
        kinds,
        vdc: vdc === undefined ? undefined : idOf('vdc', vdc, 'vdc'),
        vapp: vapp === undefined ? undefined : idOf('vapp', vapp, 'vapp'),
        entity: entity?.slice(-36),
      });
      const from = positionAsked(request);
      const { end, close } = streams.open(caller);
      const stream = opened(reply);
      const keepAlive = setInterval(() => {
        if (stream.isIdle) stream.write(': still here\n\n');
      }, keepAliveMs);
      try {
        await hub.serve(filter, stream, { from, follow, signal: end });
      } finally {
        clearInterval(keepAlive);
        close();
        stream.end();
      }
    },
  );
}

function positionAsked({ headers }: Request): Position | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const position = parsePosition(String(text));
  if (position !== undefined) return position;
  throw badRequest(
    `Last-Event-ID: "${String(text).slice(0, 50)}" is not an event id; send an id that the stream sent, or none.`,
  );
}

/** From here on this code writes the response itself. */
function opened(reply: Reply): SseStream {
  const raw: ServerResponse = reply.raw;
  const headers = reply.getHeaders();
  reply.hijack();
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    // The connection of a stream is not reused: during shutdown the server would wait for its next request.
    connection: 'close',
  } as never);
  const stream = new SseStream(raw);
  stream.write('retry: 2000\n\n');
  return stream;
}
