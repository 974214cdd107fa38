/** Closes a connection that no HTTP server watches any more: after `upgrade`, and after `clientError`. */
import type { Duplex } from 'node:stream';

/** Time for the peer to read the answer and to close its side. */
const lingerMs = 2_000;

/**
 * `endSocket` writes `text`, closes our side, and destroys the socket when the peer has closed its side or after
 * `lingerMs`. `end` alone leaves the socket open for as long as the peer likes, and forever if no listener reads the
 * peer's FIN. Destroying it at once would lose the answer: a close with unread input resets the connection. A TLS
 * socket without a finished handshake can carry no text and is destroyed.
 */
export function endSocket(socket: Duplex, text = '', { afterMs = lingerMs }: { readonly afterMs?: number } = {}): void {
  if (!socket.writable || isInHandshake(socket)) {
    socket.destroy();
    return;
  }
  const linger = setTimeout(() => socket.destroy(), afterMs).unref();
  socket.once('close', () => clearTimeout(linger));
  socket.on('error', () => socket.destroy());
  const destroyWhenWritten = (): void =>
    void (socket.writableFinished ? socket.destroy() : socket.once('finish', () => socket.destroy()));
  socket.end(text);
  if (socket.readableEnded) destroyWhenWritten();
  else socket.once('end', destroyWhenWritten);
  socket.resume();
}

/** True only for a `TLSSocket`, until its handshake is finished. */
export function isInHandshake(socket: Duplex): boolean {
  return 'secureConnecting' in socket && socket.secureConnecting === true;
}
