/**
 * The services on the ports of a simulated guest: a web server that echoes the request, the banner of an SSH server,
 * and echo servers.
 */

export interface Port {
  receive(bytes: Buffer): void;
}

export interface PortOptions {
  readonly hostname: string;
  readonly send: (bytes: Buffer) => void;
  readonly end: () => void;
}

const LONGEST_REQUEST = 64 * 1024;

export function port(number: number, options: PortOptions): Port {
  if (number === 22) return ssh(options);
  if (number === 80 || number === 8080 || number === 8000) return web(options);
  return { receive: (bytes) => options.send(bytes) };
}

function ssh({ send, end }: PortOptions): Port {
  send(Buffer.from('SSH-2.0-OpenSSH_9.6\r\n', 'latin1'));
  let greeted = false;
  return {
    receive(bytes) {
      // Only the client's banner is understood.
      if (greeted || !bytes.toString('latin1').startsWith('SSH-')) return end();
      greeted = true;
    },
  };
}

function web({ hostname, send, end }: PortOptions): Port {
  let waiting = '';
  return {
    receive(bytes) {
      waiting += bytes.toString('latin1');
      if (waiting.length > LONGEST_REQUEST) return end();
      const headers = waiting.indexOf('\r\n\r\n');
      if (headers < 0) return;
      const request = waiting.slice(0, headers).split('\r\n')[0] ?? '';
      const body = `Hello from ${hostname}.\n${request}\n`;
      const head = `HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
      send(Buffer.from(head + body, 'utf8'));
      end();
    },
  };
}
