/** The aggregated APIs of one cluster: the proxy, the APIServices, and what extension servers need to trust it. */
import type { Authority } from '@ssvirt/base/tls/authority';
import type { LocalClient } from '../../control-plane/controllers/client.ts';
import type { RemoteObjects } from '../../control-plane/controllers/remote-objects.ts';
import type { Store } from '../../store/store.ts';
import { ApiAggregator } from './aggregator.ts';
import { ApiServices } from './api-services.ts';
import { remoteContent } from './remote-content.ts';
import { ExtensionAuthentication, FRONT_PROXY } from './extension-authentication.ts';

export interface AggregationDeps {
  readonly store: Store;
  /** Writes as kube-apiserver itself. */
  readonly client: LocalClient;
  readonly authority: Authority;
  /** Called when discovery and OpenAPI must be rebuilt. */
  readonly changed: () => void;
  readonly onDefect: (error: unknown, where: string) => void;
}

export interface Aggregation {
  readonly aggregator: ApiAggregator;
  readonly content: RemoteObjects;
  /** Resolves when every object exists that a ready server has. */
  start(): Promise<void>;
  stop(): void;
}

export async function createAggregation({
  store,
  client,
  authority,
  changed,
  onDefect,
}: AggregationDeps): Promise<Aggregation> {
  const certificate = await authority.issue({ commonName: FRONT_PROXY });
  const onError = (error: unknown, name: string): void => onDefect(error, `aggregator, ${name}`);
  const aggregator = new ApiAggregator({ client, certificate, changed, onError });
  const controllers: { stop(): void }[] = [];
  return {
    aggregator,
    content: remoteContent(aggregator),
    start: async () => {
      const authentication = new ExtensionAuthentication(store, client, authority.certificate, onError);
      const apiServices = new ApiServices(store, client, aggregator, onError);
      controllers.push(authentication, apiServices);
      await authentication.publish();
      await apiServices.start();
    },
    stop: () => {
      for (const controller of controllers) controller.stop();
    },
  };
}
