/** Where everybody listens, settled before anybody is started: a port that is taken is said at once, and a restarted process finds its own again. */
import { randomInt } from 'node:crypto';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { getSystemErrorMessage } from 'node:util';
import { hostOf, type Address } from '../../config/address.ts';
import { ConfigError } from '../../config/setting.ts';

export interface Wanted {
  readonly key: string;
  readonly flag: string;
  readonly at: Address;
  /** How many ports in a row, from this one on; one unless said. */
  readonly count?: number;
}

/** Of those that are free, some have a neighbour who is not. */
const tries = 20;
/** Below those that systems give to outgoing connections (from 32768 on): one of these could take a port before its process listens, or while it is started again. */
const freePorts = { from: 20_000, to: 32_000 };

/** The addresses with their ports, port 0 replaced by a free one. */
export async function settle(all: readonly Wanted[]): Promise<readonly Address[]> {
  // All are held at once, so that no two get the same.
  const held: Server[] = [];
  const problems: string[] = [];
  const settled: Address[] = [];
  for (const wanted of all) {
    const found = await listenInRow(wanted);
    if (typeof found === 'string') problems.push(found);
    else {
      held.push(...found);
      settled.push({ ...wanted.at, port: portOf(found[0]!) });
    }
  }
  await release(held);
  if (problems.length > 0) throw new ConfigError(problems);
  return settled;
}

/** What is wrong, where that fails. */
async function listenInRow(wanted: Wanted): Promise<readonly Server[] | string> {
  const { at, count = 1 } = wanted;
  let problem = '';
  for (let left = at.port === 0 ? tries : 1; left > 0; left--) {
    const row: Server[] = [];
    const first = at.port === 0 ? randomInt(freePorts.from, freePorts.to - count) : at.port;
    while (row.length < count) {
      const found = await listen({ ...wanted, at: { ...at, port: first + row.length } });
      if (typeof found === 'string') {
        problem = found;
        break;
      }
      row.push(found);
    }
    if (row.length === count) return row;
    await release(row);
  }
  return problem;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function release(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
}

/** What is wrong, where that fails. */
async function listen({ key, flag, at }: Wanted): Promise<Server | string> {
  const server = createServer();
  const host = hostOf(at);
  return new Promise((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice =
        error.code === 'EADDRINUSE'
          ? 'another process listens there, perhaps another ssvirt: stop it, or choose another port'
          : `${error.errno === undefined ? error.message : getSystemErrorMessage(error.errno)}: choose another address`;
      done(`${key}: cannot listen on ${host}:${at.port}: ${advice}, with ${flag} HOST:PORT`);
    });
    server.listen(at.port, host, () => done(server));
  });
}
