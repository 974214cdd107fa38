/** Reads the Events of a cluster about an object and its children. */
import { eventType, type CoreEvent } from '@ssvirt/kube/events/event';
import type { ObjectKey } from '@ssvirt/kube/object';
import { keyOf } from '@ssvirt/kube/object';
import { fields, text } from '../../kubevirt/facts/reading.ts';
import type { ClusterReaderOptions, ClusterReader } from './cluster-reader.ts';

export interface SeenEvent {
  readonly at: string;
  readonly type: string;
  readonly reason: string;
  readonly object: string;
  readonly message: string;
  readonly count: number;
}

export interface EventQuestion {
  /** Queried by the names of the involved objects, because a namespace may have tens of thousands of Events. */
  readonly about: readonly ObjectKey[];
  readonly kinds: ReadonlySet<string>;
  /** Returns another word for a kind, if two kinds have the same name. */
  readonly word?: (apiVersion: unknown, kind: string) => string;
}

const most = 20;

/** `eventsOf` returns the newest first. */
export async function eventsOf(
  look: ClusterReader,
  { client, signal }: ClusterReaderOptions,
  { about, kinds, word = (_, kind) => kind }: EventQuestion,
): Promise<readonly SeenEvent[]> {
  const places = new Map(about.map((place) => [keyOf(place), place]));
  const lists = await Promise.all(
    [...places.values()].map(({ namespace = '', name }) =>
      look.allowed(eventType, [], async () => {
        const fieldSelector = `involvedObject.name=${name}`;
        return (await client.list(eventType, { namespace, fieldSelector, limit: 200, signal })).items;
      }),
    ),
  );
  return newestFirst(
    lists
      .flat()
      .filter(({ involvedObject }) => kinds.has(text(fields(involvedObject)['kind'], 64) ?? ''))
      .map((event) => seenEvent(event, word)),
  );
}

export function newestFirst(events: readonly SeenEvent[]): readonly SeenEvent[] {
  return events.toSorted((a, b) => (a.at < b.at ? 1 : Number(a.at > b.at) * -1)).slice(0, most);
}

function seenEvent(event: CoreEvent, word: NonNullable<EventQuestion['word']>): SeenEvent {
  const { lastTimestamp, eventTime, type, reason, message, count, involvedObject, metadata } = fields(event);
  const { apiVersion, kind, name } = fields(involvedObject);
  return {
    at: text(lastTimestamp) ?? text(eventTime) ?? text(fields(metadata)['creationTimestamp']) ?? '',
    type: text(type, 20) ?? '',
    reason: text(reason, 128) ?? '',
    object: `${word(apiVersion, text(kind, 64) ?? '')}/${text(name) ?? ''}`,
    message: text(message, 1024) ?? '',
    count: typeof count === 'number' ? count : 1,
  };
}
