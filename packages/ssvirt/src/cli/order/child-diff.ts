/** Compares each object of an order with what the controller would create: same, different, missing, or extra. */
import type { Unstructured } from '@ssvirt/kube/object';
import { bytes } from '@ssvirt/base/values/quantity';
import { fields, text, type Fields } from '../../kubevirt/facts/reading.ts';
import type { KubeLike } from '../../kubevirt/tenant-vm/kube-like.ts';
import { liveMachine } from '../../kubevirt/order/build.ts';
import { isDisk, withStorageClass } from '../../kubevirt/order/custom/disk.ts';
import { diskClass } from '../../kubevirt/order/disk-change.ts';
import { isOwn, type OrderIdentity } from '../../kubevirt/order/identity.ts';
import { labels } from '../../kubevirt/order/resource.ts';
import { differences, onlyThere, secretDifferences, type Difference } from './compare.ts';

export interface ChildDiff {
  readonly kind: string;
  readonly name: string;
  readonly state: 'same' | 'differs' | 'missing' | 'extra';
  readonly differences: readonly Difference[];
  /** Known differences, with their reasons: they do not count. */
  readonly documented: readonly (Difference & { readonly why: string })[];
  readonly note?: string;
}

export interface LiveChild {
  readonly identity: OrderIdentity;
  /** AAP has provisioned the order. */
  readonly isAaps: boolean;
  /** The claim of the disk. */
  readonly claim?: Unstructured | undefined;
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const importedFrom = 'cdi.kubevirt.io/storage.import.endpoint';

const why = {
  marks: 'owner marks: written when the controller takes over',
  aapLabel: "AAP's own label: it stays",
  selector: 'the machine has either label after a restart',
  service: "AAP's role creates none: it is created when the controller takes over",
} as const;

export function childDiff(desired: KubeLike, found: Unstructured | undefined, live: LiveChild): ChildDiff {
  const { kind, metadata } = desired;
  const named = { kind, name: metadata.name };
  const object = kind === 'DataVolume' ? asDisk(found, live.claim) : found;
  if (object === undefined) return missing(named, desired, live);
  const isMarked = isOwn(live.identity, object);
  const all = [...contentDifferences(desired, object), ...onlyThere(desired, appliedBefore(object)).filter(isNoStamp)];
  const judged = all.map((one) => ({ ...one, why: documentedWhy(one, live, isMarked) }));
  const open = all.filter((_, at) => judged[at]?.why === undefined);
  const documented = judged.flatMap(({ why: reason, ...one }) =>
    reason === undefined ? [] : [{ ...one, why: reason }],
  );
  const note =
    kind === 'DataVolume' && found === undefined
      ? { note: 'CDI has deleted the DataVolume; its claim was compared' }
      : {};
  return { ...named, state: open.length === 0 ? 'same' : 'differs', differences: open, documented, ...note };
}

/**
 * Copies what the operator takes over from the live objects: whether the VM is running, and the storage class of a
 * disk.
 */
export function asLive(desired: KubeLike, found: Unstructured | undefined, claim: Unstructured | undefined): KubeLike {
  if (desired.kind === 'VirtualMachine' && found !== undefined) {
    const { running: _running, runStrategy: _strategy, ...spec } = fields(desired['spec']);
    const { running, runStrategy } = liveMachine(found);
    const power = runStrategy === undefined ? { running: running ?? true } : { runStrategy };
    return { ...desired, spec: { ...spec, ...power } };
  }
  if (!isDisk(desired)) return desired;
  const kept = diskClass(
    desired.kind === 'DataVolume' ? found : undefined,
    desired.kind === 'DataVolume' ? claim : found,
  );
  return kept === undefined ? desired : withStorageClass(desired, kept);
}

export function extraChild(kind: string, name: string): ChildDiff {
  return { kind, name, state: 'extra', differences: [], documented: [] };
}

function missing(named: Pick<ChildDiff, 'kind' | 'name'>, { kind }: KubeLike, { isAaps }: LiveChild): ChildDiff {
  const documented = isAaps && kind === 'Service' ? [{ path: '', why: why.service }] : [];
  return { ...named, state: 'missing', differences: [], documented };
}

/** `isDifferent` returns whether the child counts as a difference. */
export function isDifferent({ state, documented }: ChildDiff): boolean {
  return state === 'differs' || state === 'extra' || (state === 'missing' && documented.length === 0);
}

function contentDifferences(desired: KubeLike, object: Unstructured): readonly Difference[] {
  const { data, ...rest } = wanted(desired);
  if (desired.kind !== 'Secret') return differences(wanted(desired), object);
  return [...differences(rest, object), ...secretDifferences(data, object['data'])];
}

/** Removes apiVersion, kind, name and namespace: the object was looked up by them. */
function wanted({ apiVersion: _, kind: _kind, ...rest }: KubeLike): Fields {
  const { name: _name, namespace: _namespace, ...metadata } = rest.metadata;
  return { ...rest, metadata };
}

/** Ansible's `apply` records what it applied in this annotation. */
function appliedBefore(object: Unstructured): unknown {
  const written = object.metadata.annotations?.[lastApplied];
  try {
    return written === undefined ? undefined : (JSON.parse(written) as unknown);
  } catch {
    return undefined;
  }
}

function isNoStamp({ path }: Difference): boolean {
  return (
    !path.startsWith('metadata.annotations') && !path.startsWith('status') && path !== 'metadata.creationTimestamp'
  );
}

function documentedWhy(
  { path, ours }: Difference,
  { identity, isAaps }: LiveChild,
  isMarked: boolean,
): string | undefined {
  const isLabel = /^(?:spec\.template\.)?metadata\.labels\b/.test(path) || path === 'spec.template.metadata';
  if (ours === undefined) return isLabel && path.includes(labels.instance) ? why.aapLabel : undefined;
  if (path.startsWith('spec.selector')) return isAaps && ours.includes(identity.name) ? why.selector : undefined;
  const isMark = isLabel || /^(?:spec\.template\.)?metadata\.(?:annotations|ownerReferences)\b/.test(path);
  return isMark && isAaps && !isMarked ? why.marks : undefined;
}

/** The claim decides the size of a disk: it can grow, while the DataVolume keeps its initial size. */
function asDisk(dataVolume: Unstructured | undefined, claim: Unstructured | undefined): Unstructured | undefined {
  if (claim === undefined) return dataVolume;
  const { spec } = fields(claim);
  const { resources } = fields(spec);
  if (dataVolume === undefined) {
    const url = text(claim.metadata.annotations?.[importedFrom], 2048);
    const source = url === undefined ? {} : { source: { registry: { url } } };
    return {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: claim.metadata,
      spec: { ...source, pvc: fields(spec) },
    };
  }
  const started = fields(dataVolume['spec']);
  const { pvc } = started;
  const has = bytes(fields(fields(resources)['requests'])['storage']) ?? 0;
  const had = bytes(fields(fields(fields(pvc)['resources'])['requests'])['storage']) ?? has;
  return has > had ? { ...dataVolume, spec: { ...started, pvc: { ...fields(pvc), resources } } } : dataVolume;
}
