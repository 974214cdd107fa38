/**
 * `createFleet` assembles a fleet from the KubevirtConfigs of one namespace, their Secrets and the process's own
 * cluster.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Client } from '@ssvirt/kube/client/client';
import { sleep, systemClock, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import { watches } from '@ssvirt/kube/controller/sources';
import type { RunContext } from '@ssvirt/kube/manager/runnable';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { ObjectKey } from '@ssvirt/kube/object';
import type { ReflectorOptions } from '@ssvirt/kube/reflector/options';
import { ConfigReconciler } from './kubevirtconfig/config-reconciler.ts';
import { requestIdentity } from './identity/identity-request.ts';
import { showPhases } from './health/fleet-metrics.ts';
import { FleetError, type Engageable, type Fleet } from './fleet.ts';
import {
  holders,
  kubevirtConfigs,
  localName,
  secretKeyOf,
  type Holder,
  type KubevirtConfig,
  type Phase,
} from './kubevirtconfig/kubevirt-config.ts';
import { LocalMember } from './members/local-member.ts';
import { clientForMachine, type PlaceableMachine } from './placement/place-machine.ts';
import { Members } from './members/members.ts';
import type { MemberAssessment } from './health/observation.ts';
import { defaultTimes, type HealthTimes } from './health/health-times.ts';
import { recordIdentity } from './identity/recorded-identity.ts';
import { SecretWatch } from './kubevirtconfig/secret-watch.ts';

export interface FleetOptions {
  /** The cluster with the KubevirtConfigs. The fleet does not close it. */
  readonly local: Cluster;
  /** The default is `discover`: the own cluster is a member if it serves KubeVirt. */
  readonly localMembership?: 'discover' | 'never';
  /** The namespace of the KubevirtConfigs. */
  readonly namespace: string;
  /** The field manager, event source and User-Agent. */
  readonly component: string;
  readonly userAgent: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** For the caches of all members. */
  readonly reflector?: Partial<ReflectorOptions>;
  readonly times?: Partial<HealthTimes>;
  /**
   * Whether this process writes the status of KubevirtConfigs. The default is always. Exactly one process of an
   * installation does (see kubevirtconfig/reporter.ts), and it calls `refresh` when it starts to.
   */
  readonly reports?: () => boolean;
  /**
   * Whether this process protects clusters that are in use, with its own finalizer and condition: true for the leader
   * of its kind. The default is `reports`.
   */
  readonly holds?: () => boolean;
  /** Whose finalizer and condition to use. The default is the tenants'. */
  readonly holder?: Holder;
  /** Returns the users of the named cluster, such as `Machine "team-a/web"`. Without it no finalizer is set. */
  readonly inUse?: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  readonly inUseAgainMs?: number;
  /** The KubevirtConfig for Machines that do not name one. */
  readonly defaultConfig?: string | undefined;
}

export function createFleet(options: FleetOptions): Fleet {
  return new KubevirtFleet(options);
}

const notAsked = { phase: 'Pending' } as const;

class KubevirtFleet implements Fleet {
  readonly name = 'fleet';
  /** Standbys keep their caches warm, and every replica of the API server needs its own clients. */
  readonly needsLeadership = false;
  readonly local: Cluster;
  readonly #options: FleetOptions;
  readonly #times: HealthTimes;
  readonly #configs: Informer<KubevirtConfig>;
  readonly #secrets: SecretWatch;
  readonly #localMember: LocalMember;
  readonly #members: Members;
  readonly #controller: Controller;
  readonly #clusters = new Map<string, Cluster>();
  readonly #targets = new Set<Engageable>();
  readonly #leavers = new Set<(cluster: Cluster) => void>();

  constructor(options: FleetOptions) {
    const { local, namespace, log, metrics, clock = systemClock, userAgent, component, reflector } = options;
    if (local.name !== localName)
      throw new Error(`cannot create a fleet: its own cluster must be named "${localName}", not "${local.name}"`);
    this.#options = options;
    this.#times = { ...defaultTimes, ...options.times };
    this.local = local;
    const times = this.#times;
    const engaged = (cluster: Cluster): void => this.#engaged(cluster);
    this.#configs = local.informers.informer(kubevirtConfigs, { namespaces: [namespace] });
    this.#secrets = new SecretWatch(local, (key) => this.#secretChanged(key));
    this.#localMember = new LocalMember({
      cluster: local,
      times,
      clock,
      log,
      engaged,
      holderOf: (identity, signal) => this.#holderOfOwn(identity, clock, signal),
    });
    this.#members = new Members({
      parts: { log, metrics, clock, userAgent, component, ...defined({ reflector }) },
      times,
      local: this.#localMember,
      configs: () => this.#configs.list(),
      engaged,
      disengaged: (cluster) => this.#disengaged(cluster),
      record: (name, identity, before, request) =>
        recordIdentity(local.client, { namespace, name }, identity, before, request),
      changed: (names) => this.#enqueue(names),
    });
    this.#controller = this.#createController(clock);
  }

  cluster(name: string): Cluster | undefined {
    return this.#clusters.get(name);
  }

  clusters(): readonly Cluster[] {
    return [...this.#clusters.values()];
  }

  identityOf(name: string): string | undefined {
    return name === localName ? this.#localMember.identity : this.#members.get(name)?.identity;
  }

  isAsked(name: string): boolean {
    if (name === localName) return this.#options.localMembership === 'never' || this.#localMember.hasLooked;
    if (!this.#configs.hasSynced) return false;
    const isKnown = this.#configs.list().some(({ metadata }) => metadata.name === name);
    return !isKnown || (this.stateOf(name) ?? notAsked).phase !== notAsked.phase;
  }

  stateOf(name: string): MemberAssessment | undefined {
    return this.#members.assess(name);
  }

  noteWatches(name: string, trouble: string | undefined): void {
    if (name === localName) this.#localMember.noteWatches(trouble);
    else this.#members.get(name)?.noteWatches(trouble);
  }

  listConfigs(): readonly KubevirtConfig[] {
    return this.#configs.list();
  }

  getClientForConfig(name: string): Client {
    const cluster = this.#clusters.get(name);
    if (cluster !== undefined) return cluster.client;
    throw this.#unavailable(name);
  }

  getClientForMachine(machine: PlaceableMachine, signal?: AbortSignal): Promise<Client> {
    const { namespace, defaultConfig } = this.#options;
    return clientForMachine(this, machine, {
      configsNamespace: namespace,
      defaultConfig,
      deadlineMs: this.#times.deadlineMs,
      ...defined({ signal }),
    });
  }

  async validateConnection(name: string, signal?: AbortSignal): Promise<string> {
    const member = this.#members.get(name);
    if (member === undefined && name !== localName) throw this.#unavailable(name);
    try {
      const found = await (member === undefined ? this.#askLocal(signal) : member.ask(signal));
      if (member?.identity === undefined || member.identity === found) return found;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new FleetError('ClusterUnavailable', name, `cannot reach cluster "${name}": ${why}`, error);
    }
    throw this.#unavailable(name, 'its kubeconfig leads to another cluster than before');
  }

  async healthCheck(signal?: AbortSignal): Promise<ReadonlyMap<string, FleetError>> {
    const names = new Set([...this.#members.all().map(({ name }) => name), ...this.#clusters.keys()]);
    const failing = new Map<string, FleetError>();
    await Promise.all(
      [...names].map(async (name) => {
        try {
          await this.validateConnection(name, signal);
        } catch (error) {
          if (!(error instanceof FleetError)) throw error;
          failing.set(name, error);
        }
      }),
    );
    return failing;
  }

  refresh(): void {
    this.#enqueue(this.#configs.list().map(({ metadata }) => metadata.name ?? ''));
  }

  serve(target: Engageable): () => void {
    this.#targets.add(target);
    for (const cluster of this.#clusters.values()) target.engage(cluster);
    return () => void this.#targets.delete(target);
  }

  onDisengage(listener: (cluster: Cluster) => void): () => void {
    this.#leavers.add(listener);
    return () => void this.#leavers.delete(listener);
  }

  async run({ signal, term }: RunContext): Promise<void> {
    const { localMembership = 'discover' } = this.#options;
    const ending = new AbortController();
    const discovers = localMembership === 'discover';
    const looking = discovers ? this.#localMember.run(AbortSignal.any([signal, ending.signal])) : Promise.resolve();
    const hide = showPhases(this.#options.metrics.registry, () => this.#phases());
    try {
      // Whether a KubevirtConfig refers to the own cluster is only known after the own cluster has been probed.
      if (discovers) await this.#localMember.firstLook;
      this.#controller.engage(this.local);
      await this.#controller.run(term === undefined ? { signal } : { signal, term });
    } finally {
      hide();
      ending.abort();
      await looking;
      await this.#members.stop();
      this.#secrets.stop();
      this.#configs.release();
      this.#clusters.clear();
    }
  }

  #phases(): ReadonlyMap<string, Phase> {
    const all = new Map<string, Phase>();
    for (const { name } of this.#members.all()) all.set(name, this.stateOf(name)?.phase ?? 'Pending');
    if (this.#clusters.has(localName)) all.set(localName, this.#localMember.phase);
    return all;
  }

  #createController(clock: Clock): Controller {
    const { local, log, metrics, reports = () => true, inUse, inUseAgainMs = 10_000 } = this.#options;
    const { holds = reports, holder = holders.tenants } = this.#options;
    const reconciler = new ConfigReconciler({
      local,
      configs: this.#configs,
      secrets: this.#secrets,
      members: this.#members,
      clock,
      log,
      times: this.#times,
      reports,
      holds,
      holder,
      inUseAgainMs,
      ...defined({ inUse }),
    });
    return createController({
      name: 'kubevirtconfig',
      reconcile: reconciler.reconcile,
      sources: () => [watches(this.#configs, enqueueObject)],
      concurrency: 4,
      // Nothing here waits for a remote cluster, but `inUse` may.
      timeoutMs: 60_000,
      // If there are no KubevirtConfigs, or they cannot be read, the own cluster still works.
      onSyncTimeout: 'wait',
      log,
      metrics,
      clock,
    });
  }

  /** The KubevirtConfig that referred to the own cluster before it became a member: a cluster has only one name. */
  async #holderOfOwn(identity: string, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
    const giveUpAt = clock.now() + this.#times.deadlineMs;
    // If the kind is not served or cannot be read, there is nothing to wait for.
    const mayCome = (): boolean => !['absent', 'forbidden'].includes(this.#configs.health().trouble);
    while (!this.#configs.hasSynced && mayCome() && clock.now() < giveUpAt && !signal.aborted)
      await sleep(clock, 50, signal);
    return this.#configs.list().find(({ status }) => status?.identity === identity)?.metadata.name;
  }

  #askLocal(signal?: AbortSignal): Promise<string> {
    const timeoutMs = this.#times.deadlineMs;
    return requestIdentity(this.local.client, signal === undefined ? { timeoutMs } : { timeoutMs, signal });
  }

  #unavailable(name: string, why?: string): FleetError {
    const { namespace } = this.#options;
    const state = this.stateOf(name);
    if (state !== undefined)
      return new FleetError('ClusterUnavailable', name, `cannot use cluster "${name}": ${why ?? state.message}`);
    const text =
      name === localName
        ? `the cluster "${localName}" serves no KubeVirt: install KubeVirt there, or create a KubevirtConfig for another cluster`
        : `KubevirtConfig "${name}" not found in namespace "${namespace}": create it, with a Secret that holds the kubeconfig`;
    return new FleetError('ClusterNotFound', name, text);
  }

  #secretChanged({ namespace, name }: ObjectKey): void {
    const concerned = this.#configs.list().filter((config) => {
      const key = secretKeyOf(config);
      return key.namespace === namespace && key.name === name;
    });
    this.#enqueue(concerned.map(({ metadata }) => metadata.name ?? ''));
  }

  #enqueue(names: readonly string[]): void {
    const { namespace } = this.#options;
    for (const name of names) this.#controller.enqueue({ cluster: this.local.name, namespace, name });
  }

  #engaged(cluster: Cluster): void {
    this.#clusters.set(cluster.name, cluster);
    for (const target of this.#targets) this.#isolated(cluster, () => target.engage(cluster));
  }

  #disengaged(cluster: Cluster): void {
    if (this.#clusters.get(cluster.name) === cluster) this.#clusters.delete(cluster.name);
    for (const listener of this.#leavers) this.#isolated(cluster, () => listener(cluster));
  }

  /** A defect in one listener must not affect the other listeners or the cluster. */
  #isolated({ name }: Cluster, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#options.log.error({ err: error, cluster: name }, 'cluster listener failed');
    }
  }
}
