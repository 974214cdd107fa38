/** Faults that strike while an answer is being sent: they stand between the handler and the socket. */
import type { ServerResponse } from 'node:http';

type Write = (chunk: Buffer | string) => boolean;

function replaceWrites(
  response: ServerResponse,
  write: Write,
  end: (chunk: Buffer | string | undefined) => void,
): void {
  response.write = ((chunk: Buffer | string) => write(chunk)) as ServerResponse['write'];
  response.end = ((chunk?: Buffer | string) => {
    end(typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk : undefined);
    return response;
  }) as ServerResponse['end'];
}

/** The client gets headers and then nothing, on a connection that looks alive. */
export function muteAfterHeaders(response: ServerResponse): void {
  replaceWrites(
    response,
    () => true,
    () => {},
  );
}

/** Half of the first chunk arrives; then the connection is cut, or the answer ends as if it were whole. */
export function cutMidLine(response: ServerResponse, politely: boolean, cut: () => void): void {
  const write = response.write.bind(response) as (chunk: Buffer, done: () => void) => boolean;
  const end = response.end.bind(response) as () => ServerResponse;
  let struck = false;
  const strike = (chunk: Buffer | string): boolean => {
    if (struck) return true;
    struck = true;
    const bytes = Buffer.from(chunk as string);
    response.removeHeader('Content-Length');
    return write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => (politely ? void end() : cut()));
  };
  replaceWrites(response, strike, (chunk) => (chunk === undefined ? void end() : void strike(chunk)));
}

/** Every chunk waits its turn behind a delay. */
export function slowDown(response: ServerResponse, delayMs: number): void {
  const write = response.write.bind(response) as Write;
  const end = response.end.bind(response) as () => ServerResponse;
  let last = Promise.resolve();
  const later = (action: () => unknown): void => {
    last = last.then(
      () =>
        new Promise<void>((resolve) => {
          setTimeout(() => {
            if (!response.destroyed) action();
            resolve();
          }, delayMs);
        }),
    );
  };
  replaceWrites(
    response,
    (chunk) => {
      later(() => write(chunk));
      return true;
    },
    (chunk) => later(() => (chunk === undefined ? end() : (write(chunk), end()))),
  );
}
