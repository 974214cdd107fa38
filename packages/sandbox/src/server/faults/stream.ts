/** Faults that affect an answer while it is sent, between the handler and the socket. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

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

/** Half of the first chunk arrives; then the connection is reset, or the answer ends as if it were complete. */
export function cutMidLine(response: ServerResponse, politely: boolean, cut: () => void): void {
  const write = response.write.bind(response) as (chunk: Buffer, done: () => void) => boolean;
  const end = response.end.bind(response) as () => ServerResponse;
  if (politely) withoutLength(response);
  let struck = false;
  const strike = (chunk: Buffer | string): boolean => {
    if (struck) return true;
    struck = true;
    const bytes = Buffer.from(chunk as string);
    return write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => (politely ? void end() : cut()));
  };
  replaceWrites(response, strike, (chunk) => {
    if (chunk !== undefined) strike(chunk);
    // The end of an affected answer comes after its half chunk.
    else if (!struck) end();
  });
}

/** An answer with a Content-Length cannot end early: the client would wait for the rest. */
function withoutLength(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (code: number, headers: OutgoingHttpHeaders) => ServerResponse;
  response.writeHead = ((code: number, headers: OutgoingHttpHeaders = {}) => {
    const { 'Content-Length': _length, ...rest } = headers;
    return writeHead(code, rest);
  }) as ServerResponse['writeHead'];
}

/** The limit of what waits for a slowed reader, so that it cannot fill the server's memory. */
const MAX_WAITING = 32 * 1024 * 1024;

/** `slowDown` delays every chunk, in order. */
export function slowDown(response: ServerResponse, delayMs: number): void {
  const write = response.write.bind(response) as Write;
  const end = response.end.bind(response) as () => ServerResponse;
  let waiting: (() => void)[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    waiting.shift()?.();
    timer = waiting.length > 0 ? setTimeout(next, delayMs) : undefined;
  };
  const later = (action: () => void): void => {
    waiting.push(action);
    timer ??= setTimeout(next, delayMs);
  };
  response.once('close', () => {
    clearTimeout(timer);
    waiting = [];
  });
  const writeLater = (chunk: Buffer | string): boolean => {
    const size = Buffer.byteLength(chunk);
    bytes += size;
    if (bytes > MAX_WAITING) response.destroy();
    else
      later(() => {
        bytes -= size;
        write(chunk);
      });
    return true;
  };
  replaceWrites(response, writeLater, (chunk) => {
    if (chunk !== undefined) writeLater(chunk);
    later(() => void end());
  });
}
