/** A stream whose other end is a function: what is written to it is received, and what is sent can be read. */
import { Duplex } from 'node:stream';

export interface Line {
  readonly stream: Duplex;
  send(bytes: Buffer | string): void;
  end(): void;
}

/** Whoever pastes megabytes gets them through a piece at a time, with the others in between. */
const PIECE = 4096;

/**
 * `receive` may be told before the first byte was read; a receiver that throws ends its own line and nobody else's. Nothing more is received while
 * nobody reads what was sent, so that a client that only talks fills no memory.
 */
export function createLine(receive: (bytes: Buffer) => void): Line {
  let ended = false;
  let isFull = false;
  /** Goes on receiving, once there is room again. */
  let goOn: (() => void) | undefined;
  const take = (chunk: Buffer, done: (error?: Error) => void): void => {
    if (stream.destroyed) return;
    try {
      if (!ended) receive(chunk.subarray(0, PIECE));
    } catch (error) {
      return done(error as Error);
    }
    const rest = chunk.subarray(PIECE);
    const next = (): void => {
      if (ended || rest.length === 0) done();
      else setImmediate(take, rest, done);
    };
    if (isFull && !ended) goOn = next;
    else next();
  };
  const stream = new Duplex({
    read() {
      const next = goOn;
      isFull = false;
      goOn = undefined;
      next?.();
    },
    write(chunk: Buffer | string, _encoding, done) {
      take(Buffer.from(chunk as Buffer), done);
    },
    final(done) {
      stream.push(null);
      done();
    },
  });
  // Whoever reads it sees the end; nobody else has to.
  stream.on('error', () => {});
  const isOpen = (): boolean => !stream.destroyed && !stream.readableEnded;
  return {
    stream,
    send(bytes) {
      if (isOpen() && !ended) isFull = !stream.push(bytes);
    },
    end() {
      if (isOpen() && !ended) stream.push(null);
      ended = true;
      const next = goOn;
      goOn = undefined;
      next?.();
    },
  };
}
