/** The cloud controller for Services of type LoadBalancer: assigns an address to each while it needs one. */
import { isIP } from 'node:net';
import { createController } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { EventType } from '@ssvirt/kube/events/event';
import { keyOf, keyOfObject, type ObjectKey, type Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Simulator } from '../world.ts';
import { addresses, addressOf, askedAddress, wantsAddress } from './addresses.ts';

const services: ResourceType = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };

export const loadBalancers: Simulator = (world) => {
  const cluster = world.as('service-controller');
  const informer = cluster.informers.informer(services);
  const part = new LoadBalancers(cluster, informer);
  const controller = createController({
    name: 'load-balancers',
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [watches(informer, enqueueObject, (change) => change.type !== 'deleted')],
    reconcile: (key) => part.sync(key),
  });
  controller.engage(cluster);
  return [controller];
};

class LoadBalancers {
  readonly #cluster: Cluster;
  readonly #services: Informer<Unstructured>;
  /** The holder of each address, from the status of the Services. */
  readonly #holders = new Map<string, string>();

  constructor(cluster: Cluster, informer: Informer<Unstructured>) {
    this.#cluster = cluster;
    this.#services = informer;
    informer.addHandler({
      name: 'load-balancer-addresses',
      added: (service) => this.#saw(service),
      updated: (before, service) => {
        if (addressOf(before) !== addressOf(service)) this.#release(before);
        this.#saw(service);
      },
      deleted: (service) => this.#release(service),
    });
  }

  async sync(key: ObjectKey): Promise<void> {
    const service = this.#services.get(key);
    if (service === undefined) return;
    const known = addressOf(service);
    if (!wantsAddress(service)) {
      // A Service that is no load balancer any more releases its address; addresses from another controller are left
      // alone.
      if (known !== undefined && this.#holders.get(known) === keyOf(service.metadata) && isPlain(service))
        await this.#write(service, []);
      return;
    }
    const asked = askedAddress(service);
    if (known !== undefined && (asked === undefined || asked === known)) return;
    if (asked !== undefined && isIP(asked) === 0) {
      const message = `Error syncing load balancer: failed to ensure load balancer: invalid loadBalancerIP "${asked}"`;
      return this.#event(service, 'Warning', 'SyncLoadBalancerFailed', message);
    }
    await this.#give(service, asked ?? this.#next());
  }

  /** If the address cannot be written, it is free again. */
  async #give(service: Unstructured, address: string): Promise<void> {
    const key = keyOf(service.metadata);
    const before = this.#holders.get(address);
    this.#holders.set(address, key);
    this.#event(service, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
    try {
      await this.#write(service, [{ ip: address, ipMode: 'VIP' }]);
    } catch (error) {
      if (before === undefined && this.#holders.get(address) === key) this.#holders.delete(address);
      throw error;
    }
    this.#event(service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
  }

  #saw(service: Unstructured): void {
    const address = addressOf(service);
    if (address !== undefined) this.#holders.set(address, keyOf(service.metadata));
  }

  #release(service: Unstructured): void {
    const address = addressOf(service);
    if (address !== undefined && this.#holders.get(address) === keyOf(service.metadata)) this.#holders.delete(address);
  }

  #next(): string {
    for (const address of addresses()) if (!this.#holders.has(address)) return address;
    throw new Error('cannot give a load balancer an address: all are taken');
  }

  async #write(service: Unstructured, ingress: readonly object[]): Promise<void> {
    const { uid, resourceVersion } = service.metadata;
    const body = {
      metadata: { uid, resourceVersion },
      status: { loadBalancer: { ingress: ingress.length === 0 ? null : ingress } },
    };
    await this.#cluster.client.patch(
      services,
      keyOfObject(service),
      { type: 'merge', body },
      { subresource: 'status' },
    );
  }

  #event(service: Unstructured, type: EventType, reason: string, message: string): void {
    this.#cluster.recorder.event({ ...service, apiVersion: 'v1', kind: 'Service' }, type, reason, message);
  }
}

const isPlain = (service: Unstructured): boolean =>
  (service['spec'] as { readonly type?: string } | undefined)?.type !== 'LoadBalancer';
