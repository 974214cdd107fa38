/**
 * The state of the cluster around an order: its namespaces, classes and templates, and any existing objects with the
 * names of its children. It writes nothing.
 */
import { isNotFound } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { storageClassFacts, type StorageClassFacts } from '../../kubevirt/machine/storage-class.ts';
import { childNames } from '../../kubevirt/order/child-names.ts';
import { namespaceFacts, type NamespaceFacts } from '../../kubevirt/order/namespace.ts';
import { tenantOf } from '../../kubevirt/order/tenant.ts';
import { ClusterReader, type ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import {
  claims,
  dataVolumes,
  instances,
  namespaces,
  secrets,
  services,
  storageClasses,
  virtualMachines,
} from '../../fleet/kinds.ts';
import { orders, orderTemplates, type ShownOrder, type ShownOrderTemplate } from './shown-order.ts';

/** The existing objects with the names of the built-in template's objects. */
export interface ExistingObjects {
  readonly cloudInitSecret?: Unstructured | undefined;
  readonly sshKeySecret?: Unstructured | undefined;
  readonly dataVolume?: Unstructured | undefined;
  /** The claim of the disk. */
  readonly claim?: Unstructured | undefined;
  readonly vm?: Unstructured | undefined;
  readonly instance?: Unstructured | undefined;
  readonly service?: Unstructured | undefined;
}

export interface OrderContext {
  /** The existing order of that name. */
  readonly existing?: ShownOrder | undefined;
  readonly ownNamespace?: NamespaceFacts | undefined;
  readonly tenant?: NamespaceFacts | undefined;
  readonly classes: readonly StorageClassFacts[];
  readonly templates: readonly ShownOrderTemplate[];
  readonly standing: ExistingObjects;
  readonly hasKubeVirt: boolean;
  readonly hasDataImporter: boolean;
  /** Kinds that the user may not read: nothing follows from their absence. */
  readonly unread: readonly string[];
}

export async function orderContextOf(asking: ClusterReaderOptions, order: ShownOrder): Promise<OrderContext> {
  const { name = '', namespace = '' } = order.metadata;
  const look = new ClusterReader(asking);
  const [existing, ownNamespace, tenant, classes, templates, standing, hasKubeVirt, hasDataImporter] =
    await Promise.all([
      look.at(orders, { namespace, name }),
      namespaceOf(look, namespace),
      namespaceOf(look, tenantOf(order)),
      look.all(storageClasses),
      look.all(orderTemplates),
      standingOf(look, order),
      isServed(asking, virtualMachines),
      isServed(asking, dataVolumes),
    ]);
  const unread = [...look.unread].toSorted();
  const facts = classes.map(storageClassFacts);
  return { existing, ownNamespace, tenant, classes: facts, templates, standing, hasKubeVirt, hasDataImporter, unread };
}

async function standingOf(look: ClusterReader, order: ShownOrder): Promise<ExistingObjects> {
  const names = childNames({ name: order.metadata.name ?? '' });
  const namespace = tenantOf(order);
  const [cloudInitSecret, sshKeySecret, dataVolume, claim, vm, instance, service] = await Promise.all([
    look.at(secrets, { namespace, name: names.cloudInitSecret }),
    look.at(secrets, { namespace, name: names.sshKeySecret }),
    look.at(dataVolumes, { namespace, name: names.dataVolume }),
    look.at(claims, { namespace, name: names.dataVolume }),
    look.at(virtualMachines, { namespace, name: names.vm }),
    look.at(instances, { namespace, name: names.vm }),
    look.at(services, { namespace, name: names.service }),
  ]);
  return { cloudInitSecret, sshKeySecret, dataVolume, claim, vm, instance, service };
}

async function namespaceOf(look: ClusterReader, name: string): Promise<NamespaceFacts | undefined> {
  const found = name === '' ? undefined : await look.at(namespaces, { name });
  return found === undefined ? undefined : namespaceFacts(found);
}

async function isServed(
  { client, signal }: ClusterReaderOptions,
  { group, version, kind }: ResourceType,
): Promise<boolean> {
  try {
    await client.typeOf(`${group}/${version}`, kind, { signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** If several have the same id, the oldest takes precedence. */
export function templateOf(
  templates: readonly ShownOrderTemplate[],
  templateID: string,
): ShownOrderTemplate | undefined {
  const age = ({ metadata: { creationTimestamp = '', name = '' } }: ShownOrderTemplate): string =>
    `${creationTimestamp} ${name}`;
  return templates
    .filter(({ spec }) => spec.templateID === templateID)
    .toSorted((a, b) => (age(a) < age(b) ? -1 : 1))[0];
}
