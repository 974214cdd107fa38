/** All processes together, as in an installation: on a simulated cluster and a PostgreSQL, each on its own ports. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import { throwAwayFolder, type Cluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { startTestDatabase, type TestDatabase } from '../database/harness.ts';
import { install } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { makeCertificates, type Certificates } from './api-server.ts';

export const processNames = ['api-server', 'vm-controller', 'machine-operator', 'cloudkit-operator'] as const;
export type ProcessName = (typeof processNames)[number];

const crds = resolve(import.meta.dirname, '../../deploy/crds');
const namespaces = ['ssvirt-system', 'kubevirt-configs'];
const namespaceType = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

/** The environment of the processes: a cluster with our definitions, a database, and files. */
export interface Services {
  readonly cluster: Cluster;
  readonly database: TestDatabase;
  readonly folder: ThrowAwayFolder;
  readonly certificates: Certificates;
  readonly passwordFile: string;
  stop(): Promise<void>;
}

export async function startServices(): Promise<Services> {
  const folder = await throwAwayFolder('ssvirt-all-');
  const database = await startTestDatabase();
  const cluster = await startSandbox({ args: ['--speed', '20'] });
  const client = createClient({ cluster: 'sandbox', source: fixedSource(cluster), userAgent: 'all-processes' });
  const definitions = globSync('*.yaml', { cwd: crds }).map(
    (file) => parse(readFileSync(join(crds, file), 'utf8')) as Unstructured,
  );
  await install(client, ...definitions);
  for (const name of namespaces) await client.create(namespaceType, { metadata: { name } });
  await client.close();
  const passwordFile = join(folder.path, 'password');
  writeFileSync(passwordFile, 'correct-horse-battery-staple');
  const certificates = await makeCertificates(folder.path);
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await database.stop();
    await folder.remove();
  };
  return { cluster, database, folder, certificates, passwordFile, stop };
}

/** Where a process listens, and the settings for it. */
export interface Listening {
  readonly health: string;
  readonly metrics: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The health address in the settings of each process; the API serves its health itself. */
const sections = {
  'api-server': 'API',
  'vm-controller': 'CONTROLLER',
  'machine-operator': 'OPERATOR',
  'cloudkit-operator': 'CLOUDKIT',
} as const;

export async function anyPorts(name: ProcessName): Promise<Listening> {
  const [one = 0, other = 0] = await freePorts(2);
  const section = sections[name];
  const isApi = name === 'api-server';
  return {
    health: `${isApi ? 'https' : 'http'}://127.0.0.1:${one}`,
    metrics: `http://127.0.0.1:${other}/metrics`,
    env: {
      [`SSVIRT_${section}_${isApi ? 'LISTEN' : 'HEALTH_ADDR'}`]: `127.0.0.1:${one}`,
      [`SSVIRT_${section}_METRICS_ADDR`]: `127.0.0.1:${other}`,
    },
  };
}

/** The settings of a process that runs next to the files, and not in a pod. */
export function settingsOf({ cluster, database, certificates, passwordFile }: Services): Record<string, string> {
  return {
    KUBECONFIG: cluster.adminKubeconfig,
    SSVIRT_DATABASE_URL: database.url,
    // No name is looked up: the images are simulated.
    SSVIRT_IMAGES_ALLOWED_HOSTS: '*',
    SSVIRT_API_TLS_CERT_FILE: certificates.certFile,
    SSVIRT_API_TLS_KEY_FILE: certificates.keyFile,
    SSVIRT_API_INITIAL_ADMIN_PASSWORD_FILE: passwordFile,
  };
}

export interface Running {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  readonly log: () => string;
}

export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  return { child, exited: once(child, 'exit'), log: () => log };
}

/** The answer of a server on this host, with any certificate. */
export async function ask(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const answer = await request(url, { dispatcher });
    return { status: answer.statusCode, text: await answer.body.text() };
  } finally {
    await dispatcher.close();
  }
}
