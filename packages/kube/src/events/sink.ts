/** Writes one event and decides whether a failure is worth another try. */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '../client/client.ts';
import { KubeError, isKind, isNotFound } from '../errors.ts';
import type { CoreEvent } from './event.ts';
import { eventType } from './event.ts';

export type SinkOutcome = 'sent' | 'refused' | 'unreachable';

export interface Written {
  readonly outcome: SinkOutcome;
  readonly error?: unknown;
}

export async function writeEvent(client: Client, event: CoreEvent, signal: AbortSignal): Promise<Written> {
  try {
    if (event.count === 1 || !(await counted(client, event, signal))) await client.create(eventType, event, { signal });
    return { outcome: 'sent' };
  } catch (error) {
    // It may have arrived before the connection broke: then it exists under its own name.
    if (isKind(error, 'AlreadyExists')) return { outcome: 'sent' };
    return { outcome: wasAnswered(error) ? 'refused' : 'unreachable', error };
  }
}

/**
 * Returns false when the event no longer exists: events live for an hour, and then a new one is created with the count
 * reached.
 */
async function counted(client: Client, event: CoreEvent, signal: AbortSignal): Promise<boolean> {
  const { namespace, name = '' } = event.metadata;
  const { count, lastTimestamp, message } = event;
  const patch = { type: 'merge', body: { count, lastTimestamp, message } } as const;
  try {
    await client.patch(eventType, { name, ...defined({ namespace }) }, patch, { signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** The server has processed the request and would answer the same next time. */
function wasAnswered(error: unknown): boolean {
  return error instanceof KubeError && (error.status !== undefined || (error.code ?? 0) >= 400);
}
