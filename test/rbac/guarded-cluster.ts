/**
 * A kube-apiserver that grants one account only what a file of deploy/rbac grants, and records the account's requests.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import { throwAwayFolder, writeKubeconfig, type Cluster, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { startRealCluster } from '../cluster/real.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { installManifests, manifests } from '../vm-status/manifests.ts';
import { scrape } from './scrape.ts';

/** The namespace of the account and of its Lease. */
const home = 'ssvirt-system';

interface Audited {
  readonly verb: string;
  readonly requestURI: string;
  readonly responseStatus?: { readonly code: number };
}

export interface GuardedOptions {
  /** The file of deploy/rbac, and the name of the account in it without `ssvirt-`. */
  readonly process: string;
  readonly controllers?: readonly string[];
  readonly serverFlags?: readonly string[];
}

/** Addresses of the process. */
export interface Serving {
  readonly kubeconfig: string;
  readonly metricsAddr: string;
  readonly healthAddr: string;
}

export class GuardedCluster {
  readonly cluster: Cluster;
  /** May do everything. */
  readonly client: Client;
  readonly #folder: ThrowAwayFolder;
  readonly #account: string;
  #asAccount: Client | undefined;
  #token = '';
  #scrape: (() => ReturnType<typeof scrape>) | undefined;
  #stop: (() => Promise<void>) | undefined;

  private constructor(cluster: Cluster, folder: ThrowAwayFolder, account: string) {
    this.cluster = cluster;
    this.#folder = folder;
    this.#account = account;
    this.client = createClient({ cluster: 'real', source: fixedSource(cluster), userAgent: 'rbac-admin' });
  }

  static async start({ process: name, controllers = [], serverFlags = [] }: GuardedOptions): Promise<GuardedCluster> {
    const folder = await throwAwayFolder(`ssvirt-${name}-rbac-`);
    const account = `ssvirt-${name}`;
    const policy = join(folder.path, 'policy.json');
    writeFileSync(policy, JSON.stringify(policyFor(`system:serviceaccount:${home}:${account}`)));
    const audit = [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder.path, 'audit.log')}`];
    const cluster = await startRealCluster({ serverFlags: [...audit, ...serverFlags], controllers });
    const guarded = new GuardedCluster(cluster, folder, account);
    const granted = manifests(`${name}.yaml`);
    const where = new Set(granted.flatMap(({ metadata }) => metadata.namespace ?? []));
    for (const one of where) await guarded.client.create(namespaces, { metadata: { name: one } });
    await installManifests(guarded.client, granted);
    guarded.#token = await guarded.#requestToken();
    return guarded;
  }

  async #requestToken(): Promise<string> {
    const { body } = await this.client.request({
      method: 'POST',
      path: `/api/v1/namespaces/${home}/serviceaccounts/${this.#account}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
    });
    return (body as { status: { token: string } }).status.token;
  }

  file(name: string): string {
    return join(this.#folder.path, name);
  }

  /** The complete process except its signal handlers, in the name of the account; ends with the cluster. */
  async run(start: (serving: Serving, signal: AbortSignal) => Promise<void>): Promise<void> {
    const [metrics = 0, health = 0] = await freePorts(2);
    const { url, ca } = this.cluster;
    const kubeconfig = await writeKubeconfig(this.file('kubeconfig'), { url, ca, token: this.#token });
    const stopping = new AbortController();
    const serving = { kubeconfig, metricsAddr: `0.0.0.0:${metrics}`, healthAddr: `127.0.0.1:${health}` };
    const ended = start(serving, stopping.signal);
    this.#stop = async () => {
      stopping.abort();
      await ended;
    };
    const deadlineMs = 90_000;
    await until('it is ready', async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).ok, { deadlineMs });
    this.#scrape = () => scrape(metrics, 'nobody');
  }

  /** The metrics, for a caller that the cluster does not know. */
  async scrapedByNobody(): Promise<number> {
    return (await this.#scrape?.())?.status ?? 0;
  }

  get audited(): readonly Audited[] {
    return readFileSync(this.file('audit.log'), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Audited);
  }

  /** Requests without the right to them. */
  get refused(): readonly string[] {
    const refused = this.audited.filter(({ responseStatus }) => responseStatus?.code === 403);
    return refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`);
  }

  /** The code of the answer to a request of the test in the account's name. */
  async codeOf(method: 'POST' | 'DELETE' | 'PATCH' | 'GET', path: string): Promise<number> {
    const credentials = { ...this.cluster, token: this.#token };
    this.#asAccount ??= createClient({ cluster: 'rbac', source: fixedSource(credentials), userAgent: 'rbac-test' });
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const body = method === 'DELETE' || method === 'GET' ? undefined : {};
    try {
      return (await this.#asAccount.request({ method, path, body, contentType })).code;
    } catch (error) {
      if (error instanceof KubeError && error.code !== undefined) return error.code;
      throw error;
    }
  }

  async endProcess(): Promise<void> {
    await this.#stop?.();
  }

  async stop(): Promise<void> {
    await this.endProcess();
    await this.#asAccount?.close();
    await this.client.close();
    await this.cluster.stop();
    await this.#folder.remove();
  }
}

function policyFor(user: string): object {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', users: [user] }, { level: 'None' }],
  };
}
