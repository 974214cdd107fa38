/**
 * One replica of the API server as a process, with its own proxies for the cluster and the database, which a director
 * observes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { writeKubeconfig, type Credentials } from '../../cluster/cluster.ts';
import { freePorts } from '../../cluster/ports.ts';
import { Caller, unavailableClusters, type Certificates } from '../../processes/api-server.ts';
import { until } from '../../runtime/until.ts';
import { ClusterProxy } from './cluster-proxy.ts';
import { DatabaseProxy } from './database-proxy.ts';
import type { Director } from './step.ts';

const program = fileURLToPath(new URL('api-server.ts', import.meta.url));

export interface ReplicaSetup {
  readonly name: string;
  readonly folder: string;
  readonly cluster: Credentials;
  readonly databaseUrl: string;
  readonly certificates: Certificates;
  readonly passwordFile: string;
  readonly director: Director;
}

export class Replica {
  readonly name: string;
  readonly caller: Caller;
  readonly cluster: ClusterProxy;
  /** How it ended without having been stopped. */
  readonly ends: string[] = [];
  readonly #database: DatabaseProxy;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #log = '';

  private constructor(
    { name, certificates }: ReplicaSetup,
    ways: { readonly cluster: ClusterProxy; readonly database: DatabaseProxy },
    { env, port }: { readonly env: NodeJS.ProcessEnv; readonly port: number },
  ) {
    this.name = name;
    this.cluster = ways.cluster;
    this.#database = ways.database;
    this.#env = env;
    this.caller = new Caller(`https://127.0.0.1:${port}`, certificates.authority.certificate);
  }

  static async open(setup: ReplicaSetup): Promise<Replica> {
    const { name, folder, certificates, director } = setup;
    const [cluster, database, [port = 0], kubeconfig] = [
      await ClusterProxy.start(name, setup.cluster, director),
      await DatabaseProxy.start(name, setup.databaseUrl, director),
      await freePorts(1),
      join(folder, `${name}.kubeconfig`),
    ];
    await writeKubeconfig(kubeconfig, cluster.credentials);
    const env = {
      PATH: process.env['PATH'],
      KUBECONFIG: kubeconfig,
      SSVIRT_DATABASE_URL: database.url,
      SSVIRT_IMAGES_ALLOWED_HOSTS: '*',
      SSVIRT_DATABASE_MAX_CONNECTIONS: '40',
      SSVIRT_API_LISTEN: `127.0.0.1:${port}`,
      SSVIRT_API_METRICS_ADDR: '127.0.0.1:0',
      SSVIRT_API_TLS_CERT_FILE: certificates.certFile,
      SSVIRT_API_TLS_KEY_FILE: certificates.keyFile,
      SSVIRT_API_INITIAL_ADMIN_PASSWORD_FILE: setup.passwordFile,
      SSVIRT_LOG_LEVEL: 'warn',
      // The replica restarts often, and a killed process writes no compile cache, so it uses that of others.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compile-cache'),
    };
    return new Replica(setup, { cluster, database }, { env, port });
  }

  get log(): string {
    return this.#log;
  }

  start(): void {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: this.#env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#log = (this.#log + text).slice(-200_000)));
    child.once('exit', (code, signal) => {
      if (this.#child === child) this.ends.push(String(code ?? signal));
    });
    this.#child = child;
  }

  /** Resolves when it serves, and reaches its database and its cluster. */
  async ready(): Promise<void> {
    const isReady = async (): Promise<boolean> => {
      if (this.ends.length > 0) return true;
      const answer = await this.caller.ask('GET', '/readyz');
      return answer.status === 200 && unavailableClusters(answer) === 0;
    };
    await until(`${this.name} is ready`, isReady, { deadlineMs: 120_000, everyMs: 100 }).catch((error: unknown) => {
      throw new Error(`${this.name} is not ready:\n${this.#log.slice(-4000)}`, { cause: error });
    });
    if (this.ends.length > 0) throw new Error(`${this.name} has ended:\n${this.#log.slice(-4000)}`);
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.caller.close();
    await this.cluster.stop();
    await this.#database.stop();
  }
}
