/** A stream whose other end is a function: what is written to it is received, and what is sent can be read. */
import { Duplex } from 'node:stream';

export interface Line {
  readonly stream: Duplex;
  send(bytes: Buffer | string): void;
  end(): void;
}

/** `receive` may be told before the first byte was read; a receiver that throws ends its own line and nobody else's. */
export function createLine(receive: (bytes: Buffer) => void): Line {
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer | string, _encoding, done) {
      try {
        receive(Buffer.from(chunk as Buffer));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    final(done) {
      stream.push(null);
      done();
    },
  });
  // Whoever reads it sees the end; nobody else has to.
  stream.on('error', () => {});
  const isOpen = (): boolean => !stream.destroyed && !stream.readableEnded;
  let ended = false;
  return {
    stream,
    send(bytes) {
      if (isOpen() && !ended) stream.push(bytes);
    },
    end() {
      if (isOpen() && !ended) stream.push(null);
      ended = true;
    },
  };
}
