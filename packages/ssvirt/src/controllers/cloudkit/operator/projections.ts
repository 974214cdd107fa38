/** What the caches keep of the children of orders. */
import type { Projected, Projection } from '@ssvirt/kube/informer/informer';
import {
  childrenOf,
  factsOnce,
  factsProjection,
  namespaceProjectionBy,
  storageOf,
  withoutBallast,
  type WithFacts,
} from '../../../fleet/projections.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import { storageClassFacts, type StorageClassFacts } from '../../../kubevirt/machine/storage-class.ts';
import { dataVolumeFacts, type DataVolumeFacts } from '../../../kubevirt/facts/data-volume.ts';
import { fields, known, list, text } from '../../../kubevirt/facts/reading.ts';
import { vmFacts, type VmFacts } from '../../../kubevirt/facts/vm.ts';
import { vmiFacts, type VmiFacts } from '../../../kubevirt/facts/vmi.ts';
import { liveMachine, type LiveMachine } from '../../../kubevirt/order/build.ts';
import { isMachineReady } from '../../../kubevirt/order/observation.ts';
import { annotations, labels } from '../../../kubevirt/order/resource.ts';
import { fieldManager, type Order } from './order-types.ts';

export interface OrderVm extends WithFacts<VmFacts> {
  /** The part that is carried over when the VM is applied again. */
  readonly live: LiveMachine;
  readonly ready: boolean;
}

export interface OrderInstance extends WithFacts<VmiFacts> {
  /** The SSH key Secrets that the instance was created with. */
  readonly sshKeySecrets: readonly string[];
  /**
   * The names of all Secrets and ConfigMaps that the instance was created with. It needs them when it starts and when
   * it migrates to another node.
   */
  readonly uses: readonly string[];
}

/** `ProjectedOrderClaim` is the part of a PersistentVolumeClaim that disks are judged by, in its original shape. */
export interface ProjectedOrderClaim extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

export interface ProjectedOrderDataVolume extends WithFacts<DataVolumeFacts> {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

export interface ProjectedService extends KubeObject {
  /** The first address of the Service's load balancer. */
  readonly address?: string;
  /** The ports, in their original shape. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** `madeAsAnnotation` is an annotation on the disks of an OrderTemplate: a hash of the settings that cannot be changed later. */
export const madeAsAnnotation = 'ssvirt.io/made-as';

const child = childrenOf({
  of: 'an order',
  fieldManager,
  labels: [labels.order, labels.instance, labels.vm],
  // CDI's: the source that a PersistentVolumeClaim was filled from.
  annotations: ['cdi.kubevirt.io/storage.import.endpoint', madeAsAnnotation],
});

export const vmProjection: Projection<KubeObject, OrderVm> = child('virtual machine', (object) => ({
  facts: factsOnce(object, vmFacts),
  live: 'live' in object ? (object as OrderVm).live : liveMachine(object),
  ready: 'ready' in object ? (object as OrderVm).ready : isMachineReady(object),
}));

export const instanceProjection: Projection<KubeObject, OrderInstance> = child('instance', (object) => ({
  facts: factsOnce(object, vmiFacts),
  sshKeySecrets: 'sshKeySecrets' in object ? (object as OrderInstance).sshKeySecrets : sshKeySecretsOf(object),
  uses: 'uses' in object ? (object as OrderInstance).uses : usesOf(object),
}));

const held = /^(?:secret|configMap)(?:Ref)?$|SecretRef$/;

function usesOf(instance: unknown): readonly string[] {
  const { volumes, accessCredentials } = fields(fields(instance)['spec']);
  const names = new Set<string>();
  const look = (value: unknown, field: string): void => {
    if (Array.isArray(value)) for (const one of value) look(one, field);
    for (const [key, one] of Object.entries(fields(value))) {
      const name = key === 'secretName' || (key === 'name' && held.test(field)) ? text(one) : undefined;
      if (name === undefined) look(one, key);
      else names.add(name);
    }
  };
  look([volumes, accessCredentials], '');
  return [...names];
}

function sshKeySecretsOf(instance: unknown): readonly string[] {
  return list(fields(fields(instance)['spec'])['accessCredentials']).flatMap((credential) => {
    const { source } = fields(fields(credential)['sshPublicKey']);
    return text(fields(fields(source)['secret'])['secretName']) ?? [];
  });
}

/** Secrets and ConfigMaps. Their contents are never read. */
export const childProjection: Projection<KubeObject, KubeObject> = child('child', () => ({}));

export const claimProjection: Projection<KubeObject, ProjectedOrderClaim> = child('claim', (object) => {
  const { spec, status } = fields(object);
  const { phase, capacity } = fields(status);
  return { spec: storageOf(spec), status: known({ phase: text(phase, 64), capacity }) };
});

export const dataVolumeProjection: Projection<KubeObject, ProjectedOrderDataVolume> = child('data volume', (object) => {
  const { spec, status } = fields(object);
  const { storage, pvc, source, sourceRef } = fields(spec);
  return {
    facts: factsOnce(object, dataVolumeFacts),
    spec: known({
      pvc: pvc === undefined ? undefined : storageOf(pvc),
      storage: storage === undefined ? undefined : storageOf(storage),
      source,
      sourceRef,
    }),
    status: known({ phase: text(fields(status)['phase'], 64), progress: text(fields(status)['progress'], 64) }),
  };
});

export const serviceProjection: Projection<KubeObject, ProjectedService> = child('service', (object) => ({
  ...known<Pick<ProjectedService, 'address'>>({
    address: 'address' in object ? (object as ProjectedService).address : addressOf(object),
  }),
  spec: known({ ports: fields(fields(object)['spec'])['ports'] }),
}));

function addressOf(service: unknown): string | undefined {
  const { loadBalancer } = fields(fields(service)['status']);
  const [first] = list(fields(loadBalancer)['ingress']).map(fields);
  return text(first?.['ip'], 64) ?? text(first?.['hostname']);
}

export const classProjection: Projection<KubeObject, WithFacts<StorageClassFacts>> = factsProjection(
  'storage class for orders',
  storageClassFacts,
);

/** The only information kept of a namespace is which orders may use it. */
export const namespaceProjection: Projection<KubeObject, Projected> = namespaceProjectionBy('namespace for orders', {
  labels: [labels.project],
  annotations: [annotations.orderNamespaces],
});

export const orderProjection: Projection<Order, Order> = { name: 'order', project: withoutBallast };
