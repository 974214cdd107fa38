/** An HTTP proxy that opens tunnels for clients with the password, and records them. */
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

const password = 'pass word';

export class ConnectProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The targets, in order. */
  readonly tunnels: string[] = [];

  private constructor() {
    this.#server = createServer((_request, response) => response.writeHead(405).end());
    this.#server.on('connection', (socket: Socket) => this.#keep(socket));
    this.#server.on('connect', (request, client: Socket) => {
      const expected = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
      if (request.headers['proxy-authorization'] !== expected) {
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      this.tunnels.push(request.url ?? '');
      const { hostname, port } = new URL(`tcp://${request.url ?? ''}`);
      const upstream = connect(Number(port), hostname, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      this.#keep(upstream);
    });
  }

  static async start(): Promise<ConnectProxy> {
    const proxy = new ConnectProxy();
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  /** The URL with the right password by default. */
  url(secret = password): string {
    return `http://ann:${encodeURIComponent(secret)}@127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
