/** A DNS server on loopback that answers with given addresses, for tests. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

/** `Zone` holds the addresses of each host; `silent` never answers, `broken` answers with an error. Others do not exist. */
export type Zone = Readonly<Record<string, readonly string[] | 'silent' | 'broken'>>;

export interface DnsServer {
  readonly address: string;
  /** The hosts that were looked up. */
  readonly asked: ReadonlySet<string>;
  close(): void;
}

const codes = { ok: 0, broken: 2, absent: 3 } as const;
const types: Readonly<Record<number, (address: string) => boolean>> = {
  1: (address) => !address.includes(':'),
  28: (address) => address.includes(':'),
};

export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const asked = new Set<string>();
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    const { name, end } = nameAt(query, 12);
    asked.add(name);
    const found = zone[name];
    if (found === 'silent') return;
    const matches = types[query.readUInt16BE(end)] ?? ((): boolean => false);
    const addresses = Array.isArray(found) ? (found as readonly string[]).filter(matches) : [];
    const code = found === undefined ? codes.absent : found === 'broken' ? codes.broken : codes.ok;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    const answers = addresses.map((one) => record(bytesOf(one)));
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

function nameAt(query: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** It refers to the name of the question, which is at offset 12. */
function record(address: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(address.length === 4 ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, address]);
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const parse = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((hex) => parseInt(hex, 16));
  const [before, after] = [parse(head), parse(tail)];
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
