/** The API's event stream: resumed where it broke off, until the signal is aborted. */
import { defined } from '@ssvirt/base/values/defined';
import { setTimeout } from 'node:timers/promises';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import type { ApiClient } from './client.ts';
import { sentEvents } from './event-lines.ts';
import { parsed } from './refusal.ts';

export interface ChangeQuestion {
  readonly kinds?: readonly string[] | undefined;
  readonly vdc?: string | undefined;
  readonly vapp?: string | undefined;
  readonly entity?: string | undefined;
}

export interface StreamedChange {
  readonly type: string;
  /** created, updated, observed or deleted. */
  readonly operation: string;
  readonly id?: string;
  /** Only of a cluster. */
  readonly name?: string;
  readonly at: string;
  readonly status?: string;
  /** Of a VM or VDC: whether its displayed status, and that of the VMs in it, may be out of date. */
  readonly stale?: boolean;
  readonly progress?: number;
  /** Only of a task: what it does, and to which object. */
  readonly operationName?: string;
  readonly owner?: { readonly id: string };
}

/** `ready`: all changes from here on are delivered. `reset`: some were missed, so read everything again. */
export type StreamMessage =
  | { readonly what: 'ready' | 'reset' }
  | { readonly what: 'change'; readonly change: StreamedChange };

const firstPauseMs = 500;
const longestPauseMs = 15_000;

export async function* changes(
  client: ApiClient,
  asked: ChangeQuestion,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage, void> {
  const path = `/cloudapi/1.0.0/events?${queryOf(asked)}`;
  let last: string | undefined;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      const headers = { accept: 'text/event-stream', ...defined({ 'last-event-id': last }) };
      const { body } = await client.open({ method: 'GET', path, headers, signal, isStream: true });
      for await (const { id, event, data } of sentEvents(body)) {
        const isAgain = last !== undefined;
        if (id !== '') last = id;
        pauseMs = firstPauseMs;
        if (event === 'ready' && isAgain) continue;
        if (event === 'ready' || event === 'reset') yield { what: event };
        else yield { what: 'change', change: parsed(data) as StreamedChange };
      }
    } catch (error) {
      if (signal.aborted) return;
      // Before the first event a failure means that the server cannot be used; later it may be temporary.
      if (last === undefined || !isPassing(error)) throw error;
    }
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** `isPassing` returns whether the error may be temporary: a server that is being replaced, or a broken connection. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof CliFailure) || error.exitCode === exitCodes.unavailable;
}

function queryOf({ kinds, ...rest }: ChangeQuestion): string {
  const query = new URLSearchParams();
  if (kinds !== undefined) query.set('kinds', kinds.join(','));
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, value);
  return query.toString();
}
