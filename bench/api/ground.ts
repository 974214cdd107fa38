/** Everything that is there for a run: PostgreSQL, a simulated cluster, and one API server as it is run in production. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { prepareCluster } from '../../src/processes/dev/cluster.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../../test/cluster/cluster.ts';
import { freePorts } from '../../test/cluster/ports.ts';
import { processGroup, type ProcessGroup } from '../../test/cluster/processes.ts';
import { Caller, makeCertificates, type Certificates } from '../../test/processes/api-server.ts';
import { poll } from '../sandbox/poll.ts';
import { cpuSeconds, peakBytes, residentBytes } from '../sandbox/processes.ts';
import type { Options } from './options.ts';
import { Postgres } from './postgres.ts';
import { fillRows, makeSessions, type Sessions } from './rows.ts';

const repository = resolve(import.meta.dirname, '../..');
const command = join(repository, 'bin/ssvirt');
/** What is shipped: stripping types at the start takes time and memory that no installation spends. */
export const isBuilt = existsSync(join(repository, 'dist/main.js'));
const built = isBuilt ? { SSVIRT_BUILT: '1' } : {};

export interface Ground {
  readonly url: string;
  readonly ca: string;
  readonly postgres: Postgres;
  readonly sessions: Sessions;
  readonly caller: Caller;
  readonly server: ApiServer;
  stop(): Promise<void>;
}

export interface ApiServer {
  cpuSeconds(): number;
  residentBytes(): number;
  peakBytes(): number;
}

export async function startGround(options: Options, say: (text: string) => void): Promise<Ground> {
  const folder = await throwAwayFolder('ssvirt-bench-api-');
  const group = processGroup(folder.path);
  const stops: (() => Promise<void>)[] = [() => group.stop().then(() => folder.remove())];
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) await one();
  };
  try {
    const kubeconfig = await startCluster(group, folder);
    say(`filling the tables with ${options.rows} rows each`);
    const postgres = await Postgres.start((pool) => fillRows(pool, options.rows));
    stops.push(() => postgres.stop());
    const sessions = await makeSessions(postgres.admin);
    const certificates = await makeCertificates(folder.path);
    const [port = 0] = await freePorts(1);
    const running = start({ folder, kubeconfig, certificates, postgres, port, profile: options.profile });
    stops.push(() => running.stop());
    const url = `https://127.0.0.1:${port}`;
    const ca = certificates.authority.certificate;
    const caller = new Caller(url, ca);
    stops.push(() => caller.close());
    await poll(`the API server is not ready; it says:\n${running.tail()}`, () => isReady(caller, running));
    return { url, ca, postgres, sessions, caller, server: running, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startCluster(group: ProcessGroup, folder: ThrowAwayFolder): Promise<string> {
  const kubeconfig = join(folder.path, 'kubeconfig');
  const sandbox = group.start('sandbox', command, ['sandbox', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0'], {
    ...process.env,
    ...built,
  });
  await poll('the sandbox does not start', async () => {
    if (sandbox.child.exitCode !== null) throw new Error(`the sandbox has ended:\n${sandbox.tail()}`);
    return existsSync(kubeconfig) ? true : undefined;
  });
  await prepareCluster(kubeconfig);
  return kubeconfig;
}

interface Setup {
  readonly folder: ThrowAwayFolder;
  readonly kubeconfig: string;
  readonly certificates: Certificates;
  readonly postgres: Postgres;
  readonly port: number;
  readonly profile: string | undefined;
}

interface RunningServer extends ApiServer {
  readonly child: ChildProcess;
  tail(): string;
  stop(): Promise<void>;
}

function start({ folder, kubeconfig, certificates, postgres, port, profile }: Setup): RunningServer {
  const config = join(folder.path, 'config.yaml');
  const log = join(folder.path, 'api-server.log');
  const api = {
    listen: `127.0.0.1:${port}`,
    metricsAddr: '127.0.0.1:0',
    kubeconfig,
    tls: { certFile: certificates.certFile, keyFile: certificates.keyFile },
  };
  const settings = { log: { format: 'json' }, database: { url: postgres.url }, api };
  writeFileSync(config, stringify(settings), { mode: 0o600 });
  const profiling = profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(profile)}` };
  const child = spawn(command, ['api-server', '--config', config], {
    env: { ...process.env, ...built, ...profiling },
    // Straight into a file: whoever collects logs takes time of its own, and is no part of this.
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  });
  const processes = [{ name: 'api-server', pid: child.pid ?? 0 }];
  const exited = once(child, 'exit');
  return {
    child,
    cpuSeconds: () => cpuSeconds(processes),
    residentBytes: () => residentBytes(processes),
    peakBytes: () => peakBytes(processes),
    tail: () => readFileSync(log, 'utf8').slice(-2000),
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await exited;
      clearTimeout(late);
    },
  };
}

/** With its cluster: what it offers is listed. */
async function isReady(caller: Caller, server: RunningServer): Promise<true | undefined> {
  if (server.child.exitCode !== null) throw new Error(`the API server has ended:\n${server.tail()}`);
  try {
    const { status, body } = await caller.ask('GET', '/readyz');
    return status === 200 && (body['degraded'] as readonly unknown[]).length === 0 ? true : undefined;
  } catch {
    return undefined; // it does not listen yet
  }
}
