/** Consoles of VMs: a ticket for a caller with a session; the page and the WebSocket need only the ticket. */
import { createReadStream } from 'node:fs';
import { Type } from 'typebox';
import { WebSocketServer } from 'ws';
import type { ApiContext } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { callerOf, operation, type ApiApp, type Request } from '../http/app-types.ts';
import { baseUrl } from '../http/base-url.ts';
import { named, Timestamp, UrnSchema } from '../http/schemas.ts';
import { idOf } from '../urn.ts';
import { assetsPrefix, consoleAssets } from './assets.ts';
import { OpenConsoles } from './open-consoles.ts';
import { consolePage, noConsolePage, pageHeaders } from './page.ts';
import { defaultConsoleSettings, type ConsoleSettings } from './settings.ts';
import { openStream } from './stream.ts';
import { badTicket, giveTicket, peek } from './tickets.ts';
import { serveUpgrades } from './upgrade.ts';

const Kind = Type.Union([Type.Literal('serial'), Type.Literal('vnc')], {
  description: 'The serial console, or the screen with keyboard and mouse',
});

const TicketBody = named(
  'ConsoleTicket',
  Type.Object({
    ticket: Type.String({ description: 'Whoever holds it may open the console once' }),
    kind: Kind,
    expiresAt: Timestamp,
    url: Type.String({ description: 'The console as a web page' }),
    streamUrl: Type.String({
      description: 'The WebSocket, with binary frames; the subprotocol is plain.kubevirt.io or binary',
    }),
  }),
);

const ticketParam = Type.Object({ ticket: Type.String({ maxLength: 256 }) });
const protocols = ['plain.kubevirt.io', 'binary'];
/** The maximum size of a message, large enough for pasted text. */
const maxMessageBytes = 1024 * 1024;
const oneYear = 'public, max-age=31536000, immutable';

export function consoleRoutes(app: ApiApp, context: ApiContext): void {
  const settings = { ...defaultConsoleSettings, ...context.settings.consoles };
  addTicketRoute(app, context, settings);
  addPage(app, context);
  addStream(app, context, settings);
}

function addTicketRoute(app: ApiApp, context: ApiContext, { ticketMs: lastsMs }: ConsoleSettings): void {
  app.post(
    '/cloudapi/1.0.0/vms/:vmId/consoleTicket',
    {
      config: operation('console.ticket'),
      schema: {
        operationId: 'createConsoleTicket',
        tags: ['virtual machines'],
        summary: 'Get a ticket for the console of a virtual machine',
        description:
          'The ticket opens the console once, as a web page or as a WebSocket, within the time that it states. Anyone who holds the ticket can use it. The console ends with the session. Only a VM that is POWERED_ON or SUSPENDED has a console.',
        params: Type.Object({ vmId: UrnSchema('vm', 'The virtual machine') }),
        body: Type.Optional(
          Type.Union([
            named('NewConsoleTicket', Type.Object({ kind: Type.Optional(Kind) }, { additionalProperties: false })),
            Type.Null(),
          ]),
        ),
        response: { 201: TicketBody },
      },
    },
    async (request, reply) => {
      const vm = idOf('vm', request.params.vmId, 'vmId');
      const kind = request.body?.kind ?? 'serial';
      const { ticket, expiresAt } = await giveTicket(context, callerOf(request), { vm, kind, lastsMs });
      const url = `${baseUrl(request, context.settings)}/console/${ticket}`;
      void reply.status(201);
      return {
        ticket,
        kind,
        expiresAt: expiresAt.toISOString(),
        url,
        streamUrl: `${url.replace(/^http/, 'ws')}/stream`,
      };
    },
  );
}

function addPage(app: ApiApp, { database: { pool } }: ApiContext): void {
  const assets = consoleAssets();

  app.get(
    '/console/:ticket',
    { config: operation('console.page'), schema: { params: ticketParam } },
    async (request, reply) => {
      const holder = await peek(pool, request.params.ticket);
      void reply.headers(pageHeaders);
      if (holder !== undefined) return reply.send(consolePage(holder, assets));
      const { status, message } = badTicket();
      return reply.status(status).send(noConsolePage(message, assets));
    },
  );

  app.get(`${assetsPrefix}*`, { config: operation('console.assets') }, async (request, reply) => {
    const asset = assets.find((request.params as { readonly '*': string })['*']);
    if (asset === undefined) throw new ApiError('NOT_FOUND', 'There is no such file; reload the page.');
    return reply.headers({ 'cache-control': oneYear, 'content-type': asset.type }).send(createReadStream(asset.file));
  });
}

function addStream(app: ApiApp, context: ApiContext, settings: ConsoleSettings): void {
  const { database, log, registry } = context;
  const { sessionIdleMs } = context.settings;
  const open = new OpenConsoles({ database, settings, sessionIdleMs, log, registry });
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
  });
  app.addHook('preClose', () => open.close(sockets.clients));

  app.get(
    '/console/:ticket/stream',
    { config: operation('console.stream'), schema: { params: ticketParam } },
    (request, reply) => openStream(request as Request, reply, request.params.ticket, { ...context, open, sockets }),
  );
  serveUpgrades(app, (path) => /^\/console\/[^/]+\/stream$/.test(path));
}
