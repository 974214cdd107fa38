/** What clusters offer, for tests of the API: the same entries in every cluster that has them. */
import { nothingOffered, type CatalogSource } from '../../packages/ssvirt/src/api/catalogs/catalogs/source.ts';
import type {
  CatalogEntry,
  CatalogParameter,
  Offer,
  OfferedEntry,
} from '../../packages/ssvirt/src/kubevirt/catalog/entry.ts';
import type { InstanceType } from '../../packages/ssvirt/src/kubevirt/catalog/instance-type.ts';
import type { StorageClassFacts } from '../../packages/ssvirt/src/kubevirt/machine/storage-class.ts';

export function entryOf(name: string, more: Partial<CatalogEntry> = {}): CatalogEntry {
  return {
    kind: 'Template',
    namespace: 'openshift',
    name,
    displayName: name,
    description: '',
    vmCount: more.machines?.length ?? 1,
    parameters: [],
    machines: [],
    tags: [],
    deprecated: false,
    ready: true,
    message: '',
    ...(more.kind === 'DataSource' ? {} : { body: bodyOf(more.machines) }),
    ...more,
  };
}

/** VMs with these names and otherwise valid content. */
export function bodyOf(machines: CatalogEntry['machines'] = []): string {
  return JSON.stringify({
    objects: machines.map(({ name, open }) => ({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name },
      ...open,
    })),
  });
}

export function parameterOf(name: string, more: Partial<CatalogParameter> = {}): CatalogParameter {
  return {
    name,
    displayName: name,
    description: '',
    required: false,
    hasDefault: more.default !== undefined,
    ...more,
  };
}

/** The cluster; `local` by default. */
export function offerOf(entry: CatalogEntry, ...offers: readonly Partial<Offer>[]): OfferedEntry {
  const all = offers.length === 0 ? [{}] : offers;
  return { entry, offers: all.map((offer) => ({ cluster: 'local', available: true, message: '', ...offer })) };
}

export interface Offering {
  readonly entries: readonly OfferedEntry[];
  readonly instancetypes?: readonly InstanceType[];
  readonly preferences?: readonly string[];
  /** Unknown by default. */
  readonly storageClasses?: readonly StorageClassFacts[];
  /** The instance types; also unknown by default. */
  readonly known?: boolean;
  readonly unavailable?: ReturnType<CatalogSource['unavailable']>;
}

/** Evaluated at each query, so that a test can change it. */
export function sourceOf(offering: () => Offering): CatalogSource {
  const types = (): readonly InstanceType[] => offering().instancetypes ?? [];
  return {
    ...nothingOffered,
    entries: () => offering().entries,
    unavailable: () => offering().unavailable ?? [],
    entryIn: (cluster, { kind, namespace, name }) =>
      offering().entries.find(
        ({ entry, offers }) =>
          entry.kind === kind &&
          entry.namespace === namespace &&
          entry.name === name &&
          offers.some((offer) => offer.cluster === cluster),
      )?.entry,
    instancetypes: types,
    instancetype: (_, name) => types().find((type) => type.name === name),
    preferences: () => (offering().preferences ?? []).map((name) => ({ name })),
    preference: (_, name) => offering().preferences?.includes(name) === true,
    imageNamespaces: () => [
      ...new Set(offering().entries.flatMap(({ entry }) => (entry.kind === 'DataSource' ? [entry.namespace] : []))),
    ],
    known: () => offering().known ?? true,
    storageClasses: () => offering().storageClasses,
  };
}
