/**
 * ssvirt as it would run in the cluster, but on this host: an embedded PostgreSQL, the API and the controllers, all
 * with the rights of the kubeconfig.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../packages/ssvirt/src/db/embedded/server.ts';
import { Child } from '../../packages/ssvirt/src/processes/dev/child.ts';
import { throwAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { command, makeCertificates, Caller } from '../processes/api-server.ts';
import type { FailedRequests } from './failed-requests.ts';
import { ProcessMetrics } from './process-metrics.ts';
import type { Stage } from './stage.ts';

export interface Api {
  readonly caller: Caller;
  /** The password of `administrator@System`. */
  readonly password: string;
  /** The CA of its certificate. */
  readonly ca: string;
}

type Flags = Readonly<Record<string, string>>;

/** The processes of one run. All of them end with this process, in every case. */
export class Processes {
  readonly #stage: Stage;
  readonly #failed: FailedRequests;
  readonly #ends: (() => Promise<unknown>)[] = [];
  readonly #metrics: ProcessMetrics[] = [];
  #folder = '';

  /** The requests that the cluster refuses to the processes are added to `failed`. */
  constructor(stage: Stage, failed: FailedRequests) {
    this.#stage = stage;
    this.#failed = failed;
  }

  /** The API and the controllers that fill its rows. */
  async startApi(): Promise<Api> {
    const folder = await this.#ownFolder();
    const postgres = await startEmbeddedPostgres({ fsync: false });
    this.#ends.push(() => postgres.stop());
    this.#stage.journal.say('PostgreSQL is up, on this machine');
    const { authority, certFile, keyFile } = await makeCertificates(folder);
    const password = randomBytes(15).toString('base64url');
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    const [port = 0, metricsPort = 0] = await freePorts(2);
    const caller = new Caller(`https://127.0.0.1:${port}`, authority.certificate);
    this.#ends.push(() => caller.close());
    const env = { SSVIRT_DATABASE_URL: postgres.url };
    const flags = {
      listen: `127.0.0.1:${port}`,
      'tls-cert-file': certFile,
      'tls-key-file': keyFile,
      'initial-admin-password-file': passwordFile,
      'kubevirt-configs-namespace': this.#configs,
      'metrics-addr': `127.0.0.1:${metricsPort}`,
    };
    await this.#run('api-server', flags, () => isReady(caller), env);
    await this.#controller('vm-controller', { 'kubevirt-configs-namespace': this.#configs }, env);
    return { caller, password, ca: authority.certificate };
  }

  startMachineOperator(): Promise<void> {
    return this.#controller('machine-operator', { 'kubevirt-configs-namespace': this.#configs });
  }

  startOrderOperator(): Promise<void> {
    const { storageClass } = this.#stage.options;
    return this.#controller('cloudkit-operator', {
      'order-namespace': this.#stage.names.orders,
      'rollout-percentage': '100',
      ...defined({ 'storage-class': storageClass }),
    });
  }

  /** Reads what was refused to each process so far. Rejects if a process does not report it. */
  async readFailures(): Promise<void> {
    for (const metrics of this.#metrics) await metrics.read();
  }

  /** An account has its rights only in the namespaces of an installation. */
  get #configs(): string {
    return this.#stage.options.accounts === undefined ? this.#stage.names.system : 'kubevirt-configs';
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  async #controller(name: string, flags: Flags, env: Flags = {}): Promise<void> {
    const [port = 0, metricsPort = 0] = await freePorts(2);
    const own = {
      namespace: this.#stage.options.accounts === undefined ? this.#stage.names.system : 'ssvirt-system',
      'health-addr': `127.0.0.1:${port}`,
      'metrics-addr': `127.0.0.1:${metricsPort}`,
    };
    await this.#run(name, { ...own, ...flags }, () => answers(`http://127.0.0.1:${port}/readyz`), env);
  }

  async #run(name: string, flags: Flags, isUp: () => Promise<boolean>, env: Flags = {}): Promise<void> {
    const { journal, options, signal } = this.#stage;
    signal.throwIfAborted();
    const folder = await this.#ownFolder();
    const all = {
      // The settings of this host for another installation do not apply here.
      config: join(folder, 'config.yaml'),
      'log-level': options.verbose ? 'info' : 'error',
      ...(options.context === undefined || options.accounts !== undefined ? {} : { context: options.context }),
      ...flags,
    };
    const child = new Child({
      name,
      command,
      args: [name, ...Object.entries(all).flatMap(([flag, value]) => [`--${flag}`, value])],
      env: () => ({ ...ownEnvironment(), ...chosenImages, ...accountOf(name, options.accounts), ...env }),
      folder,
      isUp,
      onLine: (line) => journal.say(`${name} | ${line}`),
      say: (line) => journal.say(line),
    });
    const metrics = new ProcessMetrics(name, `http://${flags['metrics-addr']}/metrics`, this.#failed);
    this.#ends.push(() => metrics.readUntilEnd(() => child.stop()));
    await child.start();
    await metrics.follow();
    this.#metrics.push(metrics);
    journal.say(`${name} is up, on this machine`);
  }

  async #ownFolder(): Promise<string> {
    if (this.#folder !== '') return this.#folder;
    const folder = await throwAwayFolder('ssvirt-e2e-');
    this.#ends.unshift(() => folder.remove());
    writeFileSync(join(folder.path, 'config.yaml'), '{}\n');
    this.#folder = folder.path;
    return folder.path;
  }
}

function accountOf(name: string, folder: string | undefined): Readonly<Record<string, string>> {
  return folder === undefined ? {} : { KUBECONFIG: join(folder, `${name}.kubeconfig`) };
}

/** Whoever runs this has chosen the image. The cluster may reach its host where this machine has no DNS for it. */
const chosenImages = { SSVIRT_IMAGES_ALLOWED_HOSTS: '*' };

/** The environment without the user's settings for another ssvirt. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const others = /^(SSVIRT|CONTROLLER|CLOUDKIT)_|^(DEFAULT_KUBEVIRT_CONFIG|RECONCILE_INTERVAL|LEADER_ELECTION)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}

async function isReady(api: Caller): Promise<boolean> {
  try {
    return (await api.ask('GET', '/readyz')).status === 200;
  } catch {
    // It does not listen yet.
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5000) })).status === 200;
  } catch {
    // It does not listen yet.
    return false;
  }
}
