/** The measured controllers, each started as its users would start it. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { throwAwayFolder, writeKubeconfig, type Credentials } from '../../test/cluster/cluster.ts';
import { freePorts } from '../../test/cluster/ports.ts';
import { processGroup, type Started } from '../../test/cluster/processes.ts';
import { collectGarbage, inspectable } from '../sandbox/collect.ts';
import { Connection } from '../sandbox/connection.ts';
import { now } from './clock.ts';
import { namespace } from './machines.ts';

const repository = resolve(import.meta.dirname, '../..');

export interface Contestant {
  readonly name: string;
  command(place: Place): Command;
}

interface Place {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly databaseUrl: string;
  readonly metrics: string;
  readonly health: string;
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export const ours: Contestant = {
  name: 'ssvirt',
  command({ folder, kubeconfig, databaseUrl, metrics, health }) {
    const file = join(folder, 'config.yaml');
    const controller = { kubeconfig, namespace, metricsAddr: metrics, healthAddr: health };
    writeFileSync(file, stringify({ log: { format: 'json' }, database: { url: databaseUrl }, controller }), {
      mode: 0o600,
    });
    // Prefers the built files that we ship: stripping types at startup costs time and memory that no installation pays.
    const built = existsSync(join(repository, 'dist/ssvirt/src/main.js')) ? { SSVIRT_BUILT: '1' } : {};
    return {
      file: join(repository, 'bin/ssvirt'),
      args: ['vm-controller', '--config', file],
      env: { ...inspectable, ...built },
    };
  },
};

export function rival(path: string, projection: boolean): Contestant {
  return {
    name: projection ? 'Go, projection' : 'Go',
    command: ({ kubeconfig, databaseUrl, metrics }) => ({
      file: path,
      args: [
        '-kubeconfig',
        kubeconfig,
        '-namespace',
        namespace,
        '-metrics',
        metrics,
        ...(projection ? ['-projection'] : []),
      ],
      env: { DATABASE_URL: databaseUrl },
    }),
  };
}

export interface Running {
  readonly name: string;
  readonly pid: number;
  /** The start time of its process, by the wall clock. */
  readonly began: number;
  isAlive(): boolean;
  logBytes(): number;
  metrics(): Promise<string>;
  /** For Node processes only. */
  collectGarbage(): Promise<void>;
  /** The end of its output. */
  tail(): string;
  stop(): Promise<void>;
}

export async function start(contestant: Contestant, server: Credentials, databaseUrl: string): Promise<Running> {
  await forgetLeader(server);
  const folder = await throwAwayFolder('ssvirt-bench-');
  const [metricsPort, healthPort] = await freePorts(2);
  const metrics = `127.0.0.1:${metricsPort}`;
  const place = {
    folder: folder.path,
    kubeconfig: await writeKubeconfig(join(folder.path, 'kubeconfig'), server),
    databaseUrl,
    metrics,
    health: `127.0.0.1:${healthPort}`,
  };
  const { file, args, env } = contestant.command(place);
  const group = processGroup(folder.path);
  const began = now();
  const started = group.start('contestant', file, args, { ...process.env, ...env });
  return {
    name: contestant.name,
    pid: started.child.pid ?? 0,
    began,
    isAlive: () => isAlive(started),
    logBytes: () => statSync(join(folder.path, 'contestant.log')).size,
    metrics: async () => (await fetch(`http://${metrics}/metrics`)).text(),
    collectGarbage: () => collectGarbage(started),
    tail: () => started.tail(),
    stop: async () => {
      await group.stop();
      await folder.remove();
    },
  };
}

const isAlive = ({ child }: Started): boolean => child.exitCode === null && child.signalCode === null;

/** Deletes the Lease: the previous contestant must not delay this one. */
async function forgetLeader(server: Credentials): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/ssvirt-vm-controller`;
  const connection = await Connection.open(server);
  const { status } = await connection.send({ method: 'DELETE', path });
  connection.close();
  if (status !== 200 && status !== 404) throw new Error(`DELETE ${path} answered ${status}`);
}
