/** Reads a stream of server-sent events as a browser does. */
import { defined } from '@ssvirt/base/values/defined';
import { request, type Agent, type Dispatcher } from 'undici';
import { until } from '../runtime/until.ts';

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  /** All events so far. */
  readonly events: readonly StreamEvent[];
  /** The first matching event, as soon as it arrives. */
  next(fits: (event: StreamEvent) => boolean, what?: string): Promise<StreamEvent>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

export interface StreamRequest {
  readonly token: string;
  readonly query?: string;
  readonly lastEventId?: string;
  readonly dispatcher?: Agent;
}

export async function openEventStream(url: string, asked: StreamRequest): Promise<EventStream> {
  const end = new AbortController();
  const answer = await request(`${url}/cloudapi/1.0.0/events${asked.query ?? ''}`, {
    signal: end.signal,
    bodyTimeout: 0,
    headers: {
      authorization: `Bearer ${asked.token}`,
      accept: 'text/event-stream',
      ...defined({ 'last-event-id': asked.lastEventId }),
    },
    ...defined({ dispatcher: asked.dispatcher }),
  });
  const events: StreamEvent[] = [];
  const ended = read(answer.body, events).catch(() => undefined); // closed by us, or cut: only the events matter
  return {
    status: answer.statusCode,
    headers: answer.headers,
    events,
    ended,
    async next(fits, what = 'an event') {
      await until(what, () => events.some(fits));
      return events.find(fits)!;
    },
    close: () => end.abort(),
  };
}

async function read(body: AsyncIterable<Buffer>, events: StreamEvent[]): Promise<void> {
  let text = '';
  for await (const chunk of body) {
    text += chunk.toString('utf8');
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event !== undefined) events.push(event);
    }
  }
}

/** Undefined for a comment. */
function parse(block: string): StreamEvent | undefined {
  const fields = Object.fromEntries(
    block
      .split('\n')
      .filter((line) => /^\w+: /.test(line))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  if (fields['event'] === undefined) return undefined;
  return {
    id: fields['id'] ?? '',
    event: fields['event'],
    data: JSON.parse(fields['data'] ?? '{}') as Readonly<Record<string, unknown>>,
  };
}
