/**
 * A server that was unreachable, came back with older data and has lost its history: watches end and cannot be opened;
 * afterwards they cannot be resumed, and only lists show the present state, since the server does not stream it.
 */
import type { Socket } from 'node:net';

export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

const unavailable = { code: 503, reason: 'ServiceUnavailable', message: 'the server is unreachable' };
const expired = { code: 410, reason: 'Expired', message: 'too old resource version' };
const older = { code: 400, reason: 'BadRequest', message: 'sendInitialEvents is forbidden for watch' };

export class Oblivion {
  readonly #streams = new Map<Socket, string>();
  /** Watches that were cut and have not been opened since. */
  readonly #cut = new Set<string>();
  readonly #resumable = new Set<string>();
  #state: 'remembers' | 'away' | 'forgot' = 'remembers';

  opened(stream: Socket, url: string): void {
    const watched = watchedBy(url);
    this.#streams.set(stream, watched);
    this.#cut.delete(watched);
    stream.once('close', () => this.#streams.delete(stream));
  }

  begin(): void {
    this.#state = 'away';
    for (const [stream, watched] of this.#streams) {
      this.#cut.add(watched);
      stream.destroy();
    }
  }

  end(): void {
    this.#state = 'forgot';
    this.#resumable.clear();
  }

  /** Whether everything that was watched is watched again. */
  get isOver(): boolean {
    return this.#cut.size === 0;
  }

  /** The answer to a watch; undefined if it may be opened. */
  refusalOf(url: string): Refusal | undefined {
    if (this.#state === 'remembers') return undefined;
    if (this.#state === 'away') return unavailable;
    if (new URL(url, 'https://cluster').searchParams.get('sendInitialEvents') === 'true') return older;
    const watched = watchedBy(url);
    if (this.#resumable.has(watched)) return undefined;
    this.#resumable.add(watched);
    return expired;
  }
}

function watchedBy(url: string): string {
  const { pathname, searchParams } = new URL(url, 'https://cluster');
  return `${pathname} ${searchParams.get('labelSelector')} ${searchParams.get('fieldSelector')}`;
}
