/** Events out of the body of a watch, parsed in small portions so that nothing else has to wait. */
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { failure } from '../transport/failure.ts';
import { Lines } from '../transport/lines.ts';
import type { Streaming } from '../transport/transport.ts';
import type { WatchEvent, WatchStream } from './client.ts';

/** What is parsed in one turn of the event loop, at most. */
const turnBytes = 64 * 1024;
const turnMs = 5;

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

export function watchStream<T extends KubeObject>(streaming: Streaming): WatchStream<T> {
  let closed = false;
  const close = (): void => {
    closed = true;
    streaming.body.destroy();
    streaming.deadline.release();
  };
  return {
    close,
    async *[Symbol.asyncIterator]() {
      try {
        yield* batches<T>(streaming);
      } catch (error) {
        // Whoever closes the stream knows that it has ended.
        if (closed) return;
        throw error instanceof ApiError && error.kind === 'Malformed'
          ? error
          : failure(streaming.prefix, error, streaming.deadline);
      } finally {
        close();
      }
    },
  };
}

async function* batches<T extends KubeObject>({ body, prefix }: Streaming): AsyncGenerator<readonly WatchEvent<T>[]> {
  const lines = new Lines();
  for await (const chunk of body as AsyncIterable<Buffer>) {
    let batch: WatchEvent<T>[] = [];
    let bytes = 0;
    let startedAt = performance.now();
    for (const line of lines.take(chunk)) {
      if (line.length === 0) continue;
      const event = eventOf(line) as WatchEvent<T> | undefined;
      if (event === undefined) {
        if (batch.length > 0) yield batch;
        throw new ApiError('Malformed', `${prefix}: a line of ${line.length} bytes is no event`);
      }
      batch.push(event);
      bytes += line.length;
      if (bytes < turnBytes && performance.now() - startedAt < turnMs) continue;
      yield batch;
      await setImmediate();
      batch = [];
      bytes = 0;
      startedAt = performance.now();
    }
    if (batch.length > 0) yield batch;
  }
  if (lines.unfinished > 0)
    throw new ApiError('Malformed', `${prefix}: the stream ended ${lines.unfinished} bytes into a line`);
}

function eventOf(line: Buffer): WatchEvent | undefined {
  try {
    const event = JSON.parse(line.toString('utf8')) as Partial<WatchEvent> | null;
    const { type, object } = event ?? {};
    return types.has(type) && typeof object === 'object' && object !== null ? (event as WatchEvent) : undefined;
  } catch {
    // The parser's text quotes the line, which may hold a Secret: the caller says no more than its length.
    return undefined;
  }
}
