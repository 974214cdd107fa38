/**
 * Joins a client's websocket with a stream of the guest: with backpressure in both directions, and the end of one ends
 * the other.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws';

/**
 * The only subprotocol of KubeVirt: raw bytes. A client that offers only others is accepted without one, as gorilla's
 * websockets do.
 */
const PROTOCOL = 'plain.kubevirt.io';
/** The largest message; a client must split larger input. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const LAST_WORDS_MS = 5000;

const NORMAL = 1000;
const GOING_AWAY = 1001;

export interface WebSocketUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
});

/** Answers 400 itself if the request is not a valid websocket handshake, and then closes the guest's stream. */
export function joinWebSocket({ request, socket, head }: WebSocketUpgrade, guest: Duplex, leaving: AbortSignal): void {
  const gone = (): void => void guest.destroy();
  // Until the websocket is established, only these handlers close and guard the guest's stream.
  socket.once('close', gone);
  guest.on('error', () => undefined);
  server.handleUpgrade(request, socket, head, (client) => {
    socket.off('close', gone);
    join(client, guest, leaving);
  });
}

function join(client: WebSocket, guest: Duplex, leaving: AbortSignal): void {
  const typed = createWebSocketStream(client);
  const leave = (): void => {
    client.close(GOING_AWAY);
    guest.destroy();
  };
  leaving.addEventListener('abort', leave, { once: true });
  if (leaving.aborted) leave();
  client.once('close', () => {
    leaving.removeEventListener('abort', leave);
    release(guest);
  });
  // Errors are followed by 'close', which is handled.
  client.on('error', () => undefined);
  typed.on('error', () => undefined);
  typed.pipe(guest);
  // One chunk at a time: the next is read after this one was sent. Data that was sent before a close is delivered
  // before it.
  guest.on('data', (chunk: Buffer | string) => {
    guest.pause();
    client.send(Buffer.from(chunk), () => guest.resume());
  });
  for (const over of ['end', 'close']) guest.once(over, () => client.close(NORMAL));
  if (guest.destroyed) client.close(NORMAL);
}

/** Input that the client sent before the end is still delivered, if the guest reads it in time. */
function release(guest: Duplex): void {
  const destroy = (): void => void guest.destroy();
  const late = setTimeout(destroy, LAST_WORDS_MS);
  late.unref();
  guest.once('finish', destroy).once('close', () => clearTimeout(late));
  guest.resume();
  if (guest.writableFinished) destroy();
}
