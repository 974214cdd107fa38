/**
 * A proxy between one replica and PostgreSQL. It parses only as much of the protocol as it needs to see where a
 * statement begins and ends: a replica waits for each answer before it sends the next statement on the same connection,
 * so everything up to a Sync, or a simple query, is one step.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { passing, type Director, type Fate } from './step.ts';

const sync = 'S'.charCodeAt(0);
const query = 'Q'.charCodeAt(0);
const parse = 'P'.charCodeAt(0);
const bind = 'B'.charCodeAt(0);

interface Message {
  readonly type: number;
  readonly body: Buffer;
}

export class DatabaseProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, upstream: URL) {
    this.#server = server;
    const url = new URL(upstream);
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.toString();
  }

  static async start(replica: string, upstreamUrl: string, director: Director): Promise<DatabaseProxy> {
    const upstream = new URL(upstreamUrl);
    const server = createServer((client) => {
      const target = connect({ host: upstream.hostname, port: Number(upstream.port) });
      proxy.#keep(client, target);
      proxy.#keep(target, client);
      new Connection(replica, client, target, director).open();
    });
    await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
    const proxy = new DatabaseProxy(server, upstream);
    return proxy;
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #keep(socket: Socket, other: Socket): void {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}

class Connection {
  readonly #replica: string;
  readonly #client: Socket;
  readonly #target: Socket;
  readonly #director: Director;
  readonly #texts = new Map<string, string>();
  #received: Buffer = Buffer.alloc(0);
  #group: Message[] = [];
  #raw: Buffer[] = [];
  #isStarted = false;
  #order = Promise.resolve();
  #fate: Fate = passing;
  #telling = Promise.resolve();

  constructor(replica: string, client: Socket, target: Socket, director: Director) {
    this.#replica = replica;
    this.#client = client;
    this.#target = target;
    this.#director = director;
  }

  open(): void {
    const client = this.#client;
    client.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#target.on('data', (chunk: Buffer) => {
      const fate = this.#fate;
      this.#telling = this.#telling.then(() => fate.tell()).then(() => void client.write(chunk));
    });
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (let size = this.#size(); size !== undefined && this.#received.length >= size; size = this.#size()) {
      const message = this.#received.subarray(0, size);
      this.#received = this.#received.subarray(size);
      this.#message(message);
    }
  }

  /** The first message has no type byte. */
  #size(): number | undefined {
    const at = this.#isStarted ? 1 : 0;
    return this.#received.length < at + 4 ? undefined : this.#received.readInt32BE(at) + at;
  }

  #message(message: Buffer): void {
    this.#raw.push(message);
    if (!this.#isStarted) {
      this.#isStarted = true;
      return this.#forward(passing);
    }
    const type = message[0] ?? 0;
    this.#group.push({ type, body: message.subarray(5) });
    if (type === sync || type === query) return this.#statement();
    // A password, or a Terminate.
    if (type !== parse && type !== bind && !'DECFH'.includes(String.fromCharCode(type))) this.#forward(passing);
  }

  #statement(): void {
    const content = Buffer.concat(this.#group.map(({ body }) => body)).toString('latin1');
    const fate = this.#director.fateOf({
      replica: this.#replica,
      place: 'database',
      text: this.#text(),
      content,
      connection: this,
    });
    this.#forward(fate);
  }

  /** A statement is named when it is prepared, and its text is not sent again. */
  #text(): string {
    let text = '';
    for (const { type, body } of this.#group) {
      const [first = '', second = ''] = body.toString('utf8').split('\0', 2);
      if (type === query) text = first;
      if (type === parse) this.#texts.set(first, second);
      if (type === parse) text = second;
      if (type === bind) text = this.#texts.get(second) ?? '';
    }
    return text.replaceAll(/\s+/g, ' ').trim();
  }

  #forward(fate: Fate): void {
    const raw = Buffer.concat(this.#raw);
    this.#raw = [];
    this.#group = [];
    this.#order = this.#order
      .then(async () => {
        const isSent = await fate.send();
        if (!isSent) return this.#client.destroy();
        this.#fate = fate;
        // The sender may be gone, but the message was already in flight.
        if (this.#target.writable) this.#target.write(raw);
        return undefined;
      })
      .then(() => undefined);
  }
}
