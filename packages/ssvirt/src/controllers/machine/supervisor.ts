/**
 * What is known of the supervisor without a request: the Machines, indexed by all that wakes them, and the
 * NetworkConfigurations.
 */
import { withoutBallast } from '../../fleet/projections.ts';
import type { Informer, Projection } from '@ssvirt/kube/informer/informer';
import type { Client } from '@ssvirt/kube/client/client';
import type { Cluster } from '@ssvirt/kube/cluster';
import { fenced } from '@ssvirt/kube/leader-election/fenced';
import type { Term } from '@ssvirt/kube/leader-election/term';
import { keyOf, type KubeObject, type ObjectKey } from '@ssvirt/kube/object';
import { kubevirtConfigs, type KubevirtConfig } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { existingClaims } from '../../fleet/placement/claim-users.ts';
import { formedSpec } from '../../kubevirt/machine/form.ts';
import { machines, networkConfigurations, type Machine, type NetworkConfiguration } from './machine-types.ts';
import { SecretVersions } from './children/secret-versions.ts';

export const byCluster = 'cluster';
export const byNetwork = 'network';
export const bySecret = 'secret';
export const byMac = 'mac';
/** Finds whether the Machine that an object names still exists. */
export const byUid = 'uid';
/** Machines by the PersistentVolumeClaims that they use and did not create. */
export const byExistingClaim = 'existing claim';
const bySecretNamespace = 'namespace of a secret';

export interface Supervisor {
  readonly cluster: Cluster;
  /** The uid of its namespace kube-system. It is in a label of our children in the members. */
  readonly identity: string;
  readonly machines: Informer<Machine>;
  readonly networks: Informer<NetworkConfiguration>;
  readonly configs: Informer<KubevirtConfig>;
  readonly secrets: SecretVersions;
  /** The client refuses to write when leadership may be lost. */
  client(term: Term | undefined): Client;
}

export interface SupervisorOptions {
  readonly cluster: Cluster;
  readonly identity: string;
  readonly configsNamespace: string;
  /** The interval at which all Machines are reconciled. The default is never. */
  readonly resyncMs?: number | undefined;
  /** Called when a Secret that Machines may refer to has changed. */
  readonly secretChanged: (key: ObjectKey) => void;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { cluster, identity, configsNamespace, resyncMs } = options;
  const { informers } = cluster;
  const machineCache = informers.informer(machines, {
    projection: machineProjection,
    ...(resyncMs === undefined || resyncMs === 0 ? {} : { resyncMs }),
  });
  machineCache.addIndex(byCluster, ({ status }) => [status?.kubevirtConfigRef ?? '']);
  machineCache.addIndex(byNetwork, (machine) =>
    networkNames(machine).map((name) => keyOf({ ...namespaceOf(machine), name })),
  );
  machineCache.addIndex(bySecret, (machine) => {
    const name = machine.spec.cloudInit?.secretRef?.name;
    return name === undefined ? [] : [keyOf({ ...namespaceOf(machine), name })];
  });
  machineCache.addIndex(byMac, macsOf);
  machineCache.addIndex(byUid, ({ metadata: { uid } }) => (uid === undefined ? [] : [uid]));
  machineCache.addIndex(byExistingClaim, (machine) =>
    existingClaims(machine).map((name) => keyOf({ ...namespaceOf(machine), name })),
  );
  machineCache.addIndex(bySecretNamespace, (machine) =>
    refersToSecret(machine) ? [machine.metadata.namespace ?? ''] : [],
  );
  const versions = new SecretVersions(cluster, options.secretChanged);
  const settle = (before: Machine): void => {
    const { namespace = '' } = before.metadata;
    if (refersToSecret(before) && machineCache.byIndex(bySecretNamespace, namespace).length === 0)
      versions.release(namespace);
  };
  machineCache.addHandler({ name: 'secrets of machines', added: () => undefined, updated: settle, deleted: settle });
  const clients = new WeakMap<Term, Client>();
  return {
    cluster,
    identity,
    machines: machineCache,
    networks: informers.informer(networkConfigurations, { projection: networkProjection }),
    configs: informers.informer(kubevirtConfigs, { namespaces: [configsNamespace] }),
    secrets: versions,
    client(term) {
      if (term === undefined) return cluster.client;
      const known = clients.get(term) ?? fenced(cluster.client, term);
      clients.set(term, known);
      return known;
    },
  };
}

export function networkNames({ spec }: Machine): readonly string[] {
  return [...new Set((spec.networks ?? []).flatMap(({ networkName }) => networkName ?? []))];
}

function refersToSecret({ spec }: Machine): boolean {
  return spec.cloudInit?.secretRef !== undefined;
}

/** `macsOf` returns the MAC addresses that users chose. The others are derived from the uid and are unique. */
export function macsOf({ spec }: Machine): readonly string[] {
  return (spec.networks ?? []).flatMap(({ macAddress }) =>
    macAddress === undefined ? [] : [macAddress.toLowerCase().replaceAll('-', ':')],
  );
}

function namespaceOf({ metadata: { namespace } }: KubeObject): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

const machineProjection: Projection<Machine, Machine> = {
  name: 'machine',
  project: (machine) => {
    const slim = withoutBallast(machine);
    const spec = formedSpec(slim.spec);
    return spec === slim.spec ? slim : { ...slim, spec };
  },
};
const networkProjection: Projection<NetworkConfiguration, NetworkConfiguration> = {
  name: 'network configuration',
  project: withoutBallast,
};
