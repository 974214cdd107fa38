/** A stream whose other end is a function: written bytes are passed to the function, sent bytes can be read. */
import { Duplex } from 'node:stream';

export interface Line {
  readonly stream: Duplex;
  send(bytes: Buffer | string): void;
  end(): void;
}

/** Large input is processed in pieces, with other events in between. */
const PIECE = 4096;

/**
 * `receive` may be called before the first byte was read. If it throws, only its own line ends. No more input is taken
 * while sent bytes are not read, so that a client that only writes cannot fill the memory.
 */
export function createLine(receive: (bytes: Buffer) => void): Line {
  let ended = false;
  let isFull = false;
  /** Resumes receiving when there is room again. */
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
  // The reader sees the end of the stream; the error itself needs no handling.
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
