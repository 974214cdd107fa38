/** The websocket of a client joined with a stream of the guest: each waits for the other, and the end of one is the end of both. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws';

/** The only one that KubeVirt speaks: the bytes as they are. A client that offers others is let in without any, as gorilla's websockets do. */
const PROTOCOL = 'plain.kubevirt.io';
/** The largest message; a client that pastes more must cut it. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const LAST_WORDS_MS = 5000;

const NORMAL = 1000;
const GOING_AWAY = 1001;

export interface Upgrade {
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

/** Answers 400 itself where the request is no proper websocket, and closes the guest's stream then. */
export function joinWebSocket({ request, socket, head }: Upgrade, guest: Duplex, leaving: AbortSignal): void {
  const gone = (): void => void guest.destroy();
  // Before the websocket is there, nobody else looks after the guest's side.
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
  // Breaks are followed by 'close', which is what counts.
  client.on('error', () => undefined);
  typed.on('error', () => undefined);
  typed.pipe(guest);
  // One chunk at a time: the next one when this one is on its way. What was sent before a close goes out before it.
  guest.on('data', (chunk: Buffer | string) => {
    guest.pause();
    client.send(Buffer.from(chunk), () => guest.resume());
  });
  for (const over of ['end', 'close']) guest.once(over, () => client.close(NORMAL));
  if (guest.destroyed) client.close(NORMAL);
}

/** What the client still said is for the guest to hear, as long as it listens. */
function release(guest: Duplex): void {
  const destroy = (): void => void guest.destroy();
  const late = setTimeout(destroy, LAST_WORDS_MS);
  late.unref();
  guest.once('finish', destroy).once('close', () => clearTimeout(late));
  guest.resume();
  if (guest.writableFinished) destroy();
}
