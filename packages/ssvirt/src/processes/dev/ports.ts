/**
 * All listening addresses are chosen before any process starts: a port in use is reported at once, and a restarted
 * process keeps its port.
 */
import { randomInt } from 'node:crypto';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { getSystemErrorMessage } from 'node:util';
import { hostOf, type Address } from '@ssvirt/base/config/address';
import { ConfigError } from '@ssvirt/base/config/setting';
import { chosenPorts, reservePort } from '@ssvirt/base/net/port-reservation';

export interface WantedAddress {
  readonly key: string;
  readonly flag: string;
  readonly at: Address;
  /** How many consecutive ports are needed from this one on. The default is 1. */
  readonly count?: number;
}

/** The port after a free one may be in use. */
const tries = 20;

/** `settle` returns the addresses with their ports; port 0 is replaced by a free one. */
export async function settle(all: readonly WantedAddress[]): Promise<readonly Address[]> {
  // All ports are held at the same time, so that no two are equal.
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

/** Resolves to a message when it fails. */
async function listenInRow(wanted: WantedAddress): Promise<readonly Server[] | string> {
  const { at, count = 1 } = wanted;
  let problem = '';
  for (let left = at.port === 0 ? tries : 1; left > 0; left--) {
    const row: Server[] = [];
    problem = '';
    const first = at.port === 0 ? randomInt(chosenPorts.from, chosenPorts.to - count) : at.port;
    while (row.length < count) {
      const found = await listen({ ...wanted, at: { ...at, port: first + row.length } });
      if (typeof found === 'string') {
        problem = found;
        break;
      }
      row.push(found);
      if (at.port === 0 && !reservePort(first + row.length - 1)) {
        problem = `${wanted.key}: every port that was tried is in use or reserved by another process`;
        break;
      }
    }
    if (problem === '') return row;
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

/** Resolves to a message when it fails. */
async function listen({ key, flag, at }: WantedAddress): Promise<Server | string> {
  const server = createServer();
  const host = hostOf(at);
  return new Promise((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice =
        error.code === 'EADDRINUSE'
          ? 'another process is using it, perhaps another ssvirt: stop it, or choose another port'
          : `${error.errno === undefined ? error.message : getSystemErrorMessage(error.errno)}: choose another address`;
      done(`${key}: cannot listen on ${host}:${at.port}: ${advice}, with ${flag} HOST:PORT`);
    });
    server.listen(at.port, host, () => done(server));
  });
}
