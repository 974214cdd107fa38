/** Parses the body of a watch into events, in small portions that do not block the event loop. */
import { KubeError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { failure } from '../transport/failure.ts';
import { Lines } from '../transport/lines.ts';
import type { Streaming } from '../transport/transport.ts';
import { sliceMs, yieldToEventLoop } from '@ssvirt/base/async/yield';
import type { WatchEvent, WatchOptions, WatchStream } from './client.ts';
import { withoutManagedFieldsText } from './managed-fields-cut.ts';

/** The limit of bytes parsed per turn of the event loop; turnMs limits the time. */
const turnBytes = 64 * 1024;
/** Far above etcd's limit for one object. */
const maxLineBytes = 64 * 1024 * 1024;

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

export function watchStream<T extends KubeObject>(
  streaming: Streaming,
  { withoutManagedFields = false }: Pick<WatchOptions, 'withoutManagedFields'> = {},
): WatchStream<T> {
  const textOf = withoutManagedFields ? withoutManagedFieldsText : (line: Buffer): string => line.toString('utf8');
  const { body, deadline, prefix } = streaming;
  let closed = false;
  const close = (): void => {
    closed = true;
    body.destroy();
    deadline.release();
  };
  // A response that is not read to its end must still release the caller's signal.
  body.once('close', () => deadline.release());
  return {
    close,
    async *[Symbol.asyncIterator]() {
      try {
        for await (const batch of batches(body, textOf, prefix)) {
          if (closed) return;
          yield batch as readonly WatchEvent<T>[];
        }
      } catch (error) {
        // After close() the iteration ends without an error.
        if (closed) return;
        throw error instanceof KubeError ? error : failure(prefix, error, deadline);
      } finally {
        close();
      }
    },
  };
}

async function* batches(
  body: AsyncIterable<Buffer>,
  textOf: (line: Buffer) => string,
  prefix: string,
): AsyncGenerator<readonly WatchEvent[]> {
  const lines = new Lines();
  // Counted across chunks: the kernel may deliver many of them in one turn.
  const turn = { bytes: 0, ms: 0 };
  for await (const chunk of body) {
    let batch: WatchEvent[] = [];
    for (const line of lines.take(chunk)) {
      if (line.length === 0) continue;
      const startedAt = performance.now();
      const event = eventOf(textOf(line));
      if (event === undefined) {
        if (batch.length > 0) yield batch;
        throw new KubeError('Malformed', `${prefix}: a line of ${line.length} bytes is not an event`);
      }
      batch.push(event);
      turn.bytes += line.length;
      turn.ms += performance.now() - startedAt;
      if (turn.bytes < turnBytes && turn.ms < sliceMs) continue;
      yield batch;
      batch = [];
      turn.bytes = turn.ms = 0;
      await yieldToEventLoop();
    }
    if (batch.length > 0) yield batch;
    if (lines.unfinished > maxLineBytes)
      throw new KubeError('Malformed', `${prefix}: a line exceeds ${maxLineBytes} bytes`);
  }
  if (lines.unfinished > 0)
    throw new KubeError('Malformed', `${prefix}: the stream ended ${lines.unfinished} bytes into a line`);
}

function eventOf(text: string): WatchEvent | undefined {
  try {
    const event = JSON.parse(text) as Partial<WatchEvent> | null;
    const { type, object } = event ?? {};
    return types.has(type) && typeof object === 'object' && object !== null ? (event as WatchEvent) : undefined;
  } catch {
    // The parser's message quotes the line, which may hold a Secret: the caller reports only its length.
    return undefined;
  }
}
