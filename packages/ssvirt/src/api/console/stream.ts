/** The WebSocket of a console: uses the ticket, opens the VM's side, and only then accepts the browser. */
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { TicketHolder } from '../../db/tenants/console-tickets.ts';
import { recordAudit } from '../audit/record.ts';
import type { ApiContext } from '../deps.ts';
import { ApiError, badRequest, conflict } from '../errors.ts';
import type { Reply, Request } from '../http/app-types.ts';
import { clientAddress } from '../http/client-address.ts';
import { apiErrorOf } from '../http/error-answer.ts';
import type { ApiSettings } from '../settings.ts';
import { endingOf } from './endings.ts';
import type { OpenConsoles, ConsoleSlot } from './open-consoles.ts';
import { ConsoleRefusal } from './source.ts';
import { badTicket, callerOfHolder, former, use } from './tickets.ts';
import { takeSocket, upgradeOf, type Upgrade } from './upgrade.ts';

export interface StreamContext extends ApiContext {
  readonly open: OpenConsoles;
  readonly sockets: WebSocketServer;
}

export async function openStream(
  request: Request,
  reply: Reply,
  ticket: string,
  context: StreamContext,
): Promise<void> {
  const upgrade = upgradeOf(request);
  if (upgrade === undefined)
    throw new ApiError(
      'UPGRADE_REQUIRED',
      'This URL serves a WebSocket: send Upgrade: websocket, or open the console page instead.',
    );
  requireHandshake(request);
  requireOwnOrigin(request, context.settings);
  const entry = await entryOf(request, upgrade, ticket, context).catch((cause: unknown) => {
    const error = apiErrorOf(cause);
    context.open.metrics.refused();
    // A web page cannot read an error response to an upgrade: the WebSocket is accepted and closed with the reason.
    if (request.headers.origin === undefined || error.status === 500) throw error;
    return error;
  });
  takeSocket(reply, upgrade);
  if (entry instanceof ApiError) sendAway(request, upgrade, entry, context);
  else letIn(request, upgrade, entry, context);
}

interface Entry {
  readonly holder: TicketHolder;
  readonly machine: Duplex;
  readonly place: ConsoleSlot;
}

async function entryOf(request: Request, { socket }: Upgrade, ticket: string, context: StreamContext): Promise<Entry> {
  const { open } = context;
  const holder = await use(context.database.pool, ticket);
  if (holder === undefined) {
    await recordForeign(request, ticket, context);
    throw badTicket();
  }
  let place: ConsoleSlot | undefined;
  let machine: Duplex | undefined;
  try {
    place = open.reserve(holder.user_id);
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    machine = await openMachine(holder, AbortSignal.any([gone.signal, open.closing]), context);
    await record(request, holder, context, 'success');
    return { holder, machine, place };
  } catch (cause) {
    place?.release();
    machine?.destroy();
    const error = apiErrorOf(cause);
    await record(request, holder, context, error.status >= 500 ? 'failed' : 'refused', error);
    throw error;
  }
}

async function openMachine(holder: TicketHolder, signal: AbortSignal, { consoles, log }: ApiContext): Promise<Duplex> {
  const { cluster, namespace, object_name: vmName, kind } = holder;
  try {
    const machine = await consoles.open({ cluster, namespace, vmName, kind }, signal);
    // No other listener exists before the browser is accepted, and an unhandled error would end the process; `accept`
    // then finds the stream destroyed.
    machine.on('error', () => undefined);
    return machine;
  } catch (error) {
    if (!(error instanceof ConsoleRefusal)) throw error;
    log.info({ vm: holder.vm_id, cluster, kind, refusal: error.kind, err: error.cause }, 'cannot open console');
    if (error.kind === 'unavailable') throw new ApiError('SERVICE_UNAVAILABLE', error.message, { retryAfter: 15 });
    throw conflict(error.message);
  }
}

function letIn(request: Request, upgrade: Upgrade, { holder, machine, place }: Entry, context: StreamContext): void {
  const { open, sockets } = context;
  const isAccepted = accept(request, upgrade, sockets, (browser) => open.add(holder, browser, machine, place));
  if (isAccepted) return;
  place.release();
  machine.destroy();
}

function sendAway(request: Request, upgrade: Upgrade, error: ApiError, { sockets, log }: StreamContext): void {
  const { code, reason } = endingOf(error);
  log.info({ requestId: request.id, code: error.code }, 'console refused');
  accept(request, upgrade, sockets, (browser) => {
    browser.on('error', () => undefined);
    browser.close(code, reason);
  });
}

/** Returns false if the browser has disconnected in the meantime; nothing is accepted then. */
function accept(
  { raw }: Request,
  { socket, head }: Upgrade,
  sockets: WebSocketServer,
  begin: (browser: WebSocket) => void,
): boolean {
  let isAccepted = false;
  sockets.handleUpgrade(raw, socket, head, (browser) => {
    isAccepted = true;
    begin(browser);
  });
  return isAccepted;
}

/** Checks that ws would make after the ticket is used up, with its own messages. */
function requireHandshake({ headers }: Request): void {
  const key = headers['sec-websocket-key'];
  const protocols = headers['sec-websocket-protocol'] ?? '';
  if (headers['sec-websocket-version'] !== '13')
    throw badRequest('Sec-WebSocket-Version: only version 13 is supported.');
  if (key === undefined || !/^[+/\dA-Za-z]{22}==$/.test(key)) throw badRequest('Sec-WebSocket-Key: must be 16 bytes.');
  if (
    !/^[\w.,! #$%&'*+^`|~-]*$/.test(protocols) ||
    new Set(protocols.split(/\s*,\s*/)).size < protocols.split(',').length
  )
    throw badRequest('Sec-WebSocket-Protocol: must be a list of distinct names.');
}

/**
 * If a page of another site knew a ticket, it could open the console in its visitor's browser. Programs send no Origin.
 */
function requireOwnOrigin(request: Request, settings: ApiSettings): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const own = [settings.publicUrl, `${request.protocol}://${request.host}`];
  if (URL.canParse(origin) && own.some((url) => isSameOrigin(url, origin))) return;
  throw new ApiError('ACCESS_TO_RESOURCE_IS_FORBIDDEN', 'Origin: pages of other sites must not open consoles.');
}

function isSameOrigin(url: string | undefined, origin: string): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).origin === new URL(origin).origin;
}

function record(
  request: Request,
  holder: TicketHolder,
  { database: { db } }: ApiContext,
  outcome: 'success' | 'refused' | 'failed',
  error?: ApiError,
): Promise<void> {
  const caller = callerOfHolder(holder, { requestId: request.id, clientAddress: clientAddress(request) });
  const { kind, vm_id: id, vm_name: name, vm_organization_id: organizationId } = holder;
  return recordAudit(db, caller, {
    action: 'console.stream',
    entity: { kind: 'vm', id, name },
    organizationId,
    outcome,
    details: { kind, ...(error === undefined ? {} : { code: error.code }) },
  });
}

/** Audits the use of a ticket that existed once. An unknown ticket belongs to no user. */
async function recordForeign(request: Request, ticket: string, context: ApiContext): Promise<void> {
  const holder = await former(context.database.pool, ticket);
  if (holder !== undefined) await record(request, holder, context, 'refused', badTicket());
}
