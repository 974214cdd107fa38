/** A supervisor, two KubeVirt clusters and the operator, started as users do, and kubectl. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { loadKubeconfig } from '../../packages/kube/src/kubeconfig/load.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { kill, processGroup, type ProcessGroup, type Started } from '../cluster/processes.ts';
import { printOutcome, startKubectl, words, type Outcome } from '../kubectl/command.ts';
import { kubectls } from '../kubectl/kubectls.ts';
import { until } from '../runtime/until.ts';

const command = resolve(import.meta.dirname, '../../bin/ssvirt');
const patient = { deadlineMs: 120_000, everyMs: 200 };

interface Credentials {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly name: string;
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
  }[];
  readonly users: readonly { readonly name: string; readonly user: { readonly token?: string } }[];
}

export class SeedsHarness {
  readonly kubeconfig: string;
  readonly #folder: ThrowAwayFolder;
  readonly #group: ProcessGroup;
  readonly #clients: Client[] = [];
  #operator: Started | undefined;
  #runs = 0;
  /** Of the running operator. */
  health = '';
  metrics = '';

  private constructor(folder: ThrowAwayFolder) {
    this.#folder = folder;
    this.#group = processGroup(folder.path);
    this.kubeconfig = join(folder.path, 'kubeconfig');
  }

  static async start(): Promise<SeedsHarness> {
    const harness = new SeedsHarness(await throwAwayFolder('ssvirt-seeds-'));
    try {
      await harness.#startClusters();
      return harness;
    } catch (error) {
      await harness.stop();
      throw error;
    }
  }

  async #startClusters(): Promise<void> {
    const flags = {
      clusters: '3',
      names: 'sandbox,cluster-east,cluster-west',
      parts: 'kubevirt,nodes,storage,cdi',
      listen: '127.0.0.1:0',
      speed: '20',
      kubeconfig: this.kubeconfig,
    };
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const sandbox = this.#group.start('sandbox', command, ['sandbox', ...args]);
    await this.#up('the clusters are up', sandbox, () => existsSync(this.kubeconfig));
  }

  async #up(what: string, process: Started, probe: () => boolean | Promise<boolean>): Promise<void> {
    await until(
      what,
      async () => {
        if (process.child.exitCode === null && (await probe())) return true;
        throw new Error(process.tail());
      },
      patient,
    );
  }

  /** With the variables of the reference. */
  async operate(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.#operator !== undefined) await kill(this.#operator);
    const [health = 0, metrics = 0] = await freePorts(2);
    this.health = `http://127.0.0.1:${health}`;
    this.metrics = `http://127.0.0.1:${metrics}`;
    const env = {
      PATH: process.env['PATH'],
      KUBECONFIG: this.kubeconfig,
      KUBEVIRT_CONFIGS_NAMESPACE: 'kubevirt-configs',
      NAMESPACE: 'ssvirt-system',
      // The images are simulated: no DNS has to know their hosts.
      SSVIRT_IMAGES_ALLOWED_HOSTS: '*',
      RECONCILE_INTERVAL: '30s',
      MAX_CONCURRENT_RECONCILES: '5',
      LEADER_ELECTION: 'true',
      HEALTH_PROBE_BIND_ADDRESS: `127.0.0.1:${health}`,
      METRICS_BIND_ADDRESS: `127.0.0.1:${metrics}`,
      ...variables,
    };
    this.#runs += 1;
    this.#operator = this.#group.start(
      `operator-${this.#runs}`,
      command,
      ['machine-operator', '--log-format', 'json'],
      env,
    );
    await this.#up('the operator is ready', this.#operator, async () => (await fetch(`${this.health}/readyz`)).ok);
  }

  /** Log lines of the running operator. */
  log(): readonly Readonly<Record<string, unknown>>[] {
    return readFileSync(join(this.#folder.path, `operator-${this.#runs}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  }

  /** Its standard output; throws if it fails, unless an exit code is given. */
  async kubectl(line: string, { input = '', code = 0 }: { input?: string; code?: number } = {}): Promise<string> {
    const outcome = await this.#run(line, input);
    if (outcome.code !== code) throw new Error(`kubectl ${line}\n${printOutcome(outcome)}`);
    return code === 0 ? outcome.out : outcome.err;
  }

  #run(line: string, input: string): Promise<Outcome> {
    const [kubectl = ''] = kubectls();
    const target = { kubectl, kubeconfig: this.kubeconfig, folder: this.#folder.path };
    return startKubectl({ args: words(line), input }, target).done;
  }

  file(name: string, text: string): string {
    const path = join(this.#folder.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  credentials(cluster: string): Credentials {
    const { clusters, users } = parse(readFileSync(this.kubeconfig, 'utf8')) as Kubeconfig;
    const found = clusters.find(({ name }) => name === cluster)?.cluster;
    const token = users.find(({ name }) => name === `${cluster}-token`)?.user.token;
    return { server: found?.server ?? '', ca: found?.['certificate-authority-data'] ?? '', token: token ?? '' };
  }

  async client(context: string): Promise<Client> {
    const source = await loadKubeconfig({ path: this.kubeconfig, context });
    const client = createClient({ cluster: context, source, userAgent: 'seeds-suite' });
    this.#clients.push(client);
    return client;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.#group.stop();
    await this.#folder.remove();
  }
}
