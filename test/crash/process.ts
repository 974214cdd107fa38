/** One sandbox on one data folder and one port, which is started, killed and restarted. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { throwAwayFolder } from '../cluster/cluster.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { processGroup, type Started } from '../cluster/processes.ts';
import { httpClient } from '../conformance/http.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/ssvirt', import.meta.url));
const START_DEADLINE = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly milliseconds: number;
}

export interface SandboxProcess {
  readonly folder: string;
  readonly data: string;
  readonly kubeconfig: string;
  readonly port: number;
  /** From the kubeconfig that the first start wrote. */
  credentials(): Credentials;
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** Starts a process that is expected to exit with an error, and returns its output. */
  refused(args: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }>;
  end(signal: NodeJS.Signals): Promise<Ended>;
  remove(): Promise<void>;
}

export async function sandboxProcess(): Promise<SandboxProcess> {
  const scratch = await throwAwayFolder('ssvirt-crash-');
  const folder = scratch.path;
  const [port = 0] = await freePorts(1);
  const group = processGroup(folder);
  const kubeconfig = join(folder, 'kubeconfig');
  const data = join(folder, 'data');
  const flags = ['sandbox', '--bare', '--kubeconfig', kubeconfig, '--listen', `127.0.0.1:${port}`, '--data', data];
  let starts = 0;
  let running: Started | undefined;
  let known: Credentials | undefined;

  const credentials = (): Credentials => (known ??= readCredentials(kubeconfig));
  return {
    folder,
    data,
    kubeconfig,
    port,
    credentials,
    async start() {
      running = group.start(`sandbox-${starts++}`, LAUNCHER, flags);
      await ready(running, credentials);
    },
    async refused(args) {
      const started = group.start(`sandbox-${starts++}`, LAUNCHER, ['sandbox', ...args]);
      await started.ended;
      return { code: started.child.exitCode, text: started.tail() };
    },
    async end(signal) {
      if (running === undefined) throw new Error('the sandbox is not running');
      const { child } = running;
      const began = performance.now();
      const exit = once(child, 'exit');
      child.kill(signal);
      const [code, by] = (await exit) as [number | null, NodeJS.Signals | null];
      running = undefined;
      return { code, signal: by, milliseconds: performance.now() - began };
    },
    async remove() {
      await group.stop();
      await scratch.remove();
    },
  };
}

function readCredentials(file: string): Credentials {
  const { clusters, users } = parse(readFileSync(file, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
    users: { user: { token?: string } }[];
  };
  const cluster = clusters[0]?.cluster;
  const token = users.find(({ user }) => user.token !== undefined)?.user.token;
  if (cluster === undefined || token === undefined) throw new Error(`"${file}" has no cluster or no token`);
  return { url: cluster.server, ca: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(), token };
}

/** The first kubeconfig must work for all later starts: it is not read again. */
async function ready(started: Started, credentials: () => Credentials): Promise<void> {
  const deadline = Date.now() + START_DEADLINE;
  for (;;) {
    const { exitCode, signalCode } = started.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`the sandbox ended at its start:\n${started.tail()}`);
    if (await isReady(credentials)) return;
    if (Date.now() > deadline) throw new Error(`the sandbox was not ready in time:\n${started.tail()}`);
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

async function isReady(credentials: () => Credentials): Promise<boolean> {
  try {
    const client = httpClient(credentials());
    const { status } = await client.send({ method: 'GET', path: '/readyz' });
    client.close();
    return status === 200;
  } catch {
    return false;
  }
}
