/**
 * Everything that a run needs: PostgreSQL, a simulated cluster, one API server run as in production, and optionally a
 * vm-controller.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { prepareClusters } from '../../packages/ssvirt/src/processes/dev/cluster.ts';
import { throwAwayFolder, type Credentials } from '../../test/cluster/cluster.ts';
import { freePorts } from '../../test/cluster/ports.ts';
import { processGroup, type ProcessGroup, type Started } from '../../test/cluster/processes.ts';
import { Caller, makeCertificates } from '../../test/processes/api-server.ts';
import { poll } from '../sandbox/poll.ts';
import { cpuSeconds } from '../sandbox/processes.ts';
import { readCredentials } from '../sandbox/servers.ts';
import { ApiProcess, built, command } from './api-process.ts';
import type { Options } from './options.ts';
import { Postgres } from './postgres.ts';
import { fillRows, makeSessions, type Sessions } from './rows.ts';

export interface Harness {
  readonly url: string;
  readonly ca: string;
  readonly cluster: Credentials;
  readonly postgres: Postgres;
  readonly sessions: Sessions;
  readonly caller: Caller;
  readonly server: ApiProcess;
  readonly sandbox: Costs;
  /** Empty without a vm-controller. */
  readonly controller: Costs;
  stop(): Promise<void>;
}

/** What a process costs. */
export interface Costs {
  cpuSeconds(): number;
}

export interface Wanted extends Pick<Options, 'rows' | 'profile'> {
  /** Starts a vm-controller, which observes VMs. It marks the VMs of the filled tables as gone. */
  readonly controller?: boolean;
  /** Lets PostgreSQL record the commit time of each transaction. */
  readonly commitTimes?: boolean;
}

export async function startHarness(wanted: Wanted, say: (text: string) => void): Promise<Harness> {
  const { rows, profile } = wanted;
  const folder = await throwAwayFolder('ssvirt-bench-api-');
  const group = processGroup(folder.path);
  const stops: (() => Promise<void>)[] = [() => group.stop().then(() => folder.remove())];
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) await one();
  };
  try {
    const { sandbox, cluster, kubeconfig } = await startCluster(group, folder.path);
    say(`filling the tables with ${rows} rows each`);
    const settings: Record<string, string> = wanted.commitTimes === true ? { track_commit_timestamp: 'on' } : {};
    const postgres = await Postgres.start((pool) => fillRows(pool, rows), settings);
    stops.push(() => postgres.stop());
    const sessions = await makeSessions(postgres.admin);
    const certificates = await makeCertificates(folder.path);
    const ca = certificates.authority.certificate;
    const [port = 0, health = 0] = await freePorts(2);
    const url = `https://127.0.0.1:${port}`;
    const caller = new Caller(url, ca);
    stops.push(() => caller.close());
    const places = { folder: folder.path, kubeconfig, databaseUrl: postgres.url };
    const server = ApiProcess.start({ ...places, certificates, port, profile, caller });
    stops.push(() => server.stop());
    await server.ready();
    const controller = wanted.controller === true ? await startController(group, { ...places, health }) : nothing;
    return { url, ca, cluster, postgres, sessions, caller, server, sandbox, controller, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const nothing: Costs = { cpuSeconds: () => 0 };

function costsOf({ name, child }: Started): Costs {
  const processes = [{ name, pid: child.pid ?? 0 }];
  return { cpuSeconds: () => cpuSeconds(processes) };
}

async function startCluster(
  group: ProcessGroup,
  folder: string,
): Promise<{ readonly sandbox: Costs; readonly cluster: Credentials; readonly kubeconfig: string }> {
  const kubeconfig = join(folder, 'kubeconfig');
  const sandbox = group.start('sandbox', command, ['sandbox', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0'], {
    ...process.env,
    ...built,
  });
  const cluster = await readCredentials(kubeconfig, sandbox);
  await prepareClusters(kubeconfig, []);
  return { sandbox: costsOf(sandbox), cluster, kubeconfig };
}

interface ControllerPlaces {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly databaseUrl: string;
  /** The port of its health checks. */
  readonly health: number;
}

async function startController(group: ProcessGroup, places: ControllerPlaces): Promise<Costs> {
  const { folder, kubeconfig, databaseUrl, health } = places;
  const file = join(folder, 'controller.yaml');
  const controller = { kubeconfig, metricsAddr: '127.0.0.1:0', healthAddr: `127.0.0.1:${health}` };
  writeFileSync(file, stringify({ log: { format: 'json' }, database: { url: databaseUrl }, controller }), {
    mode: 0o600,
  });
  const started = group.start('vm-controller', command, ['vm-controller', '--config', file], {
    ...process.env,
    ...built,
  });
  await poll('the vm-controller is not ready', async () => {
    if (started.child.exitCode !== null) throw new Error(`the vm-controller has ended:\n${started.tail()}`);
    try {
      const { status } = await fetch(`http://127.0.0.1:${health}/readyz`, { signal: AbortSignal.timeout(5000) });
      return status === 200 ? true : undefined;
    } catch {
      return undefined; // The server does not listen yet.
    }
  });
  return costsOf(started);
}
