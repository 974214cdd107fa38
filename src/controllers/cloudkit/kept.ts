/** What the caches keep of what an order is made of: there may be thousands, so only what is read, and what an apply is skipped by. */
import type { Projected, Projection } from '../../kube/cache/informer.ts';
import type { KubeObject, ObjectMeta } from '../../kube/object.ts';
import { appliedHashAnnotation } from '../../kube/reconcile/apply-child.ts';
import { ownEntriesAnnotation } from '../../kube/reconcile/atomic-lists.ts';
import { ownManagedFields } from '../../kube/reconcile/managed-fields.ts';
import { isParentMark } from '../../kube/reconcile/owners.ts';
import { storageClassFacts, type StorageClassFacts } from '../../virt/declared-machine/storage-class.ts';
import { dataVolumeFacts, type DataVolumeFacts } from '../../virt/facts/data-volume.ts';
import { fields, known, list, text } from '../../virt/facts/reading.ts';
import { vmFacts, type VmFacts } from '../../virt/facts/vm.ts';
import { vmiFacts, type VmiFacts } from '../../virt/facts/vmi.ts';
import { liveMachine, type LiveMachine } from '../../virt/order/build.ts';
import { isMachineReady } from '../../virt/order/observation.ts';
import { annotations, labels } from '../../virt/order/resource.ts';
import { fieldManager, type Order } from './kinds.ts';

export interface Kept<F> extends KubeObject {
  readonly facts: F;
}

export interface KeptVm extends Kept<VmFacts> {
  /** What is carried along when it is applied again. */
  readonly live: LiveMachine;
  readonly ready: boolean;
}

export interface KeptInstance extends Kept<VmiFacts> {
  /** Those that it was made with. */
  readonly sshKeySecrets: readonly string[];
  /** Names of all Secrets and ConfigMaps that it was made with: it needs them when it starts, and when it moves to another node. */
  readonly uses: readonly string[];
}

/** In the shape that they have: as much as a disk is judged by. */
export interface KeptClaim extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

export interface KeptDataVolume extends Kept<DataVolumeFacts> {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

export interface KeptService extends KubeObject {
  /** The first that its load balancer has. */
  readonly address?: string;
  /** In the shape that it has: its ports. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** On the disks of an OrderTemplate: what they were made of, which cannot be changed. */
export const madeAsAnnotation = 'ssvirt.io/made-as';

const keptAnnotations = new Set([
  appliedHashAnnotation,
  ownEntriesAnnotation,
  // CDI's: what a claim was filled from.
  'cdi.kubevirt.io/storage.import.endpoint',
  madeAsAnnotation,
]);
const keptLabels: ReadonlySet<string> = new Set([labels.order, labels.instance, labels.vm]);

type Texts = Readonly<Record<string, string>>;

function entriesOf(all: Texts | undefined, isKept: (name: string) => boolean): Texts {
  return Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => isKept(name)));
}

/** What says whose they are, and what shows that nothing of ours was touched. */
function childMetadata(object: KubeObject): ObjectMeta {
  const { metadata } = object;
  return known<ObjectMeta>({
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation,
    creationTimestamp: metadata.creationTimestamp,
    deletionTimestamp: metadata.deletionTimestamp,
    generateName: undefined,
    ownerReferences: undefined,
    finalizers: undefined,
    labels: entriesOf(metadata.labels, (name) => isParentMark(name) || keptLabels.has(name)),
    annotations: entriesOf(metadata.annotations, (name) => isParentMark(name) || keptAnnotations.has(name)),
    managedFields: ownManagedFields(object, fieldManager),
  });
}

function child<P extends KubeObject>(
  name: string,
  rest: (object: KubeObject) => Omit<P, keyof KubeObject>,
): Projection<KubeObject, P> {
  return {
    name: `${name} of an order`,
    project: (object) => {
      const { apiVersion, kind } = object;
      const envelope = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
      // What `rest` leaves out is the envelope, which stands here.
      return { ...envelope, metadata: childMetadata(object), ...rest(object) } as P;
    },
  };
}

/** A projection may see its own result. */
function factsOnce<F>(object: KubeObject, read: (object: unknown) => F): F {
  return 'facts' in object ? (object as Kept<F>).facts : read(object);
}

export const keptVm: Projection<KubeObject, KeptVm> = child('virtual machine', (object) => ({
  facts: factsOnce(object, vmFacts),
  live: 'live' in object ? (object as KeptVm).live : liveMachine(object),
  ready: 'ready' in object ? (object as KeptVm).ready : isMachineReady(object),
}));

export const keptInstance: Projection<KubeObject, KeptInstance> = child('instance', (object) => ({
  facts: factsOnce(object, vmiFacts),
  sshKeySecrets: 'sshKeySecrets' in object ? (object as KeptInstance).sshKeySecrets : sshKeySecretsOf(object),
  uses: 'uses' in object ? (object as KeptInstance).uses : usesOf(object),
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

/** Secrets and ConfigMaps, of which nothing is read. */
export const keptChild: Projection<KubeObject, KubeObject> = child('child', () => ({}));

export const keptClaim: Projection<KubeObject, KeptClaim> = child('claim', (object) => {
  const { spec, status } = fields(object);
  const { phase, capacity } = fields(status);
  return { spec: storageOf(spec), status: known({ phase: text(phase, 64), capacity }) };
});

export const keptDataVolume: Projection<KubeObject, KeptDataVolume> = child('data volume', (object) => {
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

function storageOf(spec: unknown): Readonly<Record<string, unknown>> {
  const { storageClassName, accessModes, volumeMode, resources } = fields(spec);
  const { requests } = fields(resources);
  return known({ storageClassName, accessModes, volumeMode, resources: { requests } });
}

export const keptService: Projection<KubeObject, KeptService> = child('service', (object) => ({
  ...known<Pick<KeptService, 'address'>>({
    address: 'address' in object ? (object as KeptService).address : addressOf(object),
  }),
  spec: known({ ports: fields(fields(object)['spec'])['ports'] }),
}));

function addressOf(service: unknown): string | undefined {
  const { loadBalancer } = fields(fields(service)['status']);
  const [first] = list(fields(loadBalancer)['ingress']).map(fields);
  return text(first?.['ip'], 64) ?? text(first?.['hostname']);
}

export const keptClass: Projection<KubeObject, Kept<StorageClassFacts>> = {
  name: 'storage class for orders',
  project: (object) => ({ metadata: named(object.metadata), facts: factsOnce(object, storageClassFacts) }),
};

/** Whose orders may use it is all that is asked of a namespace. */
export const keptNamespace: Projection<KubeObject, Projected> = {
  name: 'namespace for orders',
  project: ({ metadata }) => {
    const { deletionTimestamp } = metadata;
    return {
      metadata: {
        ...named(metadata),
        ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
        labels: entriesOf(metadata.labels, (name) => name === labels.project),
        annotations: entriesOf(metadata.annotations, (name) => name === annotations.orderNamespaces),
      },
    };
  },
};

function named({ name, uid, resourceVersion, creationTimestamp }: ObjectMeta): ObjectMeta {
  return known<Pick<ObjectMeta, 'name' | 'uid' | 'resourceVersion' | 'creationTimestamp'>>({
    name,
    uid,
    resourceVersion,
    creationTimestamp,
  });
}

/** kubectl's copy of what was applied is the object once more. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

export const keptOrder: Projection<Order, Order> = { name: 'order', project: withoutBallast };

export function withoutBallast<T extends KubeObject>(object: T): T {
  const { managedFields: _fields, annotations: all, ...metadata } = object.metadata;
  if (all === undefined) return { ...object, metadata };
  const { [lastApplied]: _copy, ...kept } = all;
  return { ...object, metadata: { ...metadata, annotations: kept } };
}
