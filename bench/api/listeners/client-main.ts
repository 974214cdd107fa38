/** Runs many listeners in one process, with as little work per listener as possible. Started by clients.ts. */
import { connect, type TLSSocket } from 'node:tls';
import { Arrivals } from './arrivals.ts';
import { EventReader } from './event-reader.ts';
import type { Asked, Group, Told } from './messages.ts';

/** The pause before a lost connection is opened again. */
const againMs = 250;
/** Concurrent handshakes: more of them would only wait for each other. */
const mostConnecting = 16;

class Listener {
  readonly #group: Listeners;
  readonly #token: string;
  readonly #reader: EventReader;
  #socket: TLSSocket | undefined;
  #isAnswered = false;

  constructor(group: Listeners, token: string, changed: (change: number) => void) {
    this.#group = group;
    this.#token = token;
    this.#reader = new EventReader(changed);
  }

  get resets(): number {
    return this.#reader.resets;
  }

  connect(): void {
    const { hostname, port, host } = this.#group.place;
    this.#reader.renew();
    this.#isAnswered = false;
    const socket = connect({ host: hostname, port: Number(port), ca: this.#group.ca, servername: 'localhost' });
    this.#socket = socket;
    const { lastId } = this.#reader;
    const from = lastId === undefined ? '' : `Last-Event-ID: ${lastId}\r\n`;
    socket.write(
      `GET /cloudapi/1.0.0/events?kinds=task,vm,catalogItem HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${this.#token}\r\n${from}\r\n`,
    );
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('error', () => undefined); // 'close' follows.
    socket.once('close', () => this.#group.lost(this, this.#reader.isReady));
  }

  leave(): void {
    this.#socket?.destroy();
  }

  #read(bytes: Buffer): void {
    // Refused because the server has just started; it keeps the connection open for another request. Destroy it.
    if (!this.#isAnswered && bytes.indexOf('HTTP/1.1 200 ') !== 0) this.#socket?.destroy();
    this.#isAnswered = true;
    const wasReady = this.#reader.isReady;
    this.#reader.push(bytes);
    if (!wasReady && this.#reader.isReady) this.#group.listens();
  }
}

class Listeners {
  readonly place: URL;
  readonly ca: string;
  readonly arrivals: Arrivals;
  readonly #listeners: readonly Listener[];
  readonly #waiting: Listener[] = [];
  #connecting = 0;
  #listening = 0;
  #isWanted = true;
  #expected = Number.POSITIVE_INFINITY;

  constructor({ url, ca, tokens, changes }: Group) {
    this.place = new URL(url);
    this.ca = ca;
    this.arrivals = new Arrivals(tokens.length, changes);
    this.#listeners = tokens.map(
      (token, at) => new Listener(this, token, (change) => this.arrivals.note(at, change, now())),
    );
  }

  get resets(): number {
    return this.#listeners.reduce((sum, { resets }) => sum + resets, 0);
  }

  open(): void {
    this.#isWanted = true;
    this.#waiting.push(...this.#listeners);
    this.#next();
  }

  leave(): void {
    this.#isWanted = false;
    for (const listener of this.#listeners) listener.leave();
  }

  expect(arrivals: number): void {
    this.#expected = arrivals;
    this.look();
  }

  /** Reports when all expected changes have arrived. */
  look(): void {
    if (this.arrivals.arrived < this.#expected) return;
    this.#expected = Number.POSITIVE_INFINITY;
    tell({ kind: 'arrived' });
  }

  listens(): void {
    this.#connecting -= 1;
    this.#listening += 1;
    if (this.#listening === this.#listeners.length) tell({ kind: 'listening' });
    this.#next();
  }

  lost(listener: Listener, wasListening: boolean): void {
    if (wasListening) this.#listening -= 1;
    else this.#connecting -= 1;
    if (!this.#isWanted) {
      if (this.#listening === 0) tell({ kind: 'left' });
      return;
    }
    setTimeout(() => {
      this.#waiting.push(listener);
      this.#next();
    }, againMs);
  }

  #next(): void {
    while (this.#connecting < mostConnecting) {
      const listener = this.#waiting.shift();
      if (listener === undefined) return;
      this.#connecting += 1;
      listener.connect();
    }
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function tell(told: Told): void {
  process.send?.(told);
}

let listeners: Listeners | undefined;
setInterval(() => listeners?.look(), 20);

function report(group: Listeners, committed: readonly number[]): void {
  const { user, system } = process.cpuUsage();
  const { arrived, twice } = group.arrivals;
  const latencies = group.arrivals.since(committed);
  tell({ kind: 'report', latencies, arrived, twice, resets: group.resets, cpuSeconds: (user + system) / 1e6 });
}

process.on('message', (asked: Asked) => {
  if (asked.kind === 'open') listeners = new Listeners(asked);
  if (listeners === undefined) return;
  if (asked.kind === 'open' || asked.kind === 'return') listeners.open();
  if (asked.kind === 'leave') listeners.leave();
  if (asked.kind === 'expect') listeners.expect(asked.arrivals);
  if (asked.kind === 'report') report(listeners, asked.committed);
});
