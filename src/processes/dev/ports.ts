/** Where everybody listens, settled before anybody is started: a port that is taken is said at once, and a restarted process finds its own again. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { getSystemErrorMessage } from 'node:util';
import type { Address } from '../../config/address.ts';
import { ConfigError } from '../../config/setting.ts';
import { hostOf } from '../addresses.ts';

export interface Wanted {
  readonly key: string;
  readonly flag: string;
  readonly at: Address;
}

/** The addresses with their ports, port 0 replaced by a free one. */
export async function settle(all: readonly Wanted[]): Promise<readonly Address[]> {
  // All are held at once, so that no two get the same.
  const held: Server[] = [];
  const problems: string[] = [];
  const settled: Address[] = [];
  for (const wanted of all) {
    const found = await listen(wanted);
    if (typeof found === 'string') problems.push(found);
    else {
      held.push(found);
      settled.push({ ...wanted.at, port: (found.address() as AddressInfo).port });
    }
  }
  await Promise.all(held.map((server) => new Promise((done) => server.close(done))));
  if (problems.length > 0) throw new ConfigError(problems);
  return settled;
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
